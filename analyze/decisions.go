package analyze

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"hansei/queries"
)

// An Outcome is what became of a suggestion that someone decided on: what it
// predicted, and what the incidents show that opened under it.
type Outcome struct {
	ID       string    `json:"id"`
	Scope    Scope     `json:"scope"`
	Knob     string    `json:"knob"`
	Value    *int64    `json:"value"` // that was suggested
	Decision string    `json:"decision"`
	Who      string    `json:"who"`
	Reason   string    `json:"reason"`
	Made     time.Time `json:"made"`
	// Of the incidents that were retried, the share that a retry resolved.
	Predicted *float64   `json:"predicted"` // nil: the knob predicts no share
	Observed  *float64   `json:"observed"`  // nil: none opened under it
	N         int        `json:"n"`         // observed
	Interval  [2]float64 `json:"interval"`  // of observed minus predicted, at 95 %
	Verdict   string     `json:"verdict"`   // "kept", "better than predicted", "worse than predicted: roll back?", "too early", "dismissed"
}

// The verdicts on a decision.
const (
	Kept      = "kept"
	Better    = "better than predicted"
	RollBack  = "worse than predicted: roll back?"
	TooEarly  = "too early"
	Dismissed = "dismissed"
)

// outcomes scores the decisions against the incidents that opened after them.
func outcomes(decisions []queries.Decision, all []Cell) ([]Outcome, error) {
	out := []Outcome{}
	for _, d := range decisions {
		var s Suggestion
		if err := json.Unmarshal([]byte(d.Body), &s); err != nil {
			return nil, fmt.Errorf("decision on %s: %w", d.ID, err)
		}
		o := Outcome{ID: d.ID, Scope: s.Scope, Knob: s.Knob, Value: s.Suggested, Decision: d.Decision, Who: d.Who, Reason: d.Reason, Made: d.Made, Verdict: TooEarly}
		if d.Decision == Dismissed {
			o.Verdict = Dismissed
		} else if s.Knob == maxRetries.Knob && s.Suggested != nil {
			o.score(&s, all)
		}
		out = append(out, o)
	}
	return out, nil
}

// score compares what a cap promised with what came.
func (o *Outcome) score(s *Suggestion, all []Cell) {
	cap := int(*s.Suggested)
	lost, trials := 1.0, 0
	for k := range cap {
		if k < len(s.Evidence) {
			lost *= 1 - s.Evidence[k].Hazard
			trials = max(trials, s.Evidence[k].AtRisk)
		} else if k > 0 && k == len(s.Evidence) {
			lost *= 1 - s.Evidence[k-1].Low // beyond all that was tried
		}
	}
	predicted := 1 - lost
	o.Predicted = &predicted
	seen := tally{}
	for _, c := range all {
		if c.Scope != s.Scope {
			continue
		}
		for _, chain := range calm(sighted(c.Chains)) {
			if chain.Opened.Before(o.Made) || chain.Retries == 0 || chain.Cap >= 0 && chain.Cap != cap {
				continue
			}
			seen.n++
			if chain.Won {
				seen.won++
			}
		}
	}
	if o.N = seen.n; seen.n == 0 {
		return
	}
	observed := float64(seen.won) / float64(seen.n)
	o.Observed = &observed
	o.Interval = difference(tally{int(math.Round(predicted * float64(trials))), trials}, seen)
	switch {
	case seen.n < minIncidents:
	case o.Interval[1] < 0:
		o.Verdict = RollBack
	case o.Interval[0] > 0:
		o.Verdict = Better
	default:
		o.Verdict = Kept
	}
}

// difference returns the 95 % interval of the proportion of b minus that of a,
// from the Wilson bounds of both (Newcombe 1998, "Interval estimation for the
// difference between independent proportions", method 10).
func difference(a, b tally) [2]float64 {
	if a.n == 0 || b.n == 0 {
		return [2]float64{-1, 1}
	}
	p, q := float64(a.won)/float64(a.n), float64(b.won)/float64(b.n)
	pLow, pHigh := wilson(a.won, a.n)
	qLow, qHigh := wilson(b.won, b.n)
	return [2]float64{q - p - math.Hypot(q-qLow, pHigh-p), q - p + math.Hypot(qHigh-q, p-pLow)}
}

// Decide keeps what someone decided of a suggestion, and the changes of
// policies that follow from it, in one transaction.
func (s *Store) Decide(ctx context.Context, decisions []queries.Decision, changes []queries.PolicyChange) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, d := range decisions {
			if err := queries.AddDecision(ctx, tx, d); err != nil {
				return fmt.Errorf("store %s: keep the decision on %s: %w", s.path, d.ID, err)
			}
		}
		for _, c := range changes {
			if err := queries.AddPolicy(ctx, tx, c); err != nil {
				return fmt.Errorf("store %s: keep the policy of %s: %w", s.path, c.Suggestion, err)
			}
		}
		return nil
	})
}
