package analyze

import "math"

// Of calls and turns that a limit cut off nobody knows how they would have gone
// on: some would have ended soon, some never. A late is what those tell that came
// near the longest limit, by fifths of it: as one fifth has fewer ends than the one
// before, so have those behind the limit.
type late struct {
	ends  [3]float64 // that came by themselves in the last three fifths, the last one last
	left  float64    // that the limit cut off
	fifth float64
}

// lateOf looks at the ends that came near the longest limit.
func lateOf(ends []stretch) (l late) {
	longest := 0.0
	for _, e := range ends {
		if e.cut {
			longest = max(longest, e.at)
		}
	}
	l.fifth = longest / 5
	for _, e := range ends {
		n := float64(e.n)
		switch {
		case e.at > longest || e.at <= 0.4*longest:
		case e.cut && e.at > 0.8*longest:
			l.left += n
		case e.passed && e.at > 0.8*longest:
			l.ends[2] += n
		case e.passed && e.at > 0.6*longest:
			l.ends[1] += n
		case e.passed:
			l.ends[0] += n
		}
	}
	return l
}

// falls returns how many ends a fifth has of those of the fifth before it, behind
// the limit as up to it, and how fast that falls itself. It falls at least as fast
// as where each that is left is as likely to end as before, with which all end
// sooner or later.
func (l *late) falls() (ratio, faster float64) {
	ratio, faster = l.left/(l.ends[2]+l.left), 1
	if l.ends[1] > 0 {
		ratio = min(ratio, l.ends[2]/l.ends[1])
		faster = min(1, l.ends[2]*l.ends[0]/(l.ends[1]*l.ends[1]))
	}
	if l.ends[0] == 0 {
		faster = 1 // nothing tells
	}
	return ratio, faster
}

// more is the share of those cut off that end by themselves within so many more
// fifths, where each has ratio of the ends of the one before, and that falls from
// fifth to fifth too, or not.
func (l *late) more(fifths float64, faster bool) (share float64) {
	ratio, falls := l.falls()
	if !faster {
		falls = 1
	}
	for ends := l.ends[2]; fifths > 0 && ends > lateEnds; fifths-- {
		ratio *= falls
		if part := min(1, fifths); ratio < 1 {
			share += ends * ratio * (1 - math.Pow(ratio, part)) / (1 - ratio)
		} else {
			share += ends * part
		}
		ends *= ratio
	}
	return min(1, share/l.left)
}

// lateEnds is less of an end than anybody would see.
const lateEnds = 1e-6

// A chance is what is known of one: likely, with its 95 % bounds.
type chance struct{ least, likely, most float64 }

// within is the chance of one that the limit cut off to end by itself within so
// much more: likely between where the ends go on falling as they did at the limit,
// which is the most, and where they fall ever faster. The fifths were counted, each
// with the error of a Poisson count, which moves the chance to first order in
// logarithms.
func (l late) within(more float64) chance {
	if l.left == 0 || l.fifth == 0 {
		return chance{}
	}
	fifths := more / l.fifth
	if l.ends[2] == 0 {
		l.ends[2] = noneOf
		return chance{most: l.more(fifths, false)}
	}
	const step = 1e-4
	variance, most := 0.0, l.more(fifths, false)
	for i, n := range l.ends {
		if n > 0 {
			moved := l
			moved.ends[i] *= math.Exp(step)
			slope := math.Log(moved.more(fifths, false)/most) / step
			variance += slope * slope / n
		}
	}
	likely, off := math.Sqrt(l.more(fifths, true)*most), math.Exp(z95*math.Sqrt(variance))
	return chance{likely / off, likely, min(1, most*off)}
}

// noneOf is the largest mean of a Poisson count under which none is seen in one
// of 40: −ln 0.025.
const noneOf = 3.6888794541139363

// goOn is how many of those that a lower limit cut off end by themselves under one.
func goOn(ends []stretch, limit float64) (more chance) {
	l := lateOf(ends)
	for _, e := range ends {
		if of := e.under(&limit, l).guess; of.most > 0 {
			n := float64(e.n)
			more.least, more.likely, more.most = more.least+n*of.least, more.likely+n*of.likely, more.most+n*of.most
		}
	}
	return more
}
