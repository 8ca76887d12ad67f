package analyze

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"hansei/queries"
)

// A Conflict is the error of a decision on a suggestion that somebody else
// decided on before, which who decides now has not seen: the first one holds.
type Conflict struct{ Before queries.Decision }

// Error tells who decided what, and how to decide again.
func (c *Conflict) Error() string {
	b := &c.Before
	return fmt.Sprintf("%s was %s by %s at %s, and that holds; whoever has seen it may decide again (on the page, or with --again)",
		b.ID, b.Decision, b.Who, b.Made.UTC().Format(time.RFC3339))
}

// Decide keeps what someone decided of suggestions who knew the decisions up to
// known, and the changes of policies that follow from it, in one transaction.
// Where somebody decided later than known, nothing is kept and the error is a
// [*Conflict]; but what was not dismissed may be applied. The same decision by
// the same person for the same reason is kept once.
func (s *Store) Decide(ctx context.Context, decisions []queries.Decision, known time.Time, changes []queries.PolicyChange) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, d := range decisions {
			if err := decideOn(ctx, tx, d, known); err != nil {
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

func decideOn(ctx context.Context, db queries.DB, d queries.Decision, known time.Time) error {
	before, ok, err := queries.LatestDecision(ctx, db, d.ID)
	if err != nil {
		return err
	}
	if ok {
		unseen := before.Made.After(known)
		switch {
		case d.Decision == Applied && before.Decision != Dismissed: // a step on
		case unseen && before.Decision == d.Decision && before.Who == d.Who && before.Reason == d.Reason:
			return nil // a form that was sent twice
		case unseen:
			return &Conflict{before}
		}
		if !d.Made.After(before.Made) { // a clock that went back must not hide it
			d.Made = before.Made.Add(time.Microsecond)
		}
	}
	return queries.AddDecision(ctx, db, d)
}

// A Deciding is the latest decision on a change of the same threshold of the
// same cell to the same value.
type Deciding struct {
	ID       string    `json:"id"` // of the suggestion that was decided on
	Decision string    `json:"decision"`
	Who      string    `json:"who"`
	Reason   string    `json:"reason"`
	Made     time.Time `json:"made"`
}

// sameValue is how far two values of a threshold in seconds, calls or percent may
// differ to be one suggestion: within a quarter it is the same wait.
const sameValue = 1.25

// heed marks a change that was decided on before. One that was dismissed is
// not suggested again until its evidence has changed materially: the value
// suggested or the value in force is another one, or what a retry achieves
// differs from what it did then, with 95 % confidence.
func (s *Suggestion) heed(decisions []decided) {
	if !s.isChange() {
		return
	}
	var last *decided
	for i := range decisions { // they come by time
		if d := &decisions[i]; s.sameAs(&d.suggestion) {
			last = d
		}
	}
	if last == nil {
		return
	}
	is := &Deciding{last.ID, last.Decision.Decision, last.Who, last.Reason, last.Made}
	day := is.Made.UTC().Format(time.DateOnly)
	if last.back != nil {
		s.heedTakenBack(last, is)
		return
	}
	if is.Decision != Dismissed {
		s.Decided = is
		s.Reason.EN += fmt.Sprintf(" It was %s by %s on %s, but is not in force yet.", is.Decision, is.Who, day)
		done := "受け入れ"
		if is.Decision == Applied {
			done = "適用し"
		}
		s.Reason.JA += fmt.Sprintf("%sに%sが%sましたが、まだ反映されていません。", day, is.Who, done)
		return
	}
	if s.differs(&last.suggestion) {
		s.Reason.EN += fmt.Sprintf(" %s dismissed it on %s (%s); what the retries achieve has changed since.", is.Who, day, is.Reason)
		s.Reason.JA += fmt.Sprintf("%sに%sが却下しましたが（%s）、その後リトライの成果が変わりました。", day, is.Who, is.Reason)
		return
	}
	s.Decided = is
	from, to := Quantity(s.Knob, s.Current), Quantity(s.Knob, s.Suggested)
	s.Reason = Text{
		EN: fmt.Sprintf("%s instead of %s was dismissed by %s on %s: %s. It is suggested again once its evidence has changed.", to.EN, from.EN, is.Who, day, is.Reason),
		JA: fmt.Sprintf("%sから%sへの変更は%sに%sが却下しました：%s。根拠が変われば再び提案します。", from.JA, to.JA, day, is.Who, is.Reason),
	}
	if s.Knob == scoreBarName && len(s.Values) == 1 {
		s.Reason = Text{
			EN: fmt.Sprintf("To stop below %.0f points was dismissed by %s on %s: %s. It is suggested again once its evidence has changed.", s.Values[0], is.Who, day, is.Reason),
			JA: fmt.Sprintf("%.0f点未満で止めることは%sに%sが却下しました：%s。根拠が変われば再び提案します。", s.Values[0], day, is.Who, is.Reason),
		}
	}
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}

// sameChange reports whether two suggestions of one threshold want the same.
func (s *Suggestion) sameChange(t *Suggestion) bool {
	same := func(a, b *int64) bool {
		if a == nil || b == nil {
			return a == b
		}
		if slices.Contains([]string{delaysKnob, timeoutName, callDepthName, retryBudgetName}, s.Knob) { // not single steps
			return float64(max(*a, *b)) <= sameValue*math.Max(1, float64(min(*a, *b)))
		}
		return *a == *b
	}
	return s.Verdict == t.Verdict && same(s.Current, t.Current) && same(s.Suggested, t.Suggested)
}

// differs reports whether what any retry achieves differs from t's evidence,
// beyond what chance does in one comparison of twenty, all retries together
// (Bonferroni).
func (s *Suggestion) differs(t *Suggestion) bool {
	n := min(len(s.Evidence), len(t.Evidence))
	for k := range n {
		a, b := t.Evidence[k], s.Evidence[k]
		if a.AtRisk == 0 || b.AtRisk == 0 {
			continue
		}
		if alike(tally{a.Won, a.AtRisk}, tally{b.Won, b.AtRisk}) < falseDiscoveries/float64(n) {
			return true
		}
	}
	return false
}
