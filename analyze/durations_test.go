package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"hansei/ingest"
	"hansei/queries"
)

// Calls that are told in one row say the same about a timeout as each alone.
func TestDurationsToldTogether(t *testing.T) {
	s := openStore(t, "")
	r := rand.New(rand.NewPCG(91, 92))
	want := map[Scope][]Duration{}
	var rows []Row
	calls := 0
	for op := range 12 {
		scope := Scope{Agent: fmt.Sprint("agent", op%3), Operation: fmt.Sprint("op", op)}
		limit, early := int64(1000*(1+r.IntN(60))), op%4 == 1
		for range 20 + r.IntN(400) {
			took := int64(r.ExpFloat64() * float64(limit) / []float64{1, 2, 5, 25}[op%4])
			if op%4 == 2 {
				took = r.Int64N(limit)
			}
			passed := op%4 == 0 || took < limit
			switch {
			case early && r.IntN(20) == 0:
				passed = false // cut off anywhere
			case !passed, op%4 > 0 && r.IntN(20) == 0:
				passed, took = false, limit
			}
			calls++
			e := row(uint64(calls), fmt.Sprint("call", calls))
			e.Event.Agent, e.Event.Operation, e.Event.Incident, e.Event.DurationMS = scope.Agent, scope.Operation, fmt.Sprint("i", calls), ingest.Some(took)
			e.Event.Kind, e.Tag.Category = ingest.Failure, "timeout"
			if passed {
				e.Event.Kind, e.Tag.Category = ingest.Success, ""
			}
			rows = append(rows, e)
			want[scope] = append(want[scope], Duration{Seconds: float64(took) / 1000, Passed: passed, Calls: 1})
		}
	}
	if _, err := s.Append(t.Context(), upTo(uint64(calls), rows...)); err != nil {
		t.Fatal(err)
	}
	of, err := queries.Durations(t.Context(), s.Reader(), month)
	if err != nil {
		t.Fatal(err)
	}
	if len(of) > calls/3 {
		t.Errorf("%d rows for %d calls", len(of), calls)
	}
	verdicts := map[Verdict]bool{}
	for _, got := range durationCells(of) {
		each := Cell{Scope: got.Scope, Durations: want[got.Scope]}
		slices.SortStableFunc(each.Durations, func(a, b Duration) int {
			if a.Seconds != b.Seconds {
				return int(math.Copysign(1, a.Seconds-b.Seconds))
			}
			return map[bool]int{true: 1, false: -1}[a.Passed]
		})
		a, asked := suggestTimeout(got, TuneOptions{Worth: DefaultWorth})
		b, _ := suggestTimeout(each, TuneOptions{Worth: DefaultWorth})
		verdicts[a.Verdict] = asked
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%v: %+v, want %+v", got.Scope, a, b)
		}
		if a, b := observeCalls(nil, got), observeCalls(nil, each); a != b {
			t.Errorf("%v: %+v, want %+v", got.Scope, a, b)
		}
	}
	if len(durationCells(of)) != len(want) || len(verdicts) < 3 {
		t.Errorf("%d operations, want %d; verdicts %v", len(durationCells(of)), len(want), verdicts)
	}
}
