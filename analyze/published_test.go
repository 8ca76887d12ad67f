package analyze

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Published defaults stand beside a cell with too little data, and change
// nothing of what is told of any cell.
func TestPublishedDefaultsStandBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	cell := func(n int, category string) Cell {
		return Cell{Scope: Scope{"a", "op", category, ""}, laid: spread(chains(n, 3, []float64{0.5, 0.3, 0.1}, 20, r))}
	}
	for _, test := range []struct {
		cell Cell
		want map[string][]string // by knob: system and setting
	}{
		{cell(6, "rate_limit"), map[string][]string{"max_retries": {"AWS SDK 2", "Claude Code 10", "Temporal "}, "delays": {"AWS SDK [1, 2]", "Temporal [1, 2, 4, 8, 16, 32, 64, 100]"}}},
		{cell(6, "network"), map[string][]string{"max_retries": {"AWS SDK 2", "Claude Code 10", "Temporal "}, "delays": {"AWS SDK [0.05, 0.1]", "Temporal [1, 2, 4, 8, 16, 32, 64, 100]"}}},
		{cell(6, "auth"), map[string][]string{"max_retries": {"Temporal "}, "delays": {"Temporal [1, 2, 4, 8, 16, 32, 64, 100]"}}},
		{cell(300, "network"), map[string][]string{}},
	} {
		got := map[string][]string{}
		for _, s := range tune([]Cell{test.cell}, &oddities{}, january(), TuneOptions{}).Suggestions {
			for _, p := range s.Published {
				got[s.Knob] = append(got[s.Knob], p.System+" "+p.Setting)
				if p.Source == "" || s.Verdict != TooLittleData || s.Suggested != nil {
					t.Errorf("%s, %s: %+v", s.Knob, s.Verdict, p)
				}
			}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s, %d incidents: %q, want %q", test.cell.Scope.Category, len(test.cell.laid), got, test.want)
		}
	}
}
