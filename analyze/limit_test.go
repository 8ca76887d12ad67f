package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/ingest"
)

// callsUnder are calls of a month that would take lognormal times, of which
// limits cut off what goes beyond: each from its day on. A limit of 0 is none;
// then one in five ends as a timeout at any time, as those of a busy server do.
func callsUnder(r *rand.Rand, n int, median, hang float64, limits map[int]float64) (of []Duration) {
	for i := range n {
		day := i * 31 / n
		limit := 0.0
		for from := range 31 {
			if at, ok := limits[from]; ok && from <= day {
				limit = at
			}
		}
		d := Duration{Seconds: median * math.Exp(0.5*r.NormFloat64()), Passed: true, Calls: 1}
		d.First = january().From.AddDate(0, 0, day)
		d.Last = d.First
		switch {
		case limit == 0:
			d.Passed = r.Float64() > 0.2
		case d.Seconds > limit || r.Float64() < hang:
			d.Seconds, d.Passed = limit*(1+0.02*r.Float64()), false // noticed a little late
		case r.IntN(50) == 0:
			d.Passed, d.Failed = false, true
		}
		of = append(of, d)
	}
	slices.SortFunc(of, func(a, b Duration) int { return int(math.Copysign(1, a.Seconds-b.Seconds)) })
	return of
}

// Where the limit is known the tuner finds it, and changes it the right way;
// where there is none it says so; and what it promises is what a replay tells.
func TestTimeoutOfKnownLimits(t *testing.T) {
	tuner := &timeout
	for _, test := range []struct {
		name         string
		median, hang float64
		limits       map[int]float64
		current      int64 // 0: none is known
		verdict      Verdict
	}{
		{"much too long", 2, 0.1, map[int]float64{0: 120}, 120, Lower},
		{"cuts off what would pass", 30, 0, map[int]float64{0: 40}, 40, Raise},
		{"fits", 3, 0.3, map[int]float64{0: 11}, 11, Keep},
		{"none", 60, 0, nil, 0, TooLittleData},
		{"raised on the 12th", 2, 0.1, map[int]float64{0: 60, 12: 120}, 120, Lower},
		{"lowered on the 12th", 2, 0.1, map[int]float64{0: 120, 12: 60}, 60, Lower},
		// Of what passed before the 12th a replay loses some: the next month tells.
		{"lowered too far on the 12th", 30, 0.02, map[int]float64{0: 200, 12: 40}, 40, Keep},
	} {
		right := 0
		for seed := range uint64(100) {
			of := callsUnder(rand.New(rand.NewPCG(seed, 77)), 600, test.median, test.hang, test.limits)
			s, ok := tuner.suggest(Cell{Durations: of}, TuneOptions{Worth: DefaultWorth})
			if !ok {
				t.Fatalf("%s: nothing is said", test.name)
			}
			known := s.Current == nil && test.current == 0 || s.Current != nil && math.Abs(float64(*s.Current-test.current)) <= 0.03*float64(test.current)
			if known && s.Verdict == test.verdict {
				right++
			} else {
				t.Logf("%s: %s: %s", test.name, s.Verdict, s.Reason.EN)
			}
			if s.isChange() && s.Prediction == nil {
				t.Errorf("%s: %s without a prediction", test.name, s.Verdict)
			}
			if change := s.isChange(); change && s.Effect != underOf(of, *s.Suggested) || change && s.gain(TuneOptions{Worth: DefaultWorth}) <= 0 {
				t.Errorf("%s: effect %+v", test.name, s.Effect)
			}
			if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") || s.Reason.JA == "" {
				t.Errorf("%s: %+v", test.name, s.Reason)
			}
		}
		if right < 95 {
			t.Errorf("%s: right in %d of 100 fleets", test.name, right)
		}
	}
}

// What the reason counts is what there is: of the calls that were still running
// in the last fifth before the limit, those that passed there and not beyond.
func TestTimeoutCountsBeforeTheLimit(t *testing.T) {
	of := []Duration{{Seconds: 1, Passed: true, Calls: 200}, {Seconds: 8.5, Passed: true, Calls: 30}, {Seconds: 10, Calls: 60}, {Seconds: 24, Passed: true, Calls: 2}}
	s, _ := suggestTimeout(Cell{Durations: of}, TuneOptions{})
	if want := "Of 92 calls still running in the last fifth before the limit of 10 s, 30 passed there"; !strings.Contains(s.Reason.EN, want) {
		t.Errorf("%s\nwant %s", s.Reason.EN, want)
	}
	of[3].Calls = 40
	if s, _ = suggestTimeout(Cell{Durations: of}, TuneOptions{}); s.Verdict != TooLittleData || s.Current != nil {
		t.Errorf("40 calls passed beyond it, but %v is the limit: %s", *s.Current, s.Reason.EN)
	}
}

// A change without a gain is not made, and what is kept stays as it is.
func TestNoGainNoChange(t *testing.T) {
	suggested := Suggestion{Knob: maxRetriesKnob, Current: number(2), Suggested: number(3), Verdict: Raise, Extrapolated: true}
	for _, test := range []struct {
		knob    string
		verdict Verdict
		effect  Effect
		want    Verdict
	}{
		{maxRetriesKnob, Raise, Effect{}, Keep}, // nobody stood at the limit
		{maxRetriesKnob, Raise, Effect{Resolved: 4, Retries: 20, WaitS: 120}, Raise},
		{maxRetriesKnob, Raise, Effect{Resolved: 0.4, Retries: 2, WaitS: 12}, Keep}, // nobody would see it
		{maxRetriesKnob, Lower, Effect{Retries: -2, WaitS: -900}, Keep},
		{maxRetriesKnob, Lower, Effect{Resolved: -1, Retries: -200, WaitS: -4000}, Lower},
		{stopAfterName, Lower, Effect{Resolved: -97, Retries: -8000, WaitS: -1649}, Keep}, // hardly any recovers, but for next to nothing
		{stopAfterName, Lower, Effect{Resolved: -2, Retries: -800, WaitS: -600, Tokens: -7e6}, Lower},
		{stopAfterName, Lower, Effect{Retries: -30}, Lower}, // for free, and in vain
		{delaysKnob, Raise, Effect{WaitS: 1708}, Keep},      // as many resolved, and longer waits
		{delaysKnob, Raise, Effect{Retries: -20, WaitS: 100}, Keep},
		{delaysKnob, Lower, Effect{Resolved: -2, WaitS: -1000}, Keep}, // two resolutions are worth 1,200 s
		{delaysKnob, Lower, Effect{WaitS: -100}, Lower},
		{timeoutName, Lower, Effect{WaitS: 11510}, Keep},
		{timeoutName, Lower, Effect{Resolved: -5, WaitS: -2000}, Keep}, // five resolutions are worth 3,000 s
		{timeoutName, Raise, Effect{Resolved: 5, WaitS: 2000}, Raise},
		{callDepthName, Raise, Effect{}, Keep}, // no turn was cut off
		{callDepthName, Raise, Effect{Resolved: 5, Calls: 30}, Raise},
		{callDepthName, Lower, Effect{Resolved: -5, Calls: -100}, Keep}, // five turns are worth more than a hundred calls
		{callDepthName, Lower, Effect{Resolved: -1, Calls: -600}, Lower},
	} {
		s := suggested
		s.Verdict, s.Effect = test.verdict, test.effect
		tuner := Tuner{Knob: test.knob, Suggest: func(Cell, TuneOptions) (Suggestion, bool) { return s, true }}
		got, _ := tuner.suggest(Cell{}, TuneOptions{Worth: DefaultWorth, TokenPrice: DefaultTokenPrice})
		if got.Verdict != test.want || test.want == Keep && (*got.Suggested != 2 || got.Extrapolated || got.Effect != (Effect{}) || got.Reason.JA == "") {
			t.Errorf("%s %s with %+v: %+v", test.verdict, test.knob, test.effect, got)
		}
		if strings.Contains(got.Reason.EN+got.Reason.JA, "%!") {
			t.Errorf("%s %s: %+v", test.verdict, test.knob, got.Reason)
		}
	}
}

// A raise of the retries of a cell in which nobody stands at the limit is none.
func TestNobodyAtTheLimit(t *testing.T) {
	var of []Chain
	for i := range 40 {
		c := Chain{Retries: 1 + i%2, Cap: 2, Won: true, Opened: january().From.Add(time.Duration(i) * time.Hour)}
		if i == 0 {
			c.Retries, c.Won = 1, false // open, but not at the limit
		}
		for range c.Retries {
			c.Cost = append(c.Cost, Price{Seconds: 6, Known: true})
		}
		of = append(of, c)
	}
	s, ok := maxRetries.suggest(Cell{laid: of}, TuneOptions{Worth: DefaultWorth})
	if !ok || s.Verdict != Keep || *s.Suggested != 2 {
		t.Errorf("%s to %d: %s", s.Verdict, *s.Suggested, s.Reason.EN)
	}
}

// What a change of a timeout promises is what tune replay tells of it.
func TestTimeoutEffectIsItsReplay(t *testing.T) {
	s := openStore(t, "")
	var rows []Row
	for op, limit := range map[string]float64{"long": 120, "short": 3} {
		for _, d := range callsUnder(rand.New(rand.NewPCG(5, 6)), 600, 2, 0.1, map[int]float64{0: limit}) {
			at := uint64(len(rows) + 1)
			e := row(at, fmt.Sprint("call", at))
			e.Event.Agent, e.Event.Operation, e.Event.Incident, e.Event.DurationMS = "a", op, fmt.Sprint("i", at), ingest.Some(int64(1000*d.Seconds))
			e.Event.Kind, e.Tag.Category = ingest.Failure, "timeout"
			if d.Passed {
				e.Event.Kind, e.Tag.Category = ingest.Success, ""
			} else if d.Failed {
				e.Tag.Category = "network"
			}
			rows = append(rows, e)
		}
	}
	if _, err := s.Append(t.Context(), upTo(uint64(len(rows)), rows...)); err != nil {
		t.Fatal(err)
	}
	tuning, err := Tune(t.Context(), s.Reader(), month, TuneOptions{Knobs: []string{timeoutName}})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]Verdict{}
	for _, c := range tuning.Suggestions {
		verdicts[c.Scope.Operation] = c.Verdict
		text, err := Patch([]Suggestion{c})
		if err != nil {
			t.Fatal(err)
		}
		policy, err := ParsePolicies(text)
		if err != nil {
			t.Fatal(err)
		}
		replayed, err := Replay(t.Context(), s.Reader(), month, policy, nil)
		if err != nil || replayed[0].Knob != timeoutName || replayed[0].Effect != c.Effect || c.Effect == (Effect{}) {
			t.Errorf("%s: %+v, its replay %+v, %v", c.Scope.Operation, c.Effect, replayed[0], err)
		}
	}
	if verdicts["long"] != Lower || verdicts["short"] != Raise {
		t.Errorf("%v", verdicts)
	}
}
