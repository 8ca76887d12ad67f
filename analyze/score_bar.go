package analyze

import (
	"fmt"
	"math"
)

// scoreBar tells from which score on another iteration of a quality gate pays:
// the chance to reach the bar with the next iteration, by how far the score
// falls short of it. The bar itself is a matter of taste and stays as it is.
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
	bands, bar, n := shortfallsOf(c.chains())
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
	price := defaultPrice
	if steps := hazards(c.chains(), o); len(steps) > 0 {
		all := pool(steps)
		price = all.price
	}
	floor := math.Inf(1) // shortfall beyond which an iteration does not pay
	pays := 0.0
	for i := range bands {
		e := &bands[i]
		if e.AtRisk == 0 {
			continue
		}
		e.finish(lent, i)
		s.Evidence = append(s.Evidence, *e)
		if _, high := e.likely(lent, i); high*o.Worth.Seconds() < price && math.IsInf(floor, 1) {
			floor = pays
		}
		pays = shortfalls[i]
	}
	first := s.Evidence[0]
	s.lean(lent, first.Retry-1)
	s.Verdict, s.Suggested = Keep, s.Current
	s.Reason = Text{
		EN: fmt.Sprintf("From up to %.0f points below the bar of %.0f points, the next iteration reached it in %d of %d. From every score seen, another iteration is worth what it takes (%s).", shortfalls[first.Retry-1], bar, first.Won, first.AtRisk, seconds(price)),
		JA: fmt.Sprintf("合格点%.0f点まであと%.0f点以内なら、次の反復で%d件中%d件が合格。どの点数からでも、もう一度反復する価値があります（1回%s）。", bar, shortfalls[first.Retry-1], first.AtRisk, first.Won, secondsJA(price)),
	}
	if !math.IsInf(floor, 1) {
		s.Verdict = Lower
		s.Values = []float64{bar - floor} // the score below which to stop
		seen := iterations(bands, floor)
		s.Prediction = predict(seen.won, seen.n)
		s.Reason.EN = fmt.Sprintf("More than %.0f points below the bar of %.0f points, the next iteration hardly ever reaches it, at %s each: below %.0f points, ask a person instead of trying again.", floor, bar, seconds(price), bar-floor)
		s.Reason.JA = fmt.Sprintf("合格点%.0f点より%.0f点以上低い場合、次の反復で届くことはまれです（1回%s）。%.0f点未満なら再試行せず人に確認します。", bar, floor, secondsJA(price), bar-floor)
	}
	return s, true
}

// observeIterations counts the iterations that were made from no further below
// the bar than suggested, and those of them that reached it.
func observeIterations(s *Suggestion, c Cell) tally {
	if len(s.Values) == 0 {
		return tally{}
	}
	bands, bar, _ := shortfallsOf(c.chains())
	return iterations(bands, bar-s.Values[0])
}

// iterations adds up the bands up to so many points below the bar.
func iterations(bands []Evidence, floor float64) (seen tally) {
	for i, e := range bands {
		if shortfalls[i] <= floor {
			seen.won += e.Won
			seen.n += e.AtRisk
		}
	}
	return seen
}

// shortfallsOf counts, by band of points below the bar, the iterations that were
// followed by another one, and those of them that it passed.
func shortfallsOf(chains []Chain) (bands []Evidence, bar float64, n int) {
	bands = make([]Evidence, len(shortfalls))
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
		for k, score := range c.Scores {
			if k >= c.Retries { // no further iteration was made
				break
			}
			for i, end := range shortfalls {
				if c.Bar-score <= end {
					bands[i].AtRisk++
					if c.Won && c.Retries == k+1 {
						bands[i].Won++
					}
					break
				}
			}
		}
	}
	return bands, bar, n
}
