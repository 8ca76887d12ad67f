package analyze

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// A suggestion is one row however often it is made, with when it first was.
func TestSuggestionsAreKeptOnce(t *testing.T) {
	s := openStore(t, "")
	span := january()
	change := Suggestion{ID: "s-1", Knob: maxRetriesKnob, Current: number(3), Suggested: number(1), Verdict: Lower, Due: span.To.AddDate(0, 0, 31)}
	other := change
	other.Suggested = number(2)
	gone := change
	gone.Verdict, gone.Suggested = Keep, gone.Current
	no := gone
	no.Decided = &Deciding{Decision: Dismissed}
	first := span.To.Add(time.Hour)
	for i, step := range []struct {
		made   []Suggestion
		writes bool
		says   *int64 // the one row suggests; nil: no row
	}{
		{[]Suggestion{{ID: "s-0", Verdict: Keep}, {ID: "s-2", Verdict: TooLittleData}}, false, nil},
		{[]Suggestion{change}, true, number(1)},
		{[]Suggestion{change}, false, number(1)}, // a rerun
		{[]Suggestion{other}, true, number(2)},   // more data has come
		{nil, false, number(2)},
		{[]Suggestion{gone}, true, number(3)}, // it no longer holds
		{[]Suggestion{no}, false, number(3)},
	} {
		before := s.Changes()
		if err := s.KeepSuggestions(t.Context(), &Tuning{From: span.From, To: span.To, Suggestions: step.made}, first.Add(time.Duration(i-1)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if wrote := s.Changes() != before; wrote != step.writes {
			t.Errorf("step %d: wrote %v", i, wrote)
		}
		rows, err := queries.Suggestions(t.Context(), s.Reader(), span)
		if err != nil {
			t.Fatal(err)
		}
		if step.says == nil {
			if len(rows) != 0 {
				t.Errorf("step %d: %+v", i, rows)
			}
			continue
		}
		if len(rows) != 1 || !rows[0].Made.Equal(first) || !rows[0].Due.Equal(change.Due) || !rows[0].From.Equal(span.From) {
			t.Fatalf("step %d: %+v", i, rows)
		}
		kept, err := parseKept(rows)
		if err != nil || *kept[0].suggestion.Suggested != *step.says {
			t.Errorf("step %d: %s, %v", i, rows[0].Body, err)
		}
	}
}

// What nobody decided on says since when it has been suggested, expires when it
// is due, and then tells what it would have saved.
func TestUndecided(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	span := queries.Month(2026, time.March, time.UTC)
	february := queries.Month(2026, time.February, time.UTC)
	scope := Scope{Agent: "a", Operation: "op", Category: "network"}
	cell := func(hazards ...float64) []Cell {
		of := chains(400, 4, hazards, 40, r)
		for i := range of {
			of[i].Opened = span.From.Add(time.Duration(i) * time.Hour)
		}
		return []Cell{{Scope: scope, laid: of}}
	}
	made := func(to int64, month queries.Span) kept {
		s := Suggestion{ID: "s-1", Scope: scope, Knob: maxRetriesKnob, Current: number(4), Suggested: &to, Verdict: Lower}
		return kept{queries.Suggestion{ID: "s-1", Made: month.To, From: month.From, To: month.To, Due: month.To.Add(month.To.Sub(month.From))}, s}
	}
	old := made(1, january())
	old.Due = span.From.AddDate(0, 0, 3)
	decision := func(what string, s Suggestion) decided {
		body, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		out, err := parseDecisions([]queries.Decision{{ID: s.ID, Made: span.To, Decision: what, Who: "ann", Body: string(body)}})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	for _, test := range []struct {
		name    string
		cells   []Cell
		kept    []kept
		decided []decided
		since   time.Time
		expired int
	}{
		{"new", cell(0.6, 0, 0, 0), nil, nil, time.Time{}, 0},
		{"made before, open still", cell(0.6, 0, 0, 0), []kept{made(1, february)}, nil, february.From, 0},
		{"made before, due, made again", cell(0.6, 0, 0, 0), []kept{old}, nil, january().From, 0},
		{"made before, due, another value now", cell(0, 0, 0, 0), []kept{old}, nil, time.Time{}, 1},
		{"made twice before, due once", cell(0, 0, 0, 0), []kept{old, made(1, february)}, nil, time.Time{}, 1},
		{"made before, not due", cell(0, 0, 0, 0), []kept{made(1, span)}, nil, time.Time{}, 0},
		{"dismissed", cell(0, 0, 0, 0), []kept{old}, []decided{decision(Dismissed, old.suggestion)}, time.Time{}, 0},
		{"it no longer held", cell(0, 0, 0, 0), []kept{{old.Suggestion, Suggestion{Verdict: Keep}}}, nil, time.Time{}, 0},
	} {
		got := tune(test.cells, &oddities{}, span, TuneOptions{Knobs: []string{maxRetriesKnob}, kept: test.kept, decided: test.decided})
		s := got.Suggestions[0]
		if !s.Since.Equal(test.since) || strings.Contains(s.Reason.EN, "nobody has decided") == test.since.IsZero() {
			t.Errorf("%s: since %v, want %v: %s", test.name, s.Since, test.since, s.Reason.EN)
		}
		var expired []Outcome
		for _, o := range got.Decisions {
			if o.Decision == Undecided {
				expired = append(expired, o)
			}
		}
		if len(expired) != test.expired {
			t.Errorf("%s: %d expired: %+v", test.name, len(expired), expired)
			continue
		}
		for _, o := range expired { // all 400 made 4 retries of 40 s, in vain; it allowed one
			if e := o.WouldHave; o.Verdict != Lapsed || e == nil || e.Retries != -1200 || e.Resolved != 0 {
				t.Errorf("%s: %+v would have %+v", test.name, o, o.WouldHave)
			}
		}
	}
}
