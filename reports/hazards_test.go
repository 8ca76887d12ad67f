package reports

import (
	"slices"
	"strings"
	"testing"

	"hansei/analyze"
)

// The chart has the retries of the first changes, each with its bounds and the
// chance from which on it pays.
func TestHazardChart(t *testing.T) {
	suggested := int64(1)
	change := analyze.Suggestion{Scope: analyze.Scope{Agent: "a"}, Knob: "max_retries", Verdict: analyze.Lower, Suggested: &suggested, Evidence: []analyze.Evidence{
		{Retry: 1, AtRisk: 100, Won: 60, BelievedLow: 0.5, BelievedHigh: 0.7, Pays: 0.05},
		{Retry: 2, AtRisk: 40, Won: 0, BelievedHigh: 0.04, Pays: 7},
	}}
	keep, other := change, change
	keep.Verdict, other.Knob = analyze.Keep, "stop_after"
	r := &Report{Options: Options{Lang: EN, Suggestions: []analyze.Suggestion{keep, other, change}}}
	c := r.hazardChart()
	if c == nil || !slices.Equal(c.Labels, []string{"a", "retry 2"}) || !slices.Equal(c.Series[0].Values, []float64{50, 0}) ||
		!slices.Equal(c.Series[1].Values, []float64{20, 4}) || !slices.Equal(c.Marks[0].Values, []float64{5, 100}) {
		t.Fatalf("%+v", c)
	}
	spec, err := c.spec()
	if err != nil || !strings.Contains(string(spec), `"type":"scatter"`) {
		t.Errorf("no marks are drawn: %s, %v", spec, err)
	}
	r.Lang = JA
	if tip := r.hazardChart().Tips[0]; tip != "a、リトライ1\n100件中60件が解決：50%〜70%\n見合うのは5.0%から" {
		t.Errorf("tip %q", tip)
	}
	r.Suggestions = []analyze.Suggestion{keep}
	if c := r.hazardChart(); c != nil {
		t.Errorf("nothing changes, but %+v", c)
	}
}
