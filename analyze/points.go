package analyze

import (
	"math"
	"slices"
)

// curvePoints bounds the times of a curve: two a doubling from a tenth of a
// second to a day, finer than any delay is set.
const curvePoints = 40

// curveTimes are the times at which a curve steps: the ends of observations,
// each once and rising. Of more than curvePoints it is the latest of each step of
// a scale that is logarithmic by halves: each doubling has as many steps, and
// these are alike. No end is looked up or sorted then: the first bits of a number
// above zero are its step, and rise with it.
type curveTimes struct {
	times []float64
	shift uint   // that leaves the bits of a step; 0: every end is a time
	first uint64 // step
	at    []int  // of each step the first time in it or behind it
}

// pointsOf finds the times of observations.
func pointsOf(of []interval) curveTimes {
	var p curveTimes
	least, most := math.Inf(1), 0.0
	for _, x := range of {
		if math.IsInf(x.high, 1) {
			continue
		}
		t := end(x)
		least, most = min(least, t), max(most, t)
		if len(p.times) > curvePoints {
			continue
		}
		if at, is := slices.BinarySearch(p.times, t); !is {
			p.times = slices.Insert(p.times, at, t)
		}
	}
	if len(p.times) <= curvePoints {
		return p
	}
	low, high := math.Float64bits(least), math.Float64bits(most)
	for p.shift = 1; high>>p.shift-low>>p.shift >= curvePoints; {
		p.shift++
	}
	p.first = low >> p.shift
	p.thin(of, int(high>>p.shift-p.first)+1)
	return p
}

// thin makes the times the latest of each of so many steps.
func (p *curveTimes) thin(of []interval, steps int) {
	latest := make([]float64, steps)
	for _, x := range of {
		if !math.IsInf(x.high, 1) {
			t := end(x)
			at := p.step(t)
			latest[at] = max(latest[at], t)
		}
	}
	p.times, p.at = p.times[:0], make([]int, steps)
	for step, t := range latest {
		p.at[step] = len(p.times)
		if t > 0 {
			p.times = append(p.times, t)
		}
	}
}

func (p *curveTimes) step(t float64) int { return int(math.Float64bits(t)>>p.shift - p.first) }

// reached returns the first time that is not before an end; len(times): beyond all.
func (p *curveTimes) reached(end float64) int {
	switch {
	case math.IsInf(end, 1):
		return len(p.times)
	case p.shift == 0:
		at, _ := slices.BinarySearch(p.times, end)
		return at
	}
	return p.at[p.step(end)]
}

// behind returns the first time that is after a beginning.
func (p *curveTimes) behind(begin float64) int {
	n := len(p.times)
	if n == 0 || begin >= p.times[n-1] {
		return n
	}
	at := 0
	if p.shift == 0 {
		at, _ = slices.BinarySearch(p.times, begin)
	} else if math.Float64bits(max(begin, 0))>>p.shift >= p.first {
		at = p.at[p.step(begin)]
	}
	if p.times[at] <= begin {
		at++
	}
	return at
}
