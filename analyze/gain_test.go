package analyze

import (
	"strings"
	"testing"
)

// A raise that would resolve a tenth of an incident is none, however sure it is that
// it pays; nor is a limit lowered for the sake of two retries.
func TestChangesMoveSomething(t *testing.T) {
	cell := func(cap, n, won, left int) Cell { // n incidents at once resolved, but for left, of which retry cap resolves won
		var of []Chain
		for i := range n {
			c := Chain{Cap: cap, Retries: 1, Won: i >= left}
			if !c.Won {
				c.Retries, c.Won = cap, i < won
			}
			c.Lost = !c.Won
			for range c.Retries {
				c.Cost = append(c.Cost, Price{Seconds: 21, Known: true})
			}
			of = append(of, c)
		}
		return Cell{laid: spread(of)}
	}
	for _, test := range []struct {
		name    string
		cell    Cell
		verdict Verdict
		says    string
	}{
		{"one is left", cell(2, 60, 9, 10), Keep, "3 retries looked better than 2 retries, but would change next to nothing: +0.6 resolved, +1 retries"},
		{"many are", cell(2, 400, 60, 80), Raise, "Allow 3 retries."},
	} {
		s, _ := maxRetries.suggest(test.cell, TuneOptions{Worth: DefaultWorth})
		if s.Verdict != test.verdict || !strings.Contains(s.Reason.EN, test.says) || strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s: %s %+v: %s %s", test.name, s.Verdict, s.Effect, s.Reason.EN, s.Reason.JA)
		}
	}
}

// What nobody has told has words in a sentence, not the dash of a table.
func TestKeptSettingThatNobodyTold(t *testing.T) {
	four := int64(4)
	for name, say := range map[string]func(*Suggestion){"moves nothing": (*Suggestion).moveNothing, "gains nothing": (*Suggestion).stay} {
		s := Suggestion{Knob: maxRetriesKnob, Suggested: &four}
		say(&s)
		if !strings.Contains(s.Reason.EN, "4 retries looked better than what is in force, ") || !strings.HasPrefix(s.Reason.JA, "現在の設定より4回のほうが") {
			t.Errorf("%s: %s %s", name, s.Reason.EN, s.Reason.JA)
		}
	}
}
