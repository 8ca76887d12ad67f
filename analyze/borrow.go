package analyze

import (
	"cmp"
	"fmt"
	"slices"
)

// A kin is what other cells show of the first retry to one that never retries, and
// so has nothing of its own to go by.
type kin struct {
	from  string // "operation": the same one of other agents; "agent", "category"
	cells int
	seen  tally
	pool  Pooled // what one more such cell may show
	price Price  // of the retry, on average

	largest []int // of the cells, which tell the price
}

// lendFirst gives the cells whose limit is 0, and that never retried, what others
// show of the first retry: those of the same operation, else of the same agent, else
// of the category, from as many cells as a pool is made from.
func lendFirst(all []Cell, counts [][]tally, worth float64) {
	members := map[string][]int{} // that retried, by category
	prices := map[int]*step{}
	for i, of := range counts {
		if len(of) > 0 && of[0].n >= minOwn {
			members[all[i].Scope.Category] = append(members[all[i].Scope.Category], i)
		}
	}
	known := map[string]*kin{}
	for i := range all {
		c := &all[i]
		if c.kin = nil; len(counts[i]) > 0 || c.Scope.Category == "" || c.cap() != 0 {
			continue
		}
		for _, near := range []struct {
			from, name string
			like       func(s Scope) bool
		}{
			{"operation", c.Scope.Operation, func(s Scope) bool { return s.Operation == c.Scope.Operation }},
			{"agent", c.Scope.Agent, func(s Scope) bool { return s.Agent == c.Scope.Agent }},
			{"category", "", func(Scope) bool { return true }},
		} {
			key := fmt.Sprintf("%q %q %q", c.Scope.Category, near.from, near.name)
			k, ok := known[key]
			if !ok {
				of := slices.DeleteFunc(slices.Clone(members[c.Scope.Category]), func(j int) bool { return !near.like(all[j].Scope) })
				k = kinOf(counts, of, near.from)
				known[key] = k
			}
			if k != nil {
				k.price = k.firstPrice(all, prices, worth)
				c.kin = k
				break
			}
		}
	}
}

// kinOf takes cells together; nil: they are too few to tell how cells differ.
func kinOf(counts [][]tally, of []int, from string) *kin {
	k := &kin{from: from, cells: len(of)}
	var first []tally
	for _, j := range of {
		t := counts[j][0]
		first = append(first, t)
		k.seen.n, k.seen.won = k.seen.n+t.n, k.seen.won+t.won
	}
	var ok bool
	if k.pool, ok = fitPool(first); !ok {
		return nil
	}
	k.largest = slices.SortedStableFunc(slices.Values(of), func(i, j int) int { return cmp.Compare(counts[j][0].n, counts[i][0].n) })
	k.largest = k.largest[:min(priced, len(k.largest))]
	return k
}

// priced is of how many cells the price of a retry is taken: of the largest, since
// to lay out the incidents of all of a category would take as long as to tune them.
const priced = 8

// firstPrice is what the first retry costs on average; known are those that were
// looked at before.
func (k *kin) firstPrice(all []Cell, known map[int]*step, worth float64) (p Price) {
	total := 0.0
	for _, j := range k.largest {
		first, ok := known[j]
		if !ok {
			c := all[j].recalled(new(bench))
			if steps := hazards(unhurried(calm(c.sighted()), worth), TuneOptions{}); len(steps) > 0 {
				first = &steps[0]
			}
			known[j] = first
		}
		if first != nil {
			n := float64(first.AtRisk)
			p, total = p.plus(first.mean(), n), total+n
		}
	}
	return Price{}.plus(p, 1/max(1, total))
}

// borrow proposes one retry to a cell whose limit is 0, where others resolve so many
// by it that one more such cell would too, by the lower bound. False: nobody tells
// that it should.
func (s *Suggestion) borrow(c *Cell, chains []Chain, o TuneOptions) bool {
	k := c.kin
	if k == nil {
		return false
	}
	d := k.pool.prior()
	low, high := d.bounds()
	price := k.price.in(o)
	pays := price / o.Worth.Seconds()
	if d.mean() <= pays {
		return false // it is right not to retry, as far as they tell
	}
	p := d.below(pays)
	if past, ok := c.past(1); ok {
		p = max(p, past.below(pays))
	}
	s.P = &p
	s.tellKin(k, low, high, price)
	if p > falseDiscoveries {
		s.Needed = minIncidents
		s.Reason.EN += " That does not tell whether a retry would pay here. Try it with a few."
		s.Reason.JA += "ここでもリトライが割に合うかどうかは分かりません。少数で試してみてください。"
		return true
	}
	n := max(1, int(d.strength()))
	first := step{Evidence: Evidence{Retry: 1, AtRisk: n, Won: int(d.mean() * float64(n)), Hazard: low, Low: low, High: high}, price: price, seconds: k.price.Seconds, tokens: k.price.Tokens, usd: k.price.USD}
	s.Verdict, s.Suggested, s.Extrapolated = Raise, number(1), true
	s.Effect = replay(chains, 0, 1, []step{first})
	s.Prediction = &Prediction{Share: d.mean(), Low: low, High: high, N: n}
	s.Reason.EN += " Try 1 retry for a month and look again; the effect is reckoned with the lower bound."
	s.Reason.JA += "まず1か月、1回のリトライを試して確認してください（効果は下限で計算しています）。"
	return true
}

// unlike is how wide what one more cell may show can be before it tells nothing
// that its reader did not know: four fifths of all shares that there are.
const unlike = 0.8

// tellKin tells what others show.
func (s *Suggestion) tellKin(k *kin, low, high, price float64) {
	others := map[string]Text{
		"operation": {fmt.Sprintf("%d other agents", k.cells), fmt.Sprintf("同じ操作を使う他の%dエージェント", k.cells)},
		"agent":     {fmt.Sprintf("%d other operations of the agent", k.cells), fmt.Sprintf("同じエージェントの他の%d操作", k.cells)},
		"category":  {fmt.Sprintf("%d other agents and operations", k.cells), fmt.Sprintf("他の%dのエージェントや操作", k.cells)},
	}[k.from]
	with := map[string]string{"operation": "with the same operation ", "agent": "", "category": ""}[k.from]
	here := Text{
		EN: fmt.Sprintf("here it would likely be %s to %s.", percent(low), percent(high)),
		JA: fmt.Sprintf("ここでは%s〜%s程度と見込まれます。", percent(low), percent(high)),
	}
	if high-low > unlike {
		here = Text{EN: "they differ too much to tell how it would be here.", JA: "ただし、ばらつきが大きく、ここでどうなるかは分かりません。"}
	}
	s.Reason = Text{
		EN: fmt.Sprintf("Nothing is retried here. In this category %s %sresolved %d of %d by the first retry, which takes %s; ", others.EN, with, k.seen.won, k.seen.n, seconds(price)) + here.EN,
		JA: fmt.Sprintf("ここではリトライしていません。同カテゴリの%sでは、1回目のリトライ（1回%s）で%d件中%d件が解決しています。", others.JA, secondsJA(price), k.seen.n, k.seen.won) + here.JA,
	}
}
