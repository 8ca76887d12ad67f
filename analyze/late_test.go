package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func underOf(of []Duration, limit int64) Effect {
	e, _ := under(of, float64(limit))
	return e
}

// A span is calls whose durations are lognormal, of which a share hangs for ever,
// under a limit; more is how many pass between it and a longer one.
func spanOf(r *rand.Rand, n int, median, spread, hang, limit, longer float64) (of []Duration, more float64) {
	for range n {
		d := median * math.Exp(spread*r.NormFloat64())
		if r.Float64() < hang {
			d = math.Inf(1)
		}
		if d > limit && d <= longer {
			more++
		}
		of = append(of, Duration{Seconds: math.Round(1000*min(d, limit*(1+0.002*r.Float64()))) / 1000, Passed: d <= limit, Calls: 1})
	}
	slices.SortFunc(of, func(a, b Duration) int {
		if a.Seconds < b.Seconds {
			return -1
		}
		return 1
	})
	return of, more
}

// What a longer timeout promises of calls that a limit cut off comes true at
// least, and its interval holds what the next span shows. Where the tail has
// nearly ended before the limit, waiting for what hangs is not worth it.
func TestTimeoutsPromiseWhatIsLikelyAtLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(137, 138))
	for _, test := range []struct {
		name                 string
		n                    int
		median, spread, hang float64
		limit, longer        float64
		verdict              Verdict
	}{
		{"the tail has ended", 3000, 3, 0.3, 0.03, 8, 12, Keep},
		{"the tail has ended, and little hangs", 3000, 3, 0.3, 0.005, 8, 12, Keep},
		{"a quarter is cut off", 3000, 8, 0.6, 0, 12, 18, Raise},
		{"some are cut off, some hang", 3000, 8, 0.4, 0.05, 12, 18, Raise},
	} {
		const spans = 100
		var interval held
		kept, verdicts, promised, truth := 0, 0, 0.0, 0.0
		for range spans {
			of, _ := spanOf(r, test.n, test.median, test.spread, test.hang, test.limit, test.longer)
			_, next := spanOf(r, test.n, test.median, test.spread, test.hang, test.limit, test.longer)
			e, _ := under(of, test.longer)
			interval.add(e.Interval.Resolved, next)
			promised, truth = promised+e.Resolved, truth+next
			s, _ := suggestTimeout(Cell{Durations: of}, TuneOptions{Worth: DefaultWorth})
			if s.Verdict == test.verdict {
				verdicts++
			}
			if s.Verdict == Raise && s.Prediction.Low <= s.Prediction.Share && s.Prediction.Share < s.Prediction.High {
				kept++
			}
			if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
				t.Fatal(s.Reason)
			}
		}
		t.Logf("%s: promised %.1f, true %.1f, held in %.1f %%, %s in %d", test.name, promised/spans, truth/spans, 100*float64(interval.in)/spans, test.verdict, verdicts)
		if float64(interval.in) < 0.93*spans {
			t.Errorf("%s: the interval holds the next span's in %d of %d", test.name, interval.in, spans)
		}
		if promised > truth || verdicts < 0.95*spans || test.verdict == Raise && kept < verdicts {
			t.Errorf("%s: promised %.1f of %.1f; %s in %d of %d", test.name, promised/spans, truth/spans, test.verdict, verdicts, spans)
		}
	}
}
