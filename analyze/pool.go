package analyze

import (
	"math"
	"slices"
)

// A tally is how often something won among its trials.
type tally struct{ won, n int }

// A Pooled is what the cells around one tell of a hazard, as a Beta prior: the
// cell borrows as much from it as its own counts leave open.
type Pooled struct {
	Mean     float64 `json:"mean"`
	Strength float64 `json:"strength"` // incidents that the prior is worth
	From     string  `json:"from"`     // "agent", "category", or "none": too few cells around
}

// noPool is the prior of a cell with no cells around it.
var noPool = Pooled{Mean: jeffreys.mean(), Strength: jeffreys.strength(), From: "none"}

func (p Pooled) prior() beta {
	if p.Strength <= 0 {
		return jeffreys
	}
	return beta{p.Mean * p.Strength, (1 - p.Mean) * p.Strength}
}

// atMost is the prior with no more strength than n: a cell's own counts are at
// least half of what is believed of it, however alike the cells around are.
func (p Pooled) atMost(n float64) beta {
	p.Strength = min(p.Strength, max(n, jeffreys.strength()))
	return p.prior()
}

// strengths are those that the estimate chooses among, evenly spaced in their
// logarithm: from less than one incident to more than any cell has.
var strengths = func() []float64 {
	var out []float64
	for s := 0.5; s < 2000; s *= 1.4 {
		out = append(out, s)
	}
	return out
}()

// minAround is the least number of cells that a prior is made from, the one that
// it is for among them: the two others tell how much cells differ, if badly.
const minAround = 3

// fitPool estimates the Beta prior of a hazard from the counts of several
// cells, by empirical Bayes (Robbins 1956; for the beta-binomial, Griffiths
// 1973). For each strength s the mean is the one that weighs each cell by
// n·s/(n+s), its information under that strength (Kleinman 1973). The strengths
// are weighed by their marginal likelihood and the uniform shrinkage prior
// m/(m+s)² (Daniels 1999), m the typical cell's n, which keeps cells that agree
// by chance from making an infinitely strong belief. The prior is the Beta with
// the mean and the variance of that mixture, the error of the mean included:
// with the likeliest strength alone the bounds would be too narrow (Laird and
// Louis 1987).
func fitPool(around []tally) (Pooled, bool) {
	var sizes []float64
	for _, t := range around {
		if t.n > 0 {
			sizes = append(sizes, float64(t.n))
		}
	}
	if len(sizes) < minAround {
		return noPool, false
	}
	slices.Sort(sizes)
	typical := sizes[len(sizes)/2]
	best, total, mean, square := math.Inf(-1), 0.0, 0.0, 0.0
	for _, s := range strengths {
		m, information := meanUnder(around, s)
		l := marginal(around, beta{m * s, (1 - m) * s}) + math.Log(s*typical) - 2*math.Log(typical+s) // in log s
		if l > best {                                                                                 // keep the sums in range
			scale := math.Exp(best - l)
			total, mean, square = total*scale, mean*scale, square*scale
			best = l
		}
		w := math.Exp(l - best)
		total += w
		mean += w * m
		square += w * (m*m + m*(1-m)*(1/(1+s)+1/(1+information)))
	}
	mean, square = mean/total, square/total
	strength := max(jeffreys.strength(), mean*(1-mean)/(square-mean*mean)-1)
	return Pooled{Mean: mean, Strength: strength, From: "category"}, true
}

// meanUnder is the mean of a Beta of strength s, pulled a half win and a half
// loss towards the middle so that it is never 0 or 1, and the information it
// rests on.
func meanUnder(around []tally, s float64) (mean, information float64) {
	won, n := jeffreys.a, jeffreys.strength()
	for _, t := range around {
		if t.n > 0 {
			w := s / (float64(t.n) + s)
			won += w * float64(t.won)
			n += w * float64(t.n)
		}
	}
	return won / n, n
}

// marginal is the logarithm of the beta-binomial likelihood, but for constants.
func marginal(around []tally, d beta) float64 {
	sum, base := 0.0, lnBeta(d.a, d.b)
	for _, t := range around {
		if t.n > 0 {
			p := d.after(t.won, t.n)
			sum += lnBeta(p.a, p.b) - base
		}
	}
	return sum
}

// within narrows the prior of a category to the cells of the same agent: their
// mean is shrunk to the category's, with the category's strength at both steps.
// That counts the spread between cells twice, which makes the prior weaker than
// it could be, never stronger.
func (p Pooled) within(agent []tally) Pooled {
	won, n, seen := p.Mean*p.Strength, p.Strength, 0
	for _, t := range agent {
		if t.n > 0 {
			w := p.Strength / (float64(t.n) + p.Strength)
			won += w * float64(t.won)
			n += w * float64(t.n)
			seen++
		}
	}
	if seen == 0 {
		return p
	}
	return Pooled{Mean: won / n, Strength: p.Strength, From: "agent"}
}

// pools returns the prior of every cell's hazards, by retry: from operation to
// agent × category to category.
func pools(cells []Cell, counts [][]tally) [][]Pooled {
	out := make([][]Pooled, len(cells))
	members := map[string][]int{} // by category
	for i, c := range cells {
		out[i] = make([]Pooled, len(counts[i])+1) // one beyond: the next retry's
		members[c.Scope.Category] = append(members[c.Scope.Category], i)
	}
	for _, of := range members {
		deepest := 0
		for _, i := range of {
			deepest = max(deepest, len(out[i]))
		}
		for k := range deepest {
			poolRetry(cells, counts, of, k, out)
		}
	}
	return out
}

// poolRetry fits one prior to all cells of a category, the cell itself among
// them: one that is unlike the others must widen the spread that is found, or
// it would be pulled to them against all evidence.
func poolRetry(cells []Cell, counts [][]tally, of []int, k int, out [][]Pooled) {
	var all []tally
	byAgent := map[string][]int{}
	at := func(i int) tally {
		if k < len(counts[i]) {
			return counts[i][k]
		}
		return tally{}
	}
	for _, i := range of {
		all = append(all, at(i))
		byAgent[cells[i].Scope.Agent] = append(byAgent[cells[i].Scope.Agent], i)
	}
	shared, ok := fitPool(all)
	for _, i := range of {
		if k >= len(out[i]) {
			continue
		}
		if !ok {
			out[i][k] = noPool
			continue
		}
		var others []tally
		for _, j := range byAgent[cells[i].Scope.Agent] {
			if j != i {
				others = append(others, at(j))
			}
		}
		out[i][k] = shared.within(others)
	}
}
