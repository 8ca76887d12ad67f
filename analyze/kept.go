package analyze

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"hansei/queries"
)

// A kept is a suggestion as it was made before.
type kept struct {
	queries.Suggestion
	suggestion Suggestion
}

// parseKept reads the bodies of suggestions.
func parseKept(rows []queries.Suggestion) ([]kept, error) {
	out := make([]kept, len(rows))
	for i, r := range rows {
		out[i].Suggestion = r
		if err := json.Unmarshal([]byte(r.Body), &out[i].suggestion); err != nil {
			return nil, fmt.Errorf("suggestion %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// isChange reports whether a suggestion wants a threshold changed.
func (s *Suggestion) isChange() bool {
	return (s.Verdict == Raise || s.Verdict == Lower) && s.Suggested != nil
}

// KeepSuggestions keeps the changes that t suggests, each once: one that is made
// again from the same span has the time at which it was first made, and says
// what it says now. Nothing is written where nothing is new.
func (s *Store) KeepSuggestions(ctx context.Context, t *Tuning, made time.Time) error {
	rows, err := queries.Suggestions(ctx, s.Reader(), queries.Span{From: t.From, To: t.To})
	if err != nil {
		return fmt.Errorf("store %s: read the suggestions: %w", s.path, err)
	}
	bodies := map[string]string{}
	for _, r := range rows {
		bodies[r.ID] = r.Body
	}
	var fresh []queries.Suggestion
	for i := range t.Suggestions {
		g := &t.Suggestions[i]
		before, known := bodies[g.ID]
		if !known && !g.isChange() || g.Decided != nil {
			continue
		}
		body, err := json.Marshal(g)
		if err != nil {
			return err
		}
		if string(body) != before {
			fresh = append(fresh, queries.Suggestion{ID: g.ID, Made: made, From: t.From, To: t.To, Due: g.Due, Body: string(body)})
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, r := range fresh {
			if err := queries.KeepSuggestion(ctx, tx, r); err != nil {
				return fmt.Errorf("store %s: keep suggestion %s: %w", s.path, r.ID, err)
			}
		}
		return nil
	})
}

// sameAs reports whether two suggestions want the same of the same cell.
func (s *Suggestion) sameAs(t *Suggestion) bool {
	return s.Scope == t.Scope && s.Knob == t.Knob && s.sameChange(t)
}

// since notes from when on a change has been suggested without anybody
// deciding, where an earlier span asked for it and it was still open.
func (s *Suggestion) since(before []kept, span queries.Span) {
	if !s.isChange() || s.Decided != nil {
		return
	}
	for i := range before {
		k := &before[i]
		if !k.From.Before(span.From.AddDate(0, 0, -1)) || !k.suggestion.sameAs(s) { // within a day it is the same span in another zone
			continue
		}
		s.Since = k.From.In(span.From.Location())
		if first := k.suggestion.Since; !first.IsZero() {
			s.Since = first.In(span.From.Location())
		}
		day := s.Since.Format(time.DateOnly)
		s.Reason.EN += fmt.Sprintf(" It was first suggested for the period from %s on, and nobody has decided.", day)
		s.Reason.JA += fmt.Sprintf("%sからの期間で最初に提案しましたが、まだ決定されていません。", day)
		return
	}
}

// expired tells of the suggestions that became due in span and that nobody
// decided on, unless they are made again: then they are open still.
func expired(before []kept, decisions []decided, again []Suggestion, all []Cell, span queries.Span) (out []Outcome) {
	for i := range before {
		k, s := &before[i], &before[i].suggestion
		if !s.isChange() || !k.Due.After(span.From) || k.Due.After(span.To) || k.open(before[i+1:], decisions, again) {
			continue
		}
		o := Outcome{ID: k.ID, Scope: s.Scope, Knob: s.Knob, Current: s.Current, Value: s.Suggested, Values: s.Values, Decision: Undecided, Made: k.Made, Due: &k.Due, Verdict: Lapsed}
		if s.Prediction != nil {
			o.Predicted = &s.Prediction.Share
		}
		for _, c := range all {
			if c.Scope == s.Scope {
				o.WouldHave = s.wouldHave(c, k.To)
			}
		}
		out = append(out, o)
	}
	return out
}

// open reports whether somebody decided on a suggestion, or it was made again.
func (k *kept) open(later []kept, decisions []decided, again []Suggestion) bool {
	s := &k.suggestion
	for i := range decisions {
		if decisions[i].ID == k.ID || decisions[i].suggestion.sameAs(s) {
			return true
		}
	}
	for i := range later {
		if later[i].suggestion.sameAs(s) {
			return true
		}
	}
	for i := range again {
		if again[i].sameAs(s) {
			return true
		}
	}
	return false
}

// wouldHave replays the incidents of a cell since a time under a suggestion that
// nobody followed: nil where it is looser than what was recorded, since what
// it would have come to is then a guess.
func (s *Suggestion) wouldHave(c Cell, since time.Time) *Effect {
	limit := int(*s.Suggested)
	if s.Knob == stopAfterKnob.Knob {
		limit-- // n failures are n−1 retries
	}
	if s.Verdict != Lower || s.Knob != maxRetriesKnob && s.Knob != stopAfterKnob.Knob {
		return nil
	}
	var chains []Chain
	longest := 0
	for _, chain := range c.sighted() {
		if !chain.Opened.Before(since) {
			chains = append(chains, chain)
			longest = max(longest, chain.Retries)
		}
	}
	if longest <= limit {
		return nil
	}
	e := replay(chains, onlyStricter, limit, hazards(chains, TuneOptions{}))
	return &e
}
