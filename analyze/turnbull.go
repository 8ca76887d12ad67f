package analyze

import (
	"math"
	"slices"
)

// An interval is a time that lies in (low, high], high +Inf when all that is
// known is that it is later: right-censored.
type interval struct{ low, high float64 }

// A curve is the share that has recovered by each of its times.
type curve struct {
	times []float64
	share []float64 // by then; rising, its last is what recovered at all
}

const (
	// curvePoints bounds the times of a curve: two a doubling from a tenth of a
	// second to a day, finer than any delay is set.
	curvePoints = 40
	// curveRounds is when the estimate has settled to a tenth of a per cent on
	// curves of this size (measured on simulated ones).
	curveRounds = 200
	// curveSettled is the change of the mass of any point in one round below
	// which the estimate is done.
	curveSettled = 1e-5
)

// recovery estimates the distribution of times of which only intervals are
// known, by self-consistency (Turnbull 1976): each observation is shared among
// the points of its interval in proportion to the present estimate, until that
// no longer changes. The points are the intervals' ends, thinned on a
// logarithmic scale; one more, beyond all, takes what never recovered.
func recovery(of []interval) curve {
	return sortOf(of).curve()
}

// A sorter knows where the ends of observations lie among each other, so that
// many samples of them are sorted out without sorting anew.
type sorter struct {
	ends      []float64 // the upper ends, each once, rising
	low, high []int     // of each observation: ends at or before its lower end; its own end, len(ends) for none
	drawn     ranks     // the ends that the sample has
	points    ranks     // those of them that are points of its curve
	seen      []float64 // observations by span
	t         turnbull  // of the sample
}

func sortOf(of []interval) *sorter {
	s := &sorter{low: make([]int, len(of)), high: make([]int, len(of))}
	for _, x := range of {
		if !math.IsInf(x.high, 1) {
			s.ends = append(s.ends, max(x.high, 0.001))
		}
	}
	slices.Sort(s.ends)
	s.ends = slices.Compact(s.ends)
	for i, x := range of {
		if x.low > 0 {
			at, is := slices.BinarySearch(s.ends, x.low)
			if is {
				at++
			}
			s.low[i] = at
		}
		s.high[i] = len(s.ends)
		if !math.IsInf(x.high, 1) {
			s.high[i], _ = slices.BinarySearch(s.ends, max(x.high, 0.001))
		}
	}
	s.drawn, s.points = newRanks(len(s.ends)+1), newRanks(len(s.ends)+1)
	s.seen = make([]float64, (curvePoints+2)*(curvePoints+2))
	return s
}

// curve is that of all observations.
func (s *sorter) curve() curve {
	all := make([]int, len(s.low))
	for i := range all {
		all[i] = i
	}
	t := s.turnbull(all)
	return t.curve(t.settle())
}

// A turnbull is a set of observed intervals, sorted out by the points of the
// curve that they span.
type turnbull struct {
	times  []float64 // the points but the one beyond all
	spans  []span    // that occur, in order
	counts []float64 // observations of each span
	n      float64   // all of them
}

// A span is the first and the last point that an observation may have been at.
type span struct{ low, high int }

// turnbull sorts a sample out by what points it spans; sample has the numbers of
// its observations. The result is good until the next.
func (s *sorter) turnbull(sample []int) *turnbull {
	s.drawn.clear()
	for _, i := range sample {
		s.drawn.add(s.high[i])
	}
	t := &s.t
	t.times, t.spans, t.counts, t.n = t.times[:0], t.spans[:0], t.counts[:0], float64(len(sample))
	s.thin()
	for at := range s.points.each {
		t.times = append(t.times, s.ends[at])
	}
	s.points.count()
	width := len(t.times) + 1
	seen := s.seen[:width*width]
	clear(seen)
	for _, i := range sample {
		high := s.points.before(s.high[i])
		seen[min(s.points.before(s.low[i]), high)*width+high]++
	}
	for at, n := range seen {
		if n > 0 {
			t.spans = append(t.spans, span{at / width, at % width})
			t.counts = append(t.counts, n)
		}
	}
	return t
}

// thin makes at most curvePoints of the ends that were drawn points, and the
// last in any case.
func (s *sorter) thin() {
	s.points.clear()
	first, last, n := -1, -1, 0
	for at := range s.drawn.each {
		if at == len(s.ends) { // of those that never recovered
			break
		}
		if first < 0 {
			first = at
		}
		last = at
		n++
	}
	if n == 0 {
		return
	}
	step := 0.0 // all are points
	if n > curvePoints {
		step = math.Pow(s.ends[last]/s.ends[first], 1/float64(curvePoints-1))
	}
	before := math.Inf(-1)
	for at := range s.drawn.each {
		if at == len(s.ends) {
			break
		}
		if t := s.ends[at]; n <= curvePoints || at == first || t >= before*step || at == last {
			s.points.add(at)
			before = t
		}
	}
}

// settle returns the self-consistent mass of each point, the one beyond all
// last: once no point changes by more than curveSettled in a round.
func (t *turnbull) settle() []float64 {
	mass, next := t.even(), t.even()
	r := rounds{turnbull: t, upTo: make([]float64, len(mass)+1), weight: make([]float64, len(mass)+1)}
	for range curveRounds {
		moved := r.round(mass, next)
		mass, next = next, mass
		if moved < curveSettled {
			break
		}
	}
	return mass
}

// even is the same mass at each point.
func (t *turnbull) even() []float64 {
	mass := make([]float64, len(t.times)+1)
	for i := range mass {
		mass[i] = 1 / float64(len(mass))
	}
	return mass
}

// rounds are what the rounds of an estimate write on.
type rounds struct {
	*turnbull
	upTo, weight []float64 // sums of the masses before a point; what begins at it, less what ended
	room         []float64 // of all that is written on
}

// round makes next what mass is after sharing out the observations once, and
// returns the most that a point changed. It costs as many steps as there are
// spans and points, however long the spans: sums over a span are differences of
// running sums.
func (r *rounds) round(mass, next []float64) (moved float64) {
	sum := 0.0
	for i, m := range mass {
		sum += m
		r.upTo[i+1] = sum
	}
	clear(r.weight)
	upTo, weight, counts := r.upTo, r.weight, r.counts[:len(r.spans)] // not looked up again for each span
	for i, s := range r.spans {
		if total := upTo[s.high+1] - upTo[s.low]; total > 0 {
			share := counts[i] / total
			weight[s.low] += share
			weight[s.high+1] -= share
		}
	}
	running := 0.0
	for i, m := range mass {
		running += weight[i]
		v := 0.0
		if running > 0 {
			v = m * running / r.n
		}
		next[i] = v
		if d := math.Abs(v - m); d > moved {
			moved = d
		}
	}
	return moved
}

// curve adds the masses up.
func (t *turnbull) curve(mass []float64) curve {
	c := curve{times: slices.Clone(t.times), share: make([]float64, len(t.times))}
	sum := 0.0
	for i := range t.times {
		sum += mass[i]
		c.share[i] = sum
	}
	return c
}

// reaches returns the time by which the share p of all that ever recover has
// recovered; 0 when none does.
func (c curve) reaches(p float64) float64 {
	if len(c.times) == 0 {
		return 0
	}
	all := c.share[len(c.share)-1]
	for i, s := range c.share {
		if s >= p*all-1e-9 {
			return c.times[i]
		}
	}
	return c.times[len(c.times)-1]
}
