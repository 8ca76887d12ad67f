package analyze

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"hansei/queries"
)

// An Outcome is what became of a suggestion that someone decided on: what it
// predicted, and what the incidents show that opened under it.
type Outcome struct {
	ID       string    `json:"id"`
	Scope    Scope     `json:"scope"`
	Knob     string    `json:"knob"`
	Current  *int64    `json:"current"` // in force when it was suggested
	Value    *int64    `json:"value"`   // that was suggested
	Values   []float64 `json:"values,omitempty"`
	Decision string    `json:"decision"`
	Who      string    `json:"who"`
	Reason   string    `json:"reason"`
	Made     time.Time `json:"made"`
	// The share that the knob's prediction is about, see [Prediction].
	Predicted *float64   `json:"predicted"` // nil: it predicts none
	Observed  *float64   `json:"observed"`  // nil: none opened under it
	N         int        `json:"n"`         // observed
	Interval  [2]float64 `json:"interval"`  // of observed minus predicted, at 95 %
	Verdict   string     `json:"verdict"`
	// Added is what the retries achieved that a higher limit allowed: whether they
	// pay, and not how the month went, says whether it was right.
	Added *Evidence  `json:"added,omitempty"`
	Due   *time.Time `json:"due,omitempty"` // of one that nobody decided on
	Back  *TakenBack `json:"taken_back,omitempty"`
	// WouldHave is what following an expired suggestion would have changed in the
	// incidents since: only of a stricter limit, where that is exact.
	WouldHave *Effect `json:"would_have,omitempty"`
}

// The verdicts on a decision.
const (
	Kept       = "kept"
	Better     = "better than predicted"
	RollBack   = "worse than predicted: roll back?"
	Fell       = "worse than predicted, not by this change"
	Unseen     = "not to be seen" // nobody retries any more
	TooEarly   = "too early"
	Dismissed  = "dismissed" // a decision too, as the next two
	Accepted   = "accepted"
	Applied    = "applied"
	NotInForce = "accepted, not in force yet" // incidents still carry another value
	Lapsed     = "expired"                    // not in force when it was due, or nobody had decided
	Undecided  = "undecided"                  // a decision, of what is expired
	RolledBack = "rolled back"                // before enough incidents came under it
)

// A Prediction is a share that a suggestion says will be seen once it is in
// force. Of max_retries, delays and stop_after it is how many of the incidents
// that are retried a retry resolves; of timeout, how many calls pass; of score_bar, how many of
// the iterations that are still made reach the bar; of call_depth, how many turns
// end by themselves; of retry_budget, how many retries pass.
type Prediction struct {
	Share float64 `json:"share"`
	// Low and High are the 95 % bounds of the share in the long run: Wilson's
	// (1927), and of delays what the record leaves open.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"` // incidents, iterations or calls that it rests on
	// Next are the 95 % bounds of the share that another span of as many shows,
	// which has its own chance too.
	Next [2]float64 `json:"next_span,omitzero"`
}

// predict returns the prediction that of n tried won do.
func predict(won, n int) *Prediction {
	if n == 0 {
		return nil
	}
	return expect(float64(won)/float64(n), n).ofSpan(n)
}

// ofSpan fills in what a span of n shows (Newcombe 1998, as in missedBy).
func (p *Prediction) ofSpan(n int) *Prediction {
	low, high := wilson(int(math.Round(p.Share*float64(n))), n)
	p.Next = [2]float64{
		max(0, p.Share-math.Hypot(p.Share-p.Low, p.Share-low)),
		min(1, p.Share+math.Hypot(p.High-p.Share, high-p.Share)),
	}
	return p
}

// expect returns the prediction of a share that rests on n.
func expect(share float64, n int) *Prediction {
	p := &Prediction{Share: share, N: n}
	p.Low, p.High = p.bounds()
	return p
}

// bounds returns the 95 % bounds; those of predictions that were kept before they
// had any are Wilson's.
func (p *Prediction) bounds() (low, high float64) {
	if p.Low < p.High {
		return p.Low, p.High
	}
	return wilson(int(math.Round(p.Share*float64(p.N))), p.N)
}

// predictMore returns the prediction that of those seen so many more do, which is
// a guess: its bounds are those of the guess, too.
func predictMore(seen tally, promised float64, more chance) *Prediction {
	if seen.n == 0 {
		return nil
	}
	share := func(more float64) float64 { return min(1, (float64(seen.won)+more)/float64(seen.n)) }
	p := expect(share(promised), seen.n)
	p.Low, p.High = expect(share(more.least), seen.n).Low, expect(share(more.most), seen.n).High
	return p.ofSpan(seen.n)
}

// A decided is a decision with the suggestion that it is about.
type decided struct {
	queries.Decision
	suggestion Suggestion
	back       *TakenBack // nil: it was not
}

// parseDecisions reads the suggestions of decisions, which come by time.
func parseDecisions(decisions []queries.Decision) ([]decided, error) {
	var out []decided
	for _, d := range decisions {
		next := decided{Decision: d}
		if err := json.Unmarshal([]byte(d.Body), &next.suggestion); err != nil {
			return nil, fmt.Errorf("decision on %s: %w", d.ID, err)
		}
		out = append(out, next)
	}
	return out, nil
}

// outcomes scores the decisions against the incidents of span that opened after
// them, where a resolution is worth so many seconds.
func outcomes(decisions []decided, all []Cell, span queries.Span, worth float64) []Outcome {
	out := []Outcome{}
	for _, d := range decisions {
		s := &d.suggestion
		o := Outcome{ID: d.ID, Scope: s.Scope, Knob: s.Knob, Current: s.Current, Value: s.Suggested, Values: s.Values, Decision: d.Decision.Decision, Who: d.Who, Reason: d.Reason, Made: d.Made, Verdict: TooEarly, Back: d.back}
		if o.Decision == Dismissed {
			o.Verdict = Dismissed
		} else if at := slices.IndexFunc(Tuners, func(t Tuner) bool { return t.Knob == s.Knob }); at >= 0 && s.Suggested != nil {
			o.score(s, Tuners[at].Observe, all, scored{span, worth})
		}
		if o.Back != nil && (o.N < minIncidents || o.Observed == nil) {
			o.Verdict = RolledBack
		}
		out = append(out, o)
	}
	return out
}

// A scored is the span whose incidents score decisions, and the seconds that a
// resolution is worth.
type scored struct {
	queries.Span
	worth float64
}

// score compares what a suggestion predicted with what came. Of how often to try the
// incidents tell nothing that were tried before the server wanted it, see haste.
func (o *Outcome) score(s *Suggestion, observe func(*Suggestion, Cell) tally, all []Cell, span scored) {
	if s.Prediction == nil || s.Knob == delaysKnob && s.Prediction.Low >= s.Prediction.High { // before it had bounds, that was of the recoveries alone
		return
	}
	o.Predicted = &s.Prediction.Share
	var seen tally
	others := 0
	var on bench
	for _, c := range all {
		if c.Scope != s.Scope {
			continue
		}
		c = c.recalled(&on)
		var opened []Chain // under it
		for _, chain := range calm(c.sighted()) {
			switch {
			case !o.under(chain.Opened):
			case s.Knob != delaysKnob && chain.early(span.worth) > 0:
			case s.Knob == maxRetries.Knob && (chain.Cap >= 0 && chain.Cap != int(*s.Suggested) || chain.Retries > int(*s.Suggested)):
				others++
			case s.Knob == stopAfterName && chain.Retries >= int(*s.Suggested):
				others++
			default:
				opened = append(opened, chain)
			}
		}
		if s.Knob == delaysKnob && !s.waited(opened, c.longestCap()) || s.Knob == stopAfterName && 10*others > len(opened)+others { // a few go on before all agents know
			others += len(opened)
			continue
		}
		o.Added = s.added(opened)
		since := c.of(opened)
		if span.From.Before(o.Made) || o.Back != nil && span.To.After(o.Back.Made) {
			since.Durations, since.Depths = nil, nil // nobody knows which came after
		}
		since.Traffic = o.trafficUnder(c.Traffic)
		got := observe(s, since)
		seen.won += got.won
		seen.n += got.n
	}
	if o.N = seen.n; seen.n == 0 {
		if others > 0 {
			o.Verdict = NotInForce
		}
		if o.Decision == Accepted && !s.Due.IsZero() && !span.To.Before(s.Due) {
			o.Verdict = Lapsed
		}
		return
	}
	observed := float64(seen.won) / float64(seen.n)
	o.Observed = &observed
	o.Interval = s.Prediction.missedBy(seen)
	o.Verdict = o.verdict(s, seen)
}

// missedBy returns the 95 % interval of the proportion of seen minus the
// predicted share, from the bounds of both (Newcombe 1998, "Interval estimation
// for the difference between independent proportions", method 10).
func (p *Prediction) missedBy(seen tally) [2]float64 {
	if seen.n == 0 {
		return [2]float64{-1, 1}
	}
	off := float64(seen.won)/float64(seen.n) - p.Share
	pLow, pHigh := p.bounds()
	qLow, qHigh := wilson(seen.won, seen.n)
	q := off + p.Share
	return [2]float64{off - math.Hypot(q-qLow, pHigh-p.Share), off + math.Hypot(qHigh-q, p.Share-pLow)}
}

// difference returns the 95 % interval of the proportion of b minus that of a.
func difference(a, b tally) [2]float64 {
	if a.n == 0 {
		return [2]float64{-1, 1}
	}
	return predict(a.won, a.n).missedBy(b)
}

// wrong counts, by knob, the predictions about a cell that turned out worse. What
// comes out better than predicted is no reason to trust the counts less.
func wrong(of []Outcome, cell Scope) map[string]int {
	var out map[string]int
	for _, o := range of {
		if o.Scope == cell && o.Verdict == RollBack {
			if out == nil {
				out = map[string]int{}
			}
			out[o.Knob]++
		}
	}
	return out
}
