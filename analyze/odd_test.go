package analyze

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

var opened = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func some[T any](v T) sql.Null[T] { return sql.Null[T]{V: v, Valid: true} }

// A tried is an incident with its attempts.
type tried struct {
	queries.Tried
	attempts []queries.Attempt
}

// attemptsOf makes one incident that was resolved by its last attempt.
func attemptsOf(edit func(i int, a *queries.Attempt), numbers ...int64) tried {
	last := numbers[len(numbers)-1]
	out := tried{Tried: queries.Tried{
		Agent: "a", Operation: "op", Category: "network", Attempts: last, FailedAttempts: last - 1,
		Resolved: true, ByRetry: true, BySuccess: true, ClosingAttempt: some(last), OpenedAt: opened, Outcomes: 1,
	}}
	for i, n := range numbers {
		a := queries.Attempt{Attempt: n, MaxRetries: some(int64(3)), At: opened.Add(time.Duration(i) * time.Minute), WaitMS: some(int64(5000))}
		if edit != nil {
			edit(i, &a)
		}
		out.attempts = append(out.attempts, a)
	}
	return out
}

func withOutcomes(n int64, of tried) tried {
	of.Outcomes = n
	return of
}

// failedAgain makes the second attempt the one that passed.
func failedAgain(of tried) tried {
	of.ClosingAttempt, of.FailedAttempts, of.FailedAgain = some(int64(2)), 1, 1
	return of
}

// Each kind of bad input has a stated treatment, and is counted.
func TestOddities(t *testing.T) {
	for _, test := range []struct {
		name     string
		incident tried
		note     string // that counts it; empty: none
		right    func(c Chain) bool
	}{
		{"as it should be", attemptsOf(nil, 1, 2, 3), "", func(c Chain) bool {
			return c.Retries == 2 && c.Won && slices.Equal(c.At, []float64{60, 120}) && c.Cost[0].Seconds == 5
		}},
		{"a number is left out", attemptsOf(nil, 1, 3), "attempts skip", func(c Chain) bool {
			return c.Retries == 2 && c.Won && !c.Cost[0].Known && c.Cost[1].Known && c.At == nil
		}},
		{"clocks differ", attemptsOf(func(i int, a *queries.Attempt) {
			a.At = opened.Add(-time.Duration(i) * time.Minute)
		}, 1, 2, 3), "attempts go back in time", func(c Chain) bool { return c.Retries == 2 && c.Won && c.At == nil }},
		{"two outcomes", withOutcomes(2, attemptsOf(nil, 1, 2)), "two outcomes", func(c Chain) bool { return c.Won }},
		{"failed again after it had passed", failedAgain(attemptsOf(nil, 1, 2, 3)), "failed after it passed", func(c Chain) bool {
			return c.Retries == 1 && c.Won && !c.Lost && len(c.Cost) == 1
		}},
		{"the cap changes inside", attemptsOf(func(i int, a *queries.Attempt) { a.MaxRetries = some(int64(3 + 2*i)) }, 1, 2), "cap changes inside", func(c Chain) bool { return c.Cap == 5 }},
		{"negative wait", attemptsOf(func(_ int, a *queries.Attempt) { a.WaitMS = some(int64(-5)) }, 1, 2), "negative figures", func(c Chain) bool {
			return !c.Cost[0].Known && c.Cost[0].Seconds == 0
		}},
		{"a wait of zero", attemptsOf(func(_ int, a *queries.Attempt) { a.WaitMS = some(int64(0)) }, 1, 2), "waits of zero", func(c Chain) bool {
			return c.Cost[0].Known && c.Cost[0].Seconds == 0
		}},
		{"passed at once", attemptsOf(nil, 1), "passed at the first attempt", func(c Chain) bool { return c.Retries == 0 && !c.Won }},
	} {
		t.Run(test.name, func(t *testing.T) {
			odd := &oddities{}
			var c Chain
			c.read(&test.incident.Tried, test.incident.attempts)
			odd.count(oddityOf(&test.incident.Tried, test.incident.attempts, &c))
			if !test.right(c) {
				t.Errorf("%+v", c)
			}
			notes := odd.notes()
			if test.note == "" && len(notes) != 0 || test.note != "" && (len(notes) != 1 || notes[0].What != test.note || notes[0].Incidents != 1) {
				t.Errorf("notes %+v, want %q", notes, test.note)
			}
		})
	}
}

func january() queries.Span {
	return queries.Month(2026, time.January, time.UTC)
}

// spread gives chains their times, evenly over January.
func spread(of []Chain) []Chain {
	for i := range of {
		of[i].Opened = january().From.Add(time.Duration(i) * 30 * 24 * time.Hour / time.Duration(len(of)))
	}
	return of
}

// Cells at the edge say something sound, and never NaN.
func TestEdgeCells(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	one := chains(1, 3, []float64{1}, 5, r)
	allCensored := chains(60, 2, nil, 60, r)
	for i := range allCensored {
		allCensored[i].Lost = true
	}
	allWon := chains(60, 3, []float64{1}, 5, r)
	free := chains(90, 2, []float64{0.3, 0.2}, 0, r)
	for _, test := range []struct {
		name    string
		chains  []Chain
		verdict Verdict
		note    string // that counts the cell; empty: none
	}{
		{"one incident", one, TooLittleData, "cells of one incident"},
		{"nothing ever won", allCensored, Lower, "cells that never recovered"},
		{"all won at the first retry", allWon, Keep, "cells that recovered at once"},
		{"retries cost nothing", free, Raise, ""}, // by one, extrapolated: the last retry won and cost nothing
	} {
		t.Run(test.name, func(t *testing.T) {
			got := tune([]Cell{{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: spread(test.chains)}}, &oddities{}, january(), TuneOptions{})
			s := got.Suggestions[0]
			if s.Verdict != test.verdict {
				t.Errorf("%s, want %s: %s", s.Verdict, test.verdict, s.Reason.EN)
			}
			if n := got.Notes; test.note == "" && len(n) > 0 || test.note != "" && (len(n) != 1 || n[0].What != test.note || n[0].Incidents != 1) {
				t.Errorf("notes %+v, want %q", n, test.note)
			}
			if text := fmt.Sprintf("%+v", s); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("not a number: %s", text)
			}
			if test.verdict == TooLittleData && s.Needed < 1 {
				t.Errorf("needed %d", s.Needed)
			}
		})
	}
}

// A thin cell leans on the cells around it, by as much as they agree, and says
// how many incidents it still needs when that is not enough.
func TestThinCellsLeanOnOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	var all []Cell
	for i := range 8 {
		all = append(all, Cell{Scope: Scope{"a", fmt.Sprint("op", i), "auth", ""}, laid: spread(chains(80, 3, []float64{0.01, 0.01, 0.01}, 60, r))})
	}
	thin := func(n int) Suggestion {
		cells := append(slices.Clone(all), Cell{Scope: Scope{"a", "thin", "auth", ""}, laid: spread(chains(n, 3, nil, 60, r))})
		for _, s := range tune(cells, &oddities{}, january(), TuneOptions{}).Suggestions {
			if s.Scope.Operation == "thin" && s.Knob == "max_retries" {
				return s
			}
		}
		return Suggestion{}
	}
	if s := thin(12); s.Verdict != Lower || !strings.Contains(s.Reason.EN, "the agent's other operations show of this category counts as") || s.Pool == nil || s.Pool.From != "agent" || s.Pool.Strength < 2 {
		t.Errorf("12 incidents among 8 like cells: %s, pool %+v", s.Verdict, s.Pool)
	}
	if s := thin(4); s.Verdict != TooLittleData || s.Needed != 10 {
		t.Errorf("4 incidents: %s, %d needed, want 10 more", s.Verdict, s.Needed)
	}
	alone := tune([]Cell{{Scope: Scope{"a", "thin", "auth", ""}, laid: spread(chains(12, 3, nil, 60, r))}}, &oddities{}, january(), TuneOptions{})
	if s := alone.Suggestions[0]; s.Verdict != TooLittleData || s.Needed != 8 || s.Pool != nil {
		t.Errorf("12 incidents alone: %s, %d needed, want 8 more", s.Verdict, s.Needed)
	}
}

// A cell that is unlike those around it is not pulled to them.
func TestOutliersStand(t *testing.T) {
	around := []tally{{150, 500}, {140, 500}, {160, 500}, {5, 500}}
	p, _ := fitPool(around)
	if d := p.prior().after(5, 500); d.mean() > 0.02 {
		t.Errorf("1 %% of 500 is believed to be %.3f (prior %+v)", d.mean(), p)
	}
}

// An outage is found where it is, left out, and both answers are printed.
func TestOutagesAreLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	at := january().From.Add(20*24*time.Hour + 13*time.Hour)
	var all []Cell
	for i := range 4 {
		c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "server_error", ""}, laid: spread(chains(200, 2, []float64{0.5, 0.4}, 200, r))}
		for _, hit := range chains(120, 2, nil, 200, r) { // nothing passes while it lasts
			hit.Opened = at.Add(time.Duration(r.IntN(7200)) * time.Second)
			c.laid = append(c.laid, hit)
		}
		slices.SortStableFunc(c.laid, func(a, b Chain) int { return a.Opened.Compare(b.Opened) })
		all = append(all, c)
	}
	got := tune(all, &oddities{}, january(), TuneOptions{})
	if len(got.Outages) != 1 || !got.Outages[0].From.Equal(at) || !got.Outages[0].To.Equal(at.Add(2*time.Hour)) || got.Outages[0].Agents != 4 {
		t.Fatalf("outages %+v, want one from %v for two hours", got.Outages, at)
	}
	for _, s := range got.Suggestions {
		if s.Knob != "max_retries" {
			continue
		}
		h := s.Evidence[0].Hazard
		if s.Outages == nil || s.Outages.Incidents < 120 || math.Abs(h-0.5) > 0.12 || !strings.Contains(s.Reason.EN, "of outages are left out; with them: ") {
			t.Errorf("hazard %.2f, with outages %+v: %s", h, s.Outages, s.Reason.EN)
		}
	}
}

// A daily rhythm is no outage, nor a burst that one agent has alone.
func TestNoFalseOutages(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	var all []Cell
	for i := range 5 {
		c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "network", ""}}
		for range 600 {
			hour := 8 + r.IntN(10) // office hours
			c.laid = append(c.laid, Chain{Opened: january().From.AddDate(0, 0, r.IntN(31)).Add(time.Duration(hour) * time.Hour)})
		}
		if i == 0 {
			for range 200 {
				c.laid = append(c.laid, Chain{Opened: january().From.Add(3 * time.Hour)})
			}
		}
		all = append(all, c)
	}
	if got := findOutages(all); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if p := poissonAtLeast(10, 3); math.Abs(p-0.00110249) > 1e-7 {
		t.Errorf("P(X ≥ 10) of Poisson 3 is %.8f, tables say 0.00110", p)
	}
}

// In a quiet category the hours of one outage are more than a tenth of the busy
// ones: it is found by the days, of which it is one, or one of a few.
func TestOutagesOfQuietCategories(t *testing.T) {
	for _, test := range []struct {
		name        string
		calm, hours int // incidents in the month, and hours of an outage
		days        int // with an outage
		outages     int
	}{
		{"one a day", 28, 5, 1, 1}, {"one in five days", 6, 5, 1, 1}, {"a whole day", 28, 24, 1, 1}, {"nothing else", 0, 5, 1, 0},
		{"three days", 28, 5, 3, 3}, {"every fourth day is usual", 28, 5, 8, 0},
	} {
		var all []Cell
		for i := range 5 {
			c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "server_error", ""}}
			for n := range test.calm {
				if n%5 == i {
					c.laid = append(c.laid, Chain{Opened: january().From.Add(time.Duration(n*30*24/test.calm) * time.Hour)})
				}
			}
			for n := range 20 * test.hours * test.days {
				day, hour := n/20/test.hours, n/20%test.hours
				c.laid = append(c.laid, Chain{Opened: january().From.Add(time.Duration((19+3*day)%31*24+(5*day+hour)%24) * time.Hour)})
			}
			all = append(all, c)
		}
		if got := findOutages(all); len(got) != test.outages {
			t.Errorf("%s: %d outages, want %d: %+v", test.name, len(got), test.outages, got)
		}
	}
}

// A batch that bursts out at the same hour of the day or of the week is no
// outage; four nights of a month at the same hour are not yet a batch, and one that
// exceeds the batch is an outage.
func TestBatchesAreNoOutages(t *testing.T) {
	for _, test := range []struct {
		name    string
		burst   func(day int) int // incidents of each agent from 02:00 on
		outages int
	}{
		{"every night", func(int) int { return 15 }, 0},
		{"once a week", func(day int) int { return 15 * (1 - min(1, day%7)) }, 0},
		{"on workdays, one of them far larger", func(day int) int {
			if day == 9 {
				return 60
			}
			return 15 * min(1, day%7/2)
		}, 1},
		{"every ninth night", func(day int) int { return 15 * (1 - min(1, day%9)) }, 4},
	} {
		var all []Cell
		for i := range 4 {
			c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "server_error", ""}}
			for hour := range 31 * 24 {
				n := 1
				if hour%24 == 2 {
					n = test.burst(hour / 24)
				}
				for range n {
					c.laid = append(c.laid, Chain{Opened: january().From.Add(time.Duration(hour) * time.Hour)})
				}
			}
			all = append(all, c)
		}
		if got := findOutages(all); len(got) != test.outages {
			t.Errorf("%s: %d outages, want %d: %+v", test.name, len(got), test.outages, got)
		}
	}
}

// Of one or two agents a burst is no outage; that it was left in is told, and
// nothing where there is none.
func TestBurstOfASmallFleetIsTold(t *testing.T) {
	for _, test := range []struct{ agents, burst, told int }{{1, 40, 40}, {2, 20, 40}, {3, 20, 0}, {1, 2, 0}} {
		var all []Cell
		for i := range test.agents {
			c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "server_error", ""}}
			for hour := range 400 {
				n := 1
				if hour == 200 {
					n = test.burst
				}
				for range n {
					c.laid = append(c.laid, Chain{Opened: january().From.Add(time.Duration(hour) * time.Hour), Retries: 1, Lost: true, Cap: 1, Cost: []Price{{Seconds: 1, Known: true}}})
				}
			}
			all = append(all, c)
		}
		notes := tune(all, &oddities{}, january(), TuneOptions{}).Notes
		switch i := slices.IndexFunc(notes, func(n Note) bool { return n.What == "bursts of a small fleet" }); {
		case i < 0 && test.told > 0, i >= 0 && notes[i].Incidents != test.told:
			t.Errorf("%d agents, a burst of %d each: notes %+v", test.agents, test.burst, notes)
		case i >= 0 && !strings.Contains(notes[i].Text.EN, "from 2026-01-09 08:00 to 2026-01-09 09:00 UTC"):
			t.Error(notes[i].Text.EN)
		}
	}
}

// A cap that changed splits the cell: the later side decides.
func TestChangedCap(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	before, after := chains(150, 5, nil, 60, r), chains(150, 1, []float64{0.6}, 10, r)
	c := Cell{Scope: Scope{"a", "op", "timeout", ""}, laid: spread(append(before, after...))}
	s := tune([]Cell{c}, &oddities{}, january(), TuneOptions{}).Suggestions[0]
	if s.N != 150 || *s.Current != 1 || s.Earlier == nil || s.Earlier.Verdict != Lower || *s.Earlier.Current != 5 || !strings.Contains(s.Reason.EN, "changed from 5 to 1") {
		t.Errorf("%+v, before %+v: %s", s, s.Earlier, s.Reason.EN)
	}
	mixed := append(chains(100, 5, nil, 60, r), chains(100, 1, nil, 60, r)...)
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if at, _, ok := capChange(spread(mixed)); ok {
		t.Errorf("two caps side by side are no change, but one was seen at %d", at)
	}
}

// Of many cells whose policies are right, chance moves some; control holds them.
func TestChangesByChanceAreWithheld(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	tests := make([]Suggestion, 400)
	for i := range tests {
		p := r.Float64() // what a true null gives
		tests[i] = Suggestion{Knob: "max_retries", Verdict: Lower, Current: number(3), Suggested: number(1), P: &p}
	}
	if n := withhold(tests); n < 399 {
		t.Errorf("%d of 400 changes by chance were withheld", n)
	}
	if s := tests[0]; s.Verdict != Keep || *s.Suggested != 3 || !s.Withheld || !strings.Contains(s.Reason.EN, "400 cells") {
		t.Errorf("%+v", s)
	}
}

// A success of a retry whose failures nobody told is no incident, and is counted;
// one of a first attempt is what should be.
func TestSuccessWithoutFailures(t *testing.T) {
	s := openStore(t, "")
	var rows []Row
	for i, attempt := range []int64{1, 3} {
		e := row(uint64(i+1), fmt.Sprint(attempt))
		e.Event.Kind, e.Event.Attempt = ingest.Success, ingest.Some(attempt)
		rows = append(rows, e)
	}
	if _, err := s.Append(t.Context(), upTo(2, rows...)); err != nil {
		t.Fatal(err)
	}
	db, err := s.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := Tune(t.Context(), db, month, TuneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Suggestions) != 0 || len(got.Notes) != 1 || got.Notes[0].What != "success without failures" || got.Notes[0].Incidents != 1 {
		t.Errorf("suggestions %+v, notes %+v", got.Suggestions, got.Notes)
	}
}
