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
}

// lendFirst gives the cells whose limit is 0, and that never retried, what others
// show of the first retry: those of the same operation, else of the same agent, else
// of the category, from as many cells as a pool is made from.
func lendFirst(all []Cell, counts [][]tally) {
	members := map[string][]int{} // that retried, by category
	for i, of := range counts {
		if len(of) > 0 && of[0].n >= minOwn {
			members[all[i].Scope.Category] = append(members[all[i].Scope.Category], i)
		}
	}
	for i := range all {
		c := &all[i]
		if c.kin = nil; len(counts[i]) > 0 || c.Scope.Category == "" || c.cap() != 0 {
			continue
		}
		of := members[c.Scope.Category]
		for _, near := range []struct {
			from string
			like func(s Scope) bool
		}{
			{"operation", func(s Scope) bool { return s.Operation == c.Scope.Operation }},
			{"agent", func(s Scope) bool { return s.Agent == c.Scope.Agent }},
			{"category", func(Scope) bool { return true }},
		} {
			near := kinOf(all, counts, slices.DeleteFunc(slices.Clone(of), func(j int) bool { return !near.like(all[j].Scope) }), near.from)
			if near != nil {
				c.kin = near
				break
			}
		}
	}
}

// kinOf takes cells together; nil: they are too few to tell how cells differ.
func kinOf(all []Cell, counts [][]tally, of []int, from string) *kin {
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
	k.price = firstPrice(all, counts, of)
	return k
}

// priced is of how many cells the price of a retry is taken: of the largest, since
// to lay out the incidents of all of a category would take as long as to tune them.
const priced = 8

// firstPrice is what the first retry of cells costs on average.
func firstPrice(all []Cell, counts [][]tally, of []int) (p Price) {
	largest := slices.SortedStableFunc(slices.Values(of), func(i, j int) int { return cmp.Compare(counts[j][0].n, counts[i][0].n) })
	total := 0.0
	for _, j := range largest[:min(priced, len(largest))] {
		c := all[j].recalled(new(bench))
		if steps := hazards(calm(c.sighted()), TuneOptions{}); len(steps) > 0 {
			n := float64(steps[0].AtRisk)
			p, total = p.plus(steps[0].mean(), n), total+n
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
	first := step{Evidence: Evidence{Retry: 1, Hazard: low, Low: low, High: high}, price: price, seconds: k.price.Seconds, tokens: k.price.Tokens, usd: k.price.USD}
	s.Verdict, s.Suggested, s.Extrapolated = Raise, number(1), true
	s.Effect = replay(chains, 0, 1, []step{first})
	s.Prediction = &Prediction{Share: d.mean(), Low: low, High: high, N: max(1, int(d.strength()))}
	s.Reason.EN += " Try 1 retry for a month and look again; the effect is reckoned with the lower bound."
	s.Reason.JA += "まず1か月、1回のリトライを試して確認してください（効果は下限で計算しています）。"
	return true
}

// tellKin tells what others show.
func (s *Suggestion) tellKin(k *kin, low, high, price float64) {
	others := map[string]Text{
		"operation": {fmt.Sprintf("%d other agents", k.cells), fmt.Sprintf("同じ操作を使う他の%dエージェント", k.cells)},
		"agent":     {fmt.Sprintf("%d other operations of the agent", k.cells), fmt.Sprintf("同じエージェントの他の%d操作", k.cells)},
		"category":  {fmt.Sprintf("%d other agents and operations", k.cells), fmt.Sprintf("他の%dのエージェントや操作", k.cells)},
	}[k.from]
	with := map[string]string{"operation": "with the same operation ", "agent": "", "category": ""}[k.from]
	s.Reason = Text{
		EN: fmt.Sprintf("Nothing is retried here. In this category %s %sresolved %d of %d by the first retry, which takes %s; here it would likely be %s to %s.", others.EN, with, k.seen.won, k.seen.n, seconds(price), percent(low), percent(high)),
		JA: fmt.Sprintf("ここではリトライしていません。同カテゴリの%sでは、1回目のリトライ（1回%s）で%d件中%d件が解決しています。ここでは%s〜%s程度と見込まれます。", others.JA, secondsJA(price), k.seen.n, k.seen.won, percent(low), percent(high)),
	}
}
