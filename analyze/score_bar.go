package analyze

import (
	"fmt"
	"math"
	"slices"
)

// scoreBar tells from which score on another iteration of a quality gate pays:
// the chance to reach the bar in the end, by how far the score falls short of it,
// against what all iterations from there on take. The bar itself is a matter of
// taste and stays as it is.
var scoreBar = Tuner{Knob: scoreBarName, Suggest: suggestScoreBar, Observe: observeIterations}

const scoreBarName = "score_bar"

// shortfalls are the upper ends of the bands of points below the bar: a
// review's scores come in steps of a few points.
var shortfalls = []float64{5, 10, 15, 20, 30, math.Inf(1)}

// Shortfall is the upper end, in points below the bar, of a band of the evidence
// for a score, which stands as its retry; infinite for the last and any other.
func Shortfall(band int) float64 {
	if band < 1 || band > len(shortfalls) {
		return math.Inf(1)
	}
	return shortfalls[band-1]
}

func suggestScoreBar(c Cell, o TuneOptions) (Suggestion, bool) {
	bands, bar, n := c.shortfalls()
	s := Suggestion{Verdict: TooLittleData, N: n, Evidence: []Evidence{}}
	if n == 0 {
		return s, false
	}
	s.Current = number(int(math.Round(bar)))
	tried, most := 0, 0
	for i, e := range bands {
		tried += e.AtRisk
		if e.AtRisk > bands[most].AtRisk {
			most = i
		}
	}
	lent := c.Lent[scoreBarName]
	if s.Needed = enough(tried, lent, most); s.Needed > 0 {
		s.Reason = tooLittle(tried, s.Needed)
		return s, tried > 0
	}
	steps := hazards(c.chains(), o)
	floor := s.hopelessBand(bands, lent, o)
	first := s.Evidence[0]
	s.lean(lent, first.Retry-1)
	s.Verdict, s.Suggested = Keep, s.Current
	s.Reason = Text{
		EN: fmt.Sprintf("From up to %.0f points below the bar of %.0f points, %d of %d that were iterated again reached it in the end. From every score seen, going on may be worth what it takes.", shortfalls[first.Retry-1], bar, first.Won, first.AtRisk),
		JA: fmt.Sprintf("合格点%.0f点まであと%.0f点以内から再反復した%d件のうち、%d件が最終的に合格。どの点数からでも、続ける価値がないとは言えません。", bar, shortfalls[first.Retry-1], first.AtRisk, first.Won),
	}
	if !math.IsInf(floor, 1) {
		s.Verdict = Lower
		s.Values = []float64{bar - floor} // the score below which to stop
		s.Effect = stopBelow(ofOneBar(c.chains()), floor, steps)
		seen := iterations(bands, floor)
		s.Prediction = predict(seen.won, seen.n)
		s.Reason.EN = fmt.Sprintf("More than %.0f points below the bar of %.0f points, iterating on leads to it too seldom for what it takes: below %.0f points, ask a person instead of trying again. The bar itself stays, and no policy file has a threshold for this: tell it to the agent.", floor, bar, bar-floor)
		s.Reason.JA = fmt.Sprintf("合格点%.0f点を%.0f点より大きく下回る場合、反復を重ねて最終的に届く割合は、かかる時間に見合いません。%.0f点未満なら再試行せず人に確認します。合格点そのものは変わりません。ポリシーファイルにはこの項目がないため、エージェント側で設定してください。", bar, floor, bar-floor)
	}
	return s, true
}

// hopelessBand fills in the bands that were seen, and returns the shortfall
// beyond which going on does not pay, with 97.5 % confidence; infinite: none.
func (s *Suggestion) hopelessBand(bands []band, lent []Pooled, o TuneOptions) (floor float64) {
	floor = math.Inf(1)
	pays, least := 0.0, 1.0
	for i := range bands {
		e := &bands[i].Evidence
		if e.AtRisk == 0 {
			continue
		}
		e.finish(lent, i)
		e.Pays = bands[i].price.in(o) / float64(e.AtRisk) / o.Worth.Seconds()
		s.Evidence = append(s.Evidence, *e)
		p := 1 - e.posterior(lent, i).below(e.Pays)
		least = min(least, p)
		if p <= falseDiscoveries/2 && math.IsInf(floor, 1) {
			floor = pays
		}
		pays = shortfalls[i]
	}
	least = min(1, least*float64(len(s.Evidence))) // the best of so many was chosen (Bonferroni)
	s.P = &least
	return floor
}

// stopBelow replays the incidents under the advice to stop where a score falls
// short of the bar by more than floor: exactly, as it is stricter.
func stopBelow(chains []Chain, floor float64, steps []step) Effect {
	var b balance
	for i := range chains {
		c := &chains[i]
		at := c.Retries
		for k, score := range c.Scores[:min(len(c.Scores), c.Retries)] {
			if c.Bar > 0 && c.Bar-score > floor {
				at = k
				break
			}
		}
		b.cut(c, at, steps)
	}
	return b.effect()
}

// observeIterations counts the iterations that were made from no further below
// the bar than suggested, and those of them that reached it.
func observeIterations(s *Suggestion, c Cell) tally {
	if len(s.Values) == 0 {
		return tally{}
	}
	bands, bar, _ := c.shortfalls()
	return iterations(bands, bar-s.Values[0])
}

// iterations adds up the bands up to so many points below the bar.
func iterations(bands []band, floor float64) (seen tally) {
	for i, e := range bands {
		if shortfalls[i] <= floor {
			seen.won += e.Won
			seen.n += e.AtRisk
		}
	}
	return seen
}

// A band is what became of the incidents that fell short of the bar by so much
// and were iterated again, each counted once: how many reached it in the end.
type band struct {
	Evidence
	price Price // of all iterations from there on
}

// ofOneBar are the incidents of the bar that most had: a score to stop below means
// something else under another one.
func ofOneBar(chains []Chain) []Chain {
	times := map[float64]int{}
	most := 0.0
	for i := range chains {
		bar := chains[i].Bar
		if times[bar]++; bar > 0 && (most == 0 || times[bar] > times[most] || times[bar] == times[most] && bar > most) {
			most = bar
		}
	}
	if times[0]+times[most] == len(chains) { // mostly: nothing is copied
		return chains
	}
	return slices.DeleteFunc(slices.Clone(chains), func(c Chain) bool { return c.Bar != most })
}

// shortfalls counts by band of points below the bar; n is how many incidents have
// scores.
func (c *Cell) shortfalls() (bands []band, bar float64, n int) {
	if !c.count().scored {
		return nil, 0, 0
	}
	chains := ofOneBar(c.chains())
	bands = make([]band, len(shortfalls))
	for i := range bands {
		bands[i].Retry = i + 1
	}
	for i := range chains {
		c := &chains[i]
		if len(c.Scores) == 0 || c.Bar <= 0 {
			continue
		}
		n++
		bar = max(bar, c.Bar)
		counted := 0 // a bit for each band
		for k, score := range c.Scores {
			if k >= c.Retries { // no further iteration was made
				break
			}
			at := slices.IndexFunc(shortfalls, func(end float64) bool { return c.Bar-score <= end })
			if counted&(1<<at) != 0 {
				continue
			}
			counted |= 1 << at
			of := &bands[at]
			of.AtRisk++
			if c.Won {
				of.Won++
			}
			for _, cost := range c.Cost[k:] {
				if !cost.Known {
					cost = Price{Seconds: defaultPrice}
				}
				of.price = of.price.plus(cost, 1)
			}
		}
	}
	return bands, bar, n
}
