package analyze

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hansei/queries"
)

// The worked example of Newcombe 1998: 56 of 70 against 48 of 80 differ by 0.2,
// from 0.0524 to 0.3339.
func TestDifference(t *testing.T) {
	got := difference(tally{48, 80}, tally{56, 70})
	if math.Abs(got[0]-0.0524) > 5e-5 || math.Abs(got[1]-0.3339) > 5e-5 {
		t.Errorf("%v, want 0.0524 to 0.3339", got)
	}
}

// A stop is scored where it is followed, by all that were retried: those who go on
// tell nothing of it, and to retry nothing can be followed too.
func TestOutcomesOfStops(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	made := january().From
	for _, test := range []struct {
		knob      string
		suggested int64
		predicted float64
		cap       int
		hazards   []float64
		want      string
	}{
		{stopAfterName, 3, 0.7, 2, []float64{0.5, 0.4}, Kept},
		{stopAfterName, 3, 0.7, 2, []float64{0.2, 0.1}, Fell},
		{stopAfterName, 3, 0.7, 4, []float64{0.5, 0.4, 0.4, 0.4}, NotInForce},
		{stopAfterName, 1, 0, 0, nil, Unseen},
		{stopAfterName, 1, 0, 3, []float64{0.1}, NotInForce},
		{maxRetriesKnob, 0, 0, 0, nil, Unseen},
		{maxRetriesKnob, 2, 0.7, 2, []float64{0.2, 0.1}, Fell},
		{maxRetriesKnob, 0, 0, 3, []float64{0.1}, NotInForce},
	} {
		s := Suggestion{ID: "s-1", Scope: Scope{Agent: "a"}, Knob: test.knob, Suggested: &test.suggested, Verdict: Lower, Prediction: expect(test.predicted, 400), Due: january().To}
		c := Cell{Scope: s.Scope, laid: chains(300, test.cap, test.hazards, 5, r)}
		for i := range c.laid {
			c.laid[i].Opened = made.Add(time.Hour)
		}
		got := outcomes([]decided{{Decision: queries.Decision{ID: "s-1", Made: made, Decision: Accepted}, suggestion: s}}, []Cell{c}, queries.Span{From: made, To: made.AddDate(0, 0, 20)}, DefaultWorth.Seconds())
		if len(got) != 1 || got[0].Verdict != test.want {
			t.Errorf("%s %d under %d retries: %+v, want %s", test.knob, test.suggested, test.cap, got, test.want)
		}
	}
}

// A suggestion that was accepted is held against the incidents after it.
func TestOutcomes(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	s := Suggestion{ID: "s-1", Scope: Scope{Agent: "a"}, Knob: "max_retries", Suggested: number(2), Prediction: expect(0.7, 400), Due: january().To}
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	made := january().From
	for _, test := range []struct {
		name, decision string
		n              int
		hazards        []float64
		after          time.Duration // from the decision to the incidents
		want           string
	}{
		{"as predicted", "accepted", 300, []float64{0.5, 0.4}, time.Hour, Kept},
		{"much worse", "applied", 300, []float64{0.2, 0.1}, time.Hour, RollBack},
		{"much better", "accepted", 300, []float64{0.8, 0.8}, time.Hour, Better},
		{"few incidents", "accepted", 10, []float64{0.1, 0.1}, time.Hour, TooEarly},
		{"another cap", "accepted", 300, []float64{0.5, 0.4, 0.4}, time.Hour, NotInForce},
		{"all before it", "accepted", 300, []float64{0.1, 0.1}, -time.Hour, TooEarly},
		{"dismissed", Dismissed, 300, []float64{0.1, 0.1}, time.Hour, Dismissed},
	} {
		c := Cell{Scope: Scope{Agent: "a"}, laid: chains(test.n, len(test.hazards), test.hazards, 5, r)}
		for i := range c.laid {
			c.laid[i].Opened = made.Add(test.after)
		}
		before, err := parseDecisions([]queries.Decision{{ID: "s-1", Made: made, Decision: test.decision, Body: string(body)}})
		got := outcomes(before, []Cell{c}, queries.Span{From: made, To: made.AddDate(0, 0, 20)}, DefaultWorth.Seconds())
		if err != nil || len(got) != 1 || got[0].Verdict != test.want {
			t.Errorf("%s: %+v, %v, want %s", test.name, got, err, test.want)
		}
	}
}

// A higher limit is scored by the retries that it allowed, not by how the others
// went: where all retries win less often, it is not rolled back as long as those
// pay, and it is where they do not, however well the month went.
func TestRaisesAreScoredByWhatTheyAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(145, 146))
	before := Cell{laid: chains(600, 2, []float64{0.5, 0.4}, 5, r)}
	s, _ := maxRetries.suggest(before, TuneOptions{Worth: DefaultWorth})
	if s.Verdict != Raise || *s.Suggested != 3 {
		t.Fatalf("%s: %s", s.Verdict, s.Reason.EN)
	}
	s.ID = "s-1"
	d := dismissed(t, s)
	d.Decision.Decision = Applied
	for _, test := range []struct {
		name    string
		hazards []float64
		seconds float64
		want    string
	}{
		{"as before", []float64{0.5, 0.4, 0.3}, 5, Kept},
		{"all win less often, the added ones pay", []float64{0.1, 0.1, 0.1}, 5, Fell},
		{"those before win less often, the added ones never", []float64{0.3, 0.2, 0}, 5, RollBack},
		{"the added ones never win, and the month is good", []float64{0.6, 0.5, 0}, 5, RollBack},
	} {
		c := Cell{laid: chains(4000, 3, test.hazards, test.seconds, r)}
		for i := range c.laid {
			c.laid[i].Opened = january().To.Add(time.Hour)
		}
		o := outcomes([]decided{d}, []Cell{c}, queries.Month(2026, time.February, time.UTC), DefaultWorth.Seconds())[0]
		if o.Verdict != test.want || o.Added == nil || o.Added.Retry != 3 || math.Abs(o.Added.Hazard-test.hazards[2]) > 0.06 {
			t.Errorf("%s: %s, want %s; %+v", test.name, o.Verdict, test.want, o.Added)
		}
	}
}

// dismissed is the decision not to follow a suggestion.
func dismissed(t *testing.T, s Suggestion) decided {
	t.Helper()
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := parseDecisions([]queries.Decision{{ID: s.ID, Made: january().To, Decision: Dismissed, Who: "ann", Reason: "the vendor asks for it", Body: string(body)}})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// What was dismissed is not suggested again, unless its evidence has changed.
func TestDismissed(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	cell := func(hazards ...float64) []Cell {
		return []Cell{{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: chains(400, 4, hazards, 40, r)}}
	}
	ask := func(c []Cell, o TuneOptions) Suggestion {
		o.Knobs = []string{maxRetriesKnob}
		return tune(c, &oddities{}, january(), o).Suggestions[0]
	}
	first := ask(cell(0.6, 0, 0, 0), TuneOptions{})
	if first.Verdict != Lower || *first.Suggested != 1 {
		t.Fatalf("%+v", first)
	}
	no := dismissed(t, first)
	yes := no
	yes.Decision.Decision = "accepted"
	for _, test := range []struct {
		name    string
		hazards []float64
		before  []decided
		anew    bool
		verdict Verdict
		is      string // decision that is shown; empty: none
	}{
		{"the same again", []float64{0.6, 0, 0, 0}, []decided{no}, false, Keep, Dismissed},
		{"asked anew", []float64{0.6, 0, 0, 0}, []decided{no}, true, Lower, ""},
		{"the first retry wins less", []float64{0.3, 0, 0, 0}, []decided{no}, false, Lower, ""},
		{"another value", []float64{0, 0, 0, 0}, []decided{no}, false, Lower, ""},
		{"accepted later", []float64{0.6, 0, 0, 0}, []decided{no, yes}, false, Lower, "accepted"},
	} {
		got := ask(cell(test.hazards...), TuneOptions{decided: test.before, Anew: test.anew})
		is := ""
		if got.Decided != nil {
			is = got.Decided.Decision
		}
		if got.Verdict != test.verdict || is != test.is || got.Changes() == (test.verdict == Keep) {
			t.Errorf("%s: %s, %q: %s", test.name, got.Verdict, is, got.Reason.EN)
		}
		if is == Dismissed && !strings.Contains(got.Reason.EN+got.Reason.JA, "the vendor asks for it") {
			t.Errorf("%s: %+v tells no reason", test.name, got.Reason)
		}
	}
}

// Where the tuner was wrong before, the same counts say less.
func TestWrongPredictionsWidenBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	c := Cell{laid: chains(100, 3, []float64{0.5, 0.2, 0.1}, 20, r)}
	sure, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth})
	c.Wrong = wrong([]Outcome{{Knob: maxRetriesKnob, Verdict: RollBack}, {Knob: maxRetriesKnob, Verdict: Better}, {Knob: maxRetriesKnob, Verdict: Kept}}, Scope{})
	if c.Wrong[maxRetriesKnob] != 1 {
		t.Errorf("%v: what is better than predicted or kept is no reason to trust less", c.Wrong)
	}
	unsure, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth})
	for k := range sure.Evidence {
		a, b := sure.Evidence[k], unsure.Evidence[k]
		if wider := (b.BelievedHigh - b.BelievedLow) / (a.BelievedHigh - a.BelievedLow); wider < 1.2 || wider > 1.6 || a.Low != b.Low {
			t.Errorf("retry %d: bounds are %.2f times as wide, want about the root of 2", a.Retry, wider)
		}
	}
}

// Every knob that predicts a share is held against what came.
func TestEveryPredictionIsObserved(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	calls := func(passed, cut int) []Duration {
		return []Duration{{Seconds: 2, Passed: true, Calls: passed}, {Seconds: 120, Calls: cut}}
	}
	gate := func() (of []Chain) {
		for range 400 {
			score := 30 + 40*r.Float64()
			of = append(of, Chain{Bar: 70, Scores: []float64{score}, Retries: 1, Won: score > 55 && r.Float64() < 0.6, Cost: []Price{{Seconds: 60, Known: true}}})
		}
		return of
	}
	late := func() []Chain { return outageChains(400, 5, []float64{5, 15, 30, 600}, r) }
	later := func(c Cell) Cell {
		c.Scope = Scope{}
		for i := range c.Traffic {
			c.Traffic[i].At = c.Traffic[i].At.AddDate(0, 1, 1)
		}
		return c
	}
	for _, test := range []struct {
		knob         string
		first, later Cell
	}{
		{"max_retries", Cell{laid: chains(400, 4, []float64{0.6, 0, 0, 0}, 40, r)}, Cell{laid: chains(400, 1, []float64{0.6}, 40, r)}},
		{"stop_after", Cell{laid: chains(2000, 6, []float64{0.5, 0.5, 0, 0, 0, 0}, 5, r)}, Cell{laid: chains(400, 2, []float64{0.5, 0.5}, 5, r)}},
		{"delays", Cell{laid: late()}, Cell{laid: late()}},
		{"score_bar", Cell{laid: gate()}, Cell{laid: slices.DeleteFunc(gate(), func(c Chain) bool { return c.Scores[0] < 55 })}},
		{"timeout", Cell{Durations: calls(1000, 30)}, Cell{Durations: calls(1000, 30)}},
		{"call_depth", Cell{Depths: calls(1000, 30)}, Cell{Depths: calls(1000, 30)}},
		{"retry_budget", trafficCells(stormy(6, 600, 0), nil)[0], later(trafficCells(stormy(6, 21, 0), nil)[0])},
	} {
		at := slices.IndexFunc(Tuners, func(tuner Tuner) bool { return tuner.Knob == test.knob })
		s, _ := Tuners[at].Suggest(test.first, TuneOptions{Worth: DefaultWorth})
		s.Knob, s.ID = test.knob, "s-1"
		if s.Prediction == nil {
			t.Errorf("%s predicts nothing: %s", test.knob, s.Reason.EN)
			continue
		}
		for i := range test.later.laid {
			test.later.laid[i].Opened = january().To.Add(time.Hour)
		}
		if s.Suggested == nil { // waits that are kept: what they predict holds all the same
			s.Suggested = number(0)
		}
		d := dismissed(t, s)
		d.Decision.Decision = "applied"
		february := queries.Month(2026, time.February, time.UTC)
		if o := outcomes([]decided{d}, []Cell{test.later}, february, DefaultWorth.Seconds())[0]; o.Verdict != Kept || o.N < minIncidents {
			t.Errorf("%s: %s, predicted %.3f, observed %v of %d, %v", test.knob, o.Verdict, *o.Predicted, *o.Observed, o.N, o.Interval)
		}
	}
}

// Waits are held against all incidents that were retried, not only against those
// that recovered, and against none while the last retry comes as late as before.
func TestDelaysAreHeldAgainstAllIncidents(t *testing.T) {
	r := rand.New(rand.NewPCG(79, 80))
	cell := func(cured float64, waits ...float64) (c Cell) {
		law := cause{lasts: func(r *rand.Rand) float64 { return 5 * r.ExpFloat64() }, cured: cured, waits: waits, vary: 0.3, runs: 1}
		for range 1000 {
			chain, _ := law.draw(r)
			chain.Opened = january().To.Add(time.Hour)
			c.laid = append(c.laid, chain)
		}
		return c
	}
	s, _ := waitsOf(cell(0.8, 5, 15, 30, 600), TuneOptions{Worth: DefaultWorth})
	if s.Verdict != Lower {
		t.Fatalf("%s: %s", s.Verdict, s.Reason.EN)
	}
	s.Knob, s.ID = delaysKnob, "s-1"
	d := dismissed(t, s)
	d.Decision.Decision = Applied
	then := append(slices.Clone(s.Values), s.Values[len(s.Values)-1])[:4]
	for _, test := range []struct {
		name string
		of   Cell
		want string
	}{
		{"as predicted", cell(0.8, then...), Kept},
		{"half of the resolutions are gone", cell(0.4, then...), RollBack},
		{"more than ever", cell(1, then...), Better},
		{"the waits are as before", cell(0.8, 5, 15, 30, 600), NotInForce},
	} {
		if o := outcomes([]decided{d}, []Cell{test.of}, queries.Month(2026, time.February, time.UTC), DefaultWorth.Seconds())[0]; o.Verdict != test.want {
			t.Errorf("%s: %s, predicted %v [%v %v], observed %v of %d, %v", test.name, o.Verdict, s.Prediction.Share, s.Prediction.Low, s.Prediction.High, o.Observed, o.N, o.Interval)
		}
	}
}

// What was accepted but never came into force is expired once it is due.
func TestLapsed(t *testing.T) {
	s := Suggestion{ID: "s-1", Knob: maxRetriesKnob, Suggested: number(1), Prediction: expect(0.5, 100), Due: january().To.AddDate(0, 1, 0)}
	d := dismissed(t, s)
	d.Decision.Decision = "accepted"
	for month, want := range map[time.Month]string{time.January: TooEarly, time.February: Lapsed} {
		if o := outcomes([]decided{d}, nil, queries.Month(2026, month, time.UTC), DefaultWorth.Seconds())[0]; o.Verdict != want {
			t.Errorf("%s: %s, want %s", month, o.Verdict, want)
		}
	}
}

// Of two decisions on one suggestion that know nothing of each other the first
// holds; one that has seen it may follow.
func TestDecisionsConflict(t *testing.T) {
	s := openStore(t, "")
	at := january().To
	decision := func(what, who string, after time.Duration) []queries.Decision {
		return []queries.Decision{{ID: "s-1", Made: at.Add(after), Decision: what, Who: who, Body: "{}"}}
	}
	for _, step := range []struct {
		name      string
		decisions []queries.Decision
		known     time.Time
		holds     string // who and what after it
		conflict  bool
	}{
		{"the first", decision(Accepted, "ann", 0), time.Time{}, "ann accepted", false},
		{"sent twice", decision(Accepted, "ann", time.Second), time.Time{}, "ann accepted", false},
		{"at the same time", decision(Dismissed, "bob", time.Second), time.Time{}, "ann accepted", true},
		{"accepted, so it may be applied", decision(Applied, "cid", 2*time.Second), time.Time{}, "cid applied", false},
		{"has seen an older one", decision(Dismissed, "bob", 3*time.Second), at, "cid applied", true},
		{"has seen it, with a clock that is behind", decision(Dismissed, "bob", -time.Hour), at.Add(2 * time.Second), "bob dismissed", false},
		{"dismissed, so it is not applied", decision(Applied, "cid", 4*time.Second), time.Time{}, "bob dismissed", true},
	} {
		err := s.Decide(t.Context(), step.decisions, step.known, nil)
		if conflict := (*Conflict)(nil); errors.As(err, &conflict) != step.conflict || err != nil && !step.conflict {
			t.Errorf("%s: %v", step.name, err)
		}
		d, _, err := queries.LatestDecision(t.Context(), s.Reader(), "s-1")
		if err != nil || d.Who+" "+d.Decision != step.holds {
			t.Errorf("%s: %s %s holds, want %s (%v)", step.name, d.Who, d.Decision, step.holds, err)
		}
	}
	var wait sync.WaitGroup
	won := make(chan string, 20)
	for i := range 20 {
		wait.Go(func() {
			d := queries.Decision{ID: "s-2", Made: at, Decision: Accepted, Who: fmt.Sprint("one of many ", i), Body: "{}"}
			if s.Decide(t.Context(), []queries.Decision{d}, time.Time{}, nil) == nil {
				won <- d.Who
			}
		})
	}
	wait.Wait()
	close(won)
	if d, _, err := queries.LatestDecision(t.Context(), s.Reader(), "s-2"); err != nil || len(won) != 1 || d.Who != <-won {
		t.Errorf("%d of 20 at once were kept: %+v, %v", len(won), d, err)
	}
}

// What was applied and taken back is no decision that holds: it is told as taken
// back, scored by what came under it alone, and not made again by itself.
func TestTakenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	cell := func(hazards ...float64) []Cell {
		return []Cell{{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: spread(chains(400, 4, hazards, 40, r))}}
	}
	ask := func(c []Cell, of ...decided) *Tuning {
		return tune(c, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}, decided: of})
	}
	first := ask(cell(0.6, 0, 0, 0)).Suggestions[0]
	applied := dismissed(t, first)
	applied.Decision.Decision, applied.Made = Applied, january().From.Add(time.Hour)
	change := func(days int, setting, previous, suggestion string) queries.PolicyChange {
		return queries.PolicyChange{Agent: "a", Operation: "op", Category: "network", Knob: maxRetriesKnob, Since: applied.Made.AddDate(0, 0, days),
			Setting: setting, Previous: previous, Suggestion: suggestion, Who: "bob", Reason: "too strict"}
	}
	up, down := change(0, "1", "4", first.ID), change(2, "4", "1", Rollback)
	for _, test := range []struct {
		name    string
		changes []queries.PolicyChange
		back    bool
	}{
		{"in force", []queries.PolicyChange{up}, false},
		{"taken back", []queries.PolicyChange{up, down}, true},
		{"taken back, and forth", []queries.PolicyChange{up, down, change(3, "1", "4", Rollback)}, false},
		{"followed by another", []queries.PolicyChange{up, change(2, "0", "1", "s-2"), change(3, "1", "0", Rollback)}, false},
		{"another file put in its place", []queries.PolicyChange{up, change(2, "4", "1", "")}, false},
		{"not by hansei", nil, false},
		{"taken back before", []queries.PolicyChange{change(-9, "1", "4", first.ID), change(-8, "4", "1", Rollback)}, false}, // and then decided again
	} {
		of := []decided{applied}
		noteTakenBack(of, test.changes)
		got := ask(cell(0.6, 0, 0, 0), of...)
		s, o := got.Suggestions[0], got.Decisions[0]
		if (o.Back != nil) != test.back || (o.Verdict == RolledBack) != test.back || (s.Verdict == Keep) != test.back {
			t.Errorf("%s: %+v; %s: %s", test.name, o, s.Verdict, s.Reason.EN)
		}
		if says := "taken back by bob on 2026-01-03: too strict"; strings.Contains(s.Reason.EN, says) != test.back || strings.Contains(s.Reason.EN, "not in force yet") == test.back {
			t.Errorf("%s: %s", test.name, s.Reason.EN)
		}
	}
	of := []decided{applied}
	noteTakenBack(of, []queries.PolicyChange{up, down})
	if s := ask(cell(0.2, 0, 0, 0), of...).Suggestions[0]; s.Verdict != Lower || !strings.Contains(s.Reason.EN, "bob took it back on 2026-01-03 (too strict); what the retries achieve has changed since") {
		t.Errorf("changed since: %s: %s", s.Verdict, s.Reason.EN)
	}
	c := cell(0.6)
	for i := range c[0].laid {
		c[0].laid[i].Cap = 1
	}
	if o := ask(c, of...).Decisions[0]; o.N > 40 || o.Verdict != Kept && o.N >= minIncidents {
		t.Errorf("what came after it was taken back is not scored: %+v", o)
	}
}
