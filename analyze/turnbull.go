package analyze

import (
	"math"
	"slices"
	"sort"
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
	t := sortOf(of)
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

// sortOf sorts observations out.
func sortOf(of []interval) *turnbull {
	p := pointsOf(of)
	t := &turnbull{times: p.times, n: float64(len(of))}
	width := len(t.times) + 1
	seen := make([]float64, width*width)
	for _, x := range of {
		high := p.reached(end(x))
		seen[min(p.behind(x.low), high)*width+high]++
	}
	for at, n := range seen {
		if n > 0 {
			t.spans = append(t.spans, span{at / width, at % width})
			t.counts = append(t.counts, n)
		}
	}
	return t
}

// end is the upper end of an observation: what comes at once comes by a
// thousandth of a second.
func end(x interval) float64 { return max(x.high, 0.001) }

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

// seen returns the mass of each point from the observations that ended alone,
// each shared among the points of its interval in proportion to the estimate.
func (t *turnbull) seen(mass []float64) []float64 {
	ended := turnbull{times: t.times}
	for i, s := range t.spans {
		if s.high < len(t.times) {
			ended.spans, ended.counts, ended.n = append(ended.spans, s), append(ended.counts, t.counts[i]), ended.n+t.counts[i]
		}
	}
	out := make([]float64, len(mass))
	r := rounds{turnbull: &ended, upTo: make([]float64, len(mass)+1), weight: make([]float64, len(mass)+1)}
	r.round(mass, out)
	return out
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

// by returns the share that has recovered by a time.
func (c *curve) by(t float64) float64 {
	if i := sort.SearchFloat64s(c.times, math.Nextafter(t, math.Inf(1))); i > 0 {
		return c.share[i-1]
	}
	return 0
}

// within is the share of what came in an interval that had come by a time. What
// lies between two of the curve's times is taken to have come at the later one.
func (c *curve) within(x interval, t float64) float64 {
	if t <= x.low {
		return 0
	}
	before := c.by(x.low)
	all := c.upTo(x.high) - before
	if all <= 0 {
		return 0
	}
	return min(1, max(0, (c.by(t)-before)/all))
}

// upTo returns the share that has recovered by the first time that is not before t.
func (c *curve) upTo(t float64) float64 {
	return c.share[min(sort.SearchFloat64s(c.times, t), len(c.share)-1)]
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
