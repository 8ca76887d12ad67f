package analyze

import (
	"cmp"
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

// strengths are those that the estimate chooses among, evenly spaced in their
// logarithm: from less than one incident to more than any cell has.
var strengths = func() []float64 {
	var out []float64
	for s := 0.5; s < 2000; s *= 1.4 {
		out = append(out, s)
	}
	return out
}()

// minAround is the least number of other cells that a prior is made from: two
// tell how much cells differ, if badly.
const minAround = 2

// fitPool estimates the Beta prior of a hazard from the counts of several
// cells, by empirical Bayes (Robbins 1956; for the beta-binomial, Griffiths
// 1973). For each strength s the mean is the one that weighs each cell by
// n·s/(n+s), its information under that strength (Kleinman 1973); s is the
// mean of its logarithm under the marginal likelihood and the uniform shrinkage
// prior m/(m+s)² (Daniels 1999), m the typical cell's n. That prior keeps two
// cells that agree by chance from making an infinitely strong belief.
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
	best, total, meanLog, mean := math.Inf(-1), 0.0, 0.0, 0.0
	for _, s := range strengths {
		m := meanUnder(around, s)
		l := marginal(around, beta{m * s, (1 - m) * s}) + math.Log(s*typical) - 2*math.Log(typical+s) // in log s
		if l > best {                                                                                 // keep the sums in range
			scale := math.Exp(best - l)
			total, meanLog, mean = total*scale, meanLog*scale, mean*scale
			best = l
		}
		w := math.Exp(l - best)
		total += w
		meanLog += w * math.Log(s)
		mean += w * m
	}
	return Pooled{Mean: mean / total, Strength: math.Exp(meanLog / total)}, true
}

// meanUnder is the mean of a Beta of strength s, pulled a half win and a half
// loss towards the middle so that it is never 0 or 1.
func meanUnder(around []tally, s float64) float64 {
	won, n := jeffreys.a, jeffreys.strength()
	for _, t := range around {
		if t.n > 0 {
			w := s / (float64(t.n) + s)
			won += w * float64(t.won)
			n += w * float64(t.n)
		}
	}
	return won / n
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

// maxFits bounds the cells of a category that each get a prior without their
// own counts. Beyond, a cell's own share in the prior is under 4 %, and one
// prior serves all.
const maxFits = 30

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

func poolRetry(cells []Cell, counts [][]tally, of []int, k int, out [][]Pooled) {
	at := func(i int) tally {
		if k < len(counts[i]) {
			return counts[i][k]
		}
		return tally{}
	}
	gather := func(except int, agent string) (around []tally) {
		for _, i := range of {
			if i != except && (agent == "" || cells[i].Scope.Agent == agent) {
				around = append(around, at(i))
			}
		}
		return around
	}
	var shared Pooled
	var known bool
	if len(of) > maxFits {
		shared, known = fitPool(gather(-1, ""))
	}
	for _, i := range of {
		if k >= len(out[i]) {
			continue
		}
		p, ok := shared, known
		if len(of) <= maxFits {
			p, ok = fitPool(gather(i, ""))
		}
		if ok {
			p.From = "category"
			p = p.within(gather(i, cmp.Or(cells[i].Scope.Agent, "-")))
		}
		out[i][k] = p
	}
}
