package analyze

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// How many calls a turn may make follows from the turns that end by themselves.
func TestCallDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	// turns that end at a depth of 1 to deepest, cut off at a limit, and some that never end
	turns := func(n, deepest, runaways int, limit int64) (of []queries.CallDepth) {
		count := map[int64]map[bool]int64{}
		add := func(depth int64, passed bool) {
			if count[depth] == nil {
				count[depth] = map[bool]int64{}
			}
			count[depth][passed]++
		}
		for range n {
			d := int64(1 + r.IntN(deepest))
			add(min(d, limit), d <= limit)
		}
		for range runaways {
			add(limit, false)
		}
		for d := range limit + 1 {
			for _, passed := range []bool{false, true} {
				if count[d][passed] > 0 {
					of = append(of, queries.CallDepth{Agent: "a", Passed: passed, Depth: d, Turns: count[d][passed]})
				}
			}
		}
		return of
	}
	for _, test := range []struct {
		name     string
		of       []queries.CallDepth
		verdict  Verdict
		low, top int64 // suggested
		says     string
	}{
		{"short turns, a few without end", turns(1000, 8, 20, 40), Lower, 10, 10, "99% of the 1000 turns"},
		{"turns that need more", turns(1000, 30, 0, 20), Raise, 30, 30, "cuts off turns that would end"},
		{"it fits", turns(1000, 15, 20, 20), Keep, 20, 20, "fits"},
		{"few turns", turns(40, 8, 3, 20), TooLittleData, 0, 0, "60 more are needed"},
		{"two limits at a time", twoLimits(false), TooLittleData, 0, 0, "not the same one everywhere"},
		{"another limit since the 12th", twoLimits(true), Keep, 20, 20, "limit of 20 calls"},
		{"a limit of cost cuts off anywhere", scattered(), TooLittleData, 0, 0, "anywhere from 3 to 42 calls"},
		{"nobody tells", []queries.CallDepth{{Agent: "a", Depth: 0, Turns: 12}}, TooLittleData, 0, 0, "attribute call_depth"},
	} {
		s, ok := suggestCallDepth(depthCells(test.of)[0], TuneOptions{Worth: DefaultWorth})
		if !ok || s.Verdict != test.verdict || !strings.Contains(s.Reason.EN, test.says) || strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s: %s, %s %s", test.name, s.Verdict, s.Reason.EN, s.Reason.JA)
		}
		if e := s.Effect; (s.Verdict == Raise || s.Verdict == Lower) && (s.Prediction == nil || (e.Resolved > 0) != (s.Verdict == Raise) || (e.Calls > 0) != (s.Verdict == Raise) || !s.gains(TuneOptions{Worth: DefaultWorth})) {
			t.Errorf("%s: effect %+v, prediction %+v", test.name, e, s.Prediction)
		}
		if test.verdict != TooLittleData && (*s.Suggested < test.low || *s.Suggested > test.top) || test.verdict == TooLittleData && s.Needed < 1 && s.N < minCalls {
			t.Errorf("%s: %v, %d needed", test.name, s.Suggested, s.Needed)
		}
	}
	if _, ok := suggestCallDepth(Cell{Depths: []Duration{{Seconds: 3, Passed: true, Calls: 500}}}, TuneOptions{}); ok {
		t.Error("a suggestion where no limit is known to be in force")
	}
}

// twoLimits are turns that end by themselves by the eighth call, and runaways
// that a limit of 30 and one of 20 cuts off: at the same time, or one after the
// other.
func twoLimits(changed bool) (of []queries.CallDepth) {
	from, to := january().From, january().To
	change := from
	if changed {
		change = from.AddDate(0, 0, 11)
	}
	for d := int64(1); d <= 8; d++ {
		of = append(of, queries.CallDepth{Agent: "a", Passed: true, Depth: d, Turns: 100, First: from, Last: to})
	}
	old := to
	if changed {
		old = change.Add(-time.Hour)
	}
	return append(of,
		queries.CallDepth{Agent: "a", Passed: false, Depth: 20, Turns: 30, First: change, Last: to},
		queries.CallDepth{Agent: "a", Passed: true, Depth: 25, Turns: 12, First: from, Last: old},
		queries.CallDepth{Agent: "a", Passed: false, Depth: 30, Turns: 40, First: from, Last: old},
		queries.CallDepth{Agent: "a", Passed: true, Depth: 35, Turns: 12, First: from, Last: old})
}

// scattered are turns that are cut off at any number of calls.
func scattered() (of []queries.CallDepth) {
	for d := int64(1); d <= 8; d++ {
		of = append(of, queries.CallDepth{Agent: "a", Passed: true, Depth: d, Turns: 100})
		of = append(of, queries.CallDepth{Agent: "a", Depth: 5*d + 2, Turns: 6})
	}
	of = append(of, queries.CallDepth{Agent: "a", Depth: 3, Turns: 6})
	slices.SortStableFunc(of, func(a, b queries.CallDepth) int { return int(a.Depth - b.Depth) })
	return of
}

// stormy are the hours of a month, calm but for the last storms of them.
func stormy(storms, retries int, wins float64) []queries.TrafficHour {
	var out []queries.TrafficHour
	for i := range 720 {
		h := queries.TrafficHour{Agent: "a", Tries: 200, Retries: int64(5 + i%16), Won: 4, MS: 20_000}
		h.Hour = january().From.Add(time.Duration(i) * time.Hour)
		if i >= 720-storms {
			h.Retries, h.Won, h.MS = int64(retries), int64(wins*float64(retries)), int64(retries)*30_000
		}
		out = append(out, h)
	}
	return out
}

// A budget of retries is what calm hours need, where storms win too little.
func TestRetryBudget(t *testing.T) {
	ask := func(of []queries.TrafficHour, outages []Outage) Suggestion {
		cells := trafficCells(of, []string{"a"})
		if len(cells) != 1 {
			t.Fatalf("%d cells of one agent", len(cells))
		}
		calmHours(cells, outages)
		s, _ := suggestRetryBudget(cells[0], TuneOptions{Worth: DefaultWorth})
		if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s %s", s.Reason.EN, s.Reason.JA)
		}
		return s
	}
	outage := []Outage{{From: january().To.Add(-25 * time.Hour), To: january().To}}
	for _, test := range []struct {
		name    string
		of      []queries.TrafficHour
		verdict Verdict
		says    string
	}{
		{"a storm in vain", stormy(6, 600, 0), Lower, "0 of 3600 retries resolved"},
		{"a storm that wins", stormy(6, 600, 0.5), Keep, "no budget is needed"},
		{"no storm", stormy(0, 0, 0), Keep, "no storm"},
		{"nobody tells", nil, TooLittleData, "kind success, attempt 1"},
		{"few hours", stormy(0, 0, 0)[:60], TooLittleData, "40 more are needed"},
	} {
		if s := ask(test.of, outage); s.Verdict != test.verdict || !strings.Contains(s.Reason.EN, test.says) {
			t.Errorf("%s: %s, %s", test.name, s.Verdict, s.Reason.EN)
		}
	}
	// One agent alone has no outages: its storm of a thirtieth of the hours is in no 99 % point.
	if s := ask(stormy(24, 600, 0), nil); s.Verdict != Lower || *s.Suggested != 9 || !strings.Contains(s.Reason.EN, "0 of 14400 retries resolved") {
		t.Errorf("%s, %s", s.Verdict, s.Reason.EN)
	}
	s := ask(stormy(6, 600, 0), outage)
	// Calm hours have 20 retries at most: 17 beyond the spare, of 200 first tries.
	if *s.Suggested != 9 || s.Current != nil {
		t.Fatalf("%d %%", *s.Suggested)
	}
	if e := s.Effect; e.Retries != -6*(600-3-18) || e.WaitS != e.Retries*30 || e.Resolved != 0 {
		t.Errorf("effect %+v", e)
	}
	if s.Prediction == nil || s.Prediction.N >= s.N-720*200 || s.Prediction.Share < 0.3 { // 714 hours of 4 of 12.5, 6 of 0 of 21
		t.Errorf("%+v", s.Prediction)
	}
	if text := s.Setting(); text != "9" {
		t.Errorf("in a policy file: %s", text)
	}
}
