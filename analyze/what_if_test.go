package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

func policies(t *testing.T, text string) *Policies {
	t.Helper()
	p, err := ParsePolicies([]byte("version: 1\npolicies:\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A stricter policy is replayed exactly: by hand on four incidents.
func TestReplayIsExactWhereStricter(t *testing.T) {
	cost := func(s ...float64) (out []Price) {
		for _, x := range s {
			out = append(out, Price{Seconds: x, Waited: x, Tokens: 100, USD: 0.01, Known: true})
		}
		return out
	}
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: []Chain{
		{Retries: 1, Won: true, Cap: 3, Cost: cost(5)},
		{Retries: 3, Won: true, Cap: 3, Cost: cost(5, 15, 30)}, // is lost under one retry
		{Retries: 3, Lost: true, Cap: 3, Cost: cost(5, 15, 30)},
		{Retries: 0, Lost: true, Cap: 3},
	}}
	one := policies(t, "  - agent: a\n    max_retries: 1\n")
	rows := replayCells([]Cell{c}, queries.Filter{}, one, nil)
	if len(rows) != 2 {
		t.Fatalf("%d rows, want the cell and the sum", len(rows))
	}
	e := rows[0].Effect
	if e.Resolved != -1 || e.Retries != -4 || e.WaitS != -90 || e.Tokens != -400 || e.CostUSD != -0.04 || rows[0].Extrapolated {
		t.Errorf("%+v", rows[0])
	}
	if e := rows[1].Effect; e.Retries != -4 || rows[1].Incidents != 4 {
		t.Errorf("sum %+v", rows[1])
	}
	stop := policies(t, "  - agent: a\n    stop_after: 2\n") // two failures are one retry
	if got := replayCells([]Cell{c}, queries.Filter{}, stop, one); len(got) != 1 || got[0].Effect != (Effect{}) {
		t.Errorf("stop_after 2 against max_retries 1: %+v", got)
	}
	late := policies(t, "  - agent: a\n    stop_after: 9\n") // it forbids, and allows nothing
	if got := replayCells([]Cell{c}, queries.Filter{}, late, nil); len(got) != 1 || got[0].Effect != (Effect{}) {
		t.Errorf("stop_after 9 where 3 retries are allowed: %+v", got)
	}
	slow := policies(t, "  - agent: a\n    delays: [10]\n")
	if got := replayCells([]Cell{c}, queries.Filter{}, slow, nil)[0]; !got.Extrapolated || got.Effect.WaitS != 5+5-5-20+5-5-20 {
		t.Errorf("%+v", got)
	}
}

// A looser policy is an expectation, and says so; it meets the truth.
func TestReplayWhereLooser(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	mixed := append(chains(4000, 1, []float64{0.5, 0.4}, 5, r), chains(4000, 2, []float64{0.5, 0.4}, 5, r)...)
	rows := replayCells([]Cell{{Scope: Scope{Agent: "a"}, laid: mixed}}, queries.Filter{}, policies(t, "  - max_retries: 2\n"), nil)
	want := 4000 * 0.5 * 0.4 // those that one retry cut off
	if e := rows[0].Effect; !rows[0].Extrapolated || math.Abs(e.Resolved-want) > 80 || e.Interval.Resolved[0] > want || e.Interval.Resolved[1] < want {
		t.Errorf("%+v, want about %.0f resolved more", rows[0], want)
	}
}

// Of retries that nobody made one wins as the lower bound tells; those behind it
// are paid for and made in vain, so that a cap of 100 does not look cheap.
func TestReplayFarBeyondTheRecord(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	c := Cell{Scope: Scope{Agent: "a"}, laid: chains(2000, 3, []float64{0.3, 0.2, 0.1}, 20, r)}
	under := func(cap int) Replayed {
		return replayCells([]Cell{c}, queries.Filter{}, policies(t, fmt.Sprintf("  - max_retries: %d\n", cap)), nil)[0]
	}
	four, hundred := under(4), under(100)
	if four.Told != 0 || hundred.Told != 4 || !hundred.Extrapolated {
		t.Errorf("told of %d and %d", four.Told, hundred.Told)
	}
	lost := four.Effect.Retries - four.Effect.Resolved // each that a fourth retry loses makes 96 more
	if e := hundred.Effect; e.Resolved != four.Effect.Resolved || math.Abs(e.Retries-four.Effect.Retries-96*lost) > 1 || math.Abs(e.WaitS-20*e.Retries) > 1 {
		t.Errorf("%+v, with one more %+v", e, four.Effect)
	}
}

// What tune says of a cap is what the replay of its own patch says, bounds too.
func TestReplayTellsWhatTuneTells(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for _, test := range []struct {
		n, cap  int
		hazards []float64
		seconds float64
	}{
		{400, 1, []float64{0.5, 0.5}, 10}, // raise, extrapolated
		{800, 2, []float64{0.4, 0.2}, 10},
		{400, 4, []float64{0.6}, 40}, // lower
	} {
		c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: spread(chains(test.n, test.cap, test.hazards, test.seconds, r))}
		s, ok := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth})
		if !ok || !s.isChange() {
			t.Fatalf("%s: %s", s.Verdict, s.Reason.EN)
		}
		got := replayCells([]Cell{c}, queries.Filter{}, policies(t, fmt.Sprintf("  - max_retries: %d\n", *s.Suggested)), nil)[0]
		if got.Effect != s.Effect || got.Extrapolated != s.Extrapolated {
			t.Errorf("%d → %d: tune says %+v, its replay %+v", *s.Current, *s.Suggested, s.Effect, got.Effect)
		}
	}
}

// Outages are in the sum of a replay, and what of it lies in them is told; of
// what tune leaves out it tells the same.
func TestReplayTellsOfOutages(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	at := january().From.Add(20*24*time.Hour + 13*time.Hour)
	var all []Cell
	for i := range 4 {
		c := Cell{Scope: Scope{fmt.Sprint("agent", i), "op", "server_error", ""}, laid: spread(chains(200, 3, []float64{0.6}, 200, r))}
		for _, hit := range chains(120, 3, []float64{0, 0.2, 0.5}, 200, r) { // what passes does so late
			hit.Opened = at.Add(time.Duration(r.IntN(7200)) * time.Second)
			c.laid = append(c.laid, hit)
		}
		slices.SortStableFunc(c.laid, func(a, b Chain) int { return a.Opened.Compare(b.Opened) })
		all = append(all, c)
	}
	var says []Suggestion
	for _, s := range tune(all, &oddities{}, january(), TuneOptions{}).Suggestions {
		if s.Knob == maxRetriesKnob && s.Verdict == Lower {
			says = append(says, s)
		}
	}
	if len(says) != 4 {
		t.Fatalf("%d of 4 cells are lowered", len(says))
	}
	for _, row := range replayCells(all, queries.Filter{}, policies(t, "  - max_retries: 1\n"), nil) {
		if row.InOutages == nil || row.InOutages.Effect.Resolved > -20 {
			t.Fatalf("%v: in outages %+v", row.Scope, row.InOutages)
		}
		for _, s := range says {
			if s.Scope != row.Scope {
				continue
			}
			if calm := row.Effect.Resolved - row.InOutages.Effect.Resolved; *s.Suggested != 1 || math.Abs(calm-s.Effect.Resolved) > 0.01 || s.Outages.Effect == nil || *s.Outages.Effect != row.InOutages.Effect || s.Outages.Incidents != row.InOutages.Incidents {
				t.Errorf("tune: %+v, in outages %+v; replay %+v, in outages %+v", s.Effect, s.Outages, row.Effect, row.InOutages)
			}
			if !strings.Contains(s.Reason.EN, "In them it comes to -") {
				t.Error(s.Reason.EN)
			}
		}
	}
}

// What nobody ever retried would be retried under a policy that allows it, and
// nobody knows to what end: it is not told as no change.
func TestReplayOfWhatNobodyRetried(t *testing.T) {
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}}
	for i := range 300 {
		chain := Chain{Cap: 0, Lost: i > 0}
		if i%100 == 99 {
			chain.Cap = 5 // it may retry, and does not
		}
		c.laid = append(c.laid, chain)
	}
	rows := replayCells([]Cell{c}, queries.Filter{}, policies(t, "  - max_retries: 4\n"), nil)
	if r := rows[0]; len(rows) != 2 || !r.Untried || !r.Extrapolated || r.Effect.Resolved != 0 || r.Effect.Retries != 4*296 || r.Effect.WaitS != 4*296*defaultPrice {
		t.Errorf("%+v", rows)
	}
	for _, text := range []string{"  - max_retries: 0\n", "  - stop_after: 4\n", "  - delays: [1]\n"} {
		if rows := replayCells([]Cell{c}, queries.Filter{}, policies(t, text), nil); len(rows) != 1 || rows[0].Untried {
			t.Errorf("%s: %+v", text, rows)
		}
	}
}
