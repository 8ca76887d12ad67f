package reports

import (
	"strings"
	"testing"

	"hansei/analyze"
	"hansei/queries"
)

func TestChangeWords(t *testing.T) {
	span := months[0].span
	r := &Report{Options: Options{Span: span, Lang: EN}, Before: Before{Span: span}}
	for _, test := range []struct {
		got  change
		want string
	}{
		{r.countChange(60, 120, 30, 30), "30 → 60: +100% (+27% to +221%)"},
		{r.countChange(45, 67, 40, 60), "40 → 45: no clear change (-28% to +77%)"},
		{r.countChange(60, 120, 0, 0), "0 → 60: new"},
		{r.countChange(2, 2, 0, 0), "0 → 2: no clear change"},
		{r.countChange(0, 0, 60, 120), "60 → 0: -100% (-100% to -94%)"},
		{r.countChange(0, 0, 0, 0), "0 → 0: no clear change"},
		{r.rateChange(36, 40, 12, 20), "60% (12 of 20) → 90% (36 of 40): +30 points (+8 to +52)"},
		{r.rateChange(2, 3, 1, 4), "1 of 4 → 2 of 3: no clear change (-23 to +76)"},
		{r.rateChange(0, 0, 1, 4), ""},
		{r.meanChange(analyze.Sample{N: 1, Sum: 3, Squares: 9}, analyze.Sample{N: 4, Sum: 8, Squares: 20}), ""},
	} {
		if test.got.full != test.want {
			t.Errorf("%q, want %q", test.got.full, test.want)
		}
		if strings.Contains(test.got.words, "no clear") != (test.got.known && !test.got.Clear) {
			t.Errorf("%q is clear: %v", test.got.full, test.got.Clear)
		}
	}
}

// A code makes the first screen by its rise only where it matters.
func TestStandout(t *testing.T) {
	code := func(key string, n, squares int64) queries.Group {
		return queries.Group{Dimension: queries.ByCode, Key: key, Incidents: n, DaySquares: squares}
	}
	r := &Report{Options: Options{Span: months[0].span, Lang: EN}}
	r.Before = Before{Span: months[0].span, Totals: queries.Totals{Incidents: 900}, index: map[groupKey]queries.Group{}}
	for _, g := range []queries.Group{code("BIG", 800, 21000), code("RISEN", 20, 20), code("SMALL", 0, 0)} {
		r.Before.index[keyOf(g)] = g
	}
	r.Totals.Incidents = 1000
	r.Groups = map[queries.Dimension][]queries.Group{queries.ByCode: {code("BIG", 810, 21500), code("RISEN", 100, 400), code("SMALL", 19, 19)}}
	if g, ok := r.standout(); !ok || g.Key != "RISEN" {
		t.Errorf("%+v stands out, want RISEN", g)
	}
	r.Groups[queries.ByCode][1] = code("RISEN", 20, 20)
	if g, _ := r.standout(); g.Key != "BIG" {
		t.Errorf("%+v stands out, want BIG", g)
	}
}
