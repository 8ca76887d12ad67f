package reports

import (
	"strings"
	"testing"

	"hansei/queries"
)

// The code of the first screen whose incidents mostly came from one outage is
// told with it; one of which an outage has few is not.
func TestOutageOfTheFirstScreen(t *testing.T) {
	db := openTest(t)
	acme := months[0].span
	acme.Filter = queries.Filter{Provider: "acme"}
	for _, test := range []struct {
		span   queries.Span
		en, ja string
	}{
		{acme, "14 of them from one outage of acme on January 14,", "うち14件が1月14日のacmeの障害によるもの、"},
		{months[0].span, "", ""},
	} {
		for lang, want := range map[Lang]string{EN: test.en, JA: test.ja} {
			got := collect(t, db, Options{Span: test.span, Lang: lang}).whatStoodOut()
			told := strings.Contains(got, "outage") || strings.Contains(got, "障害")
			if told != (want != "") || !strings.Contains(got, want) {
				t.Errorf("%q, want %q in it", got, want)
			}
		}
	}
	r := collect(t, db, Options{Span: acme})
	for _, test := range []struct {
		of   int64
		lang Lang
		want string
	}{
		{14, EN, "all of them from one"},
		{15, EN, "nearly all of them (14) from one"},
		{16, EN, "14 of them from one"},
		{14, JA, "すべてが1月14日"},
		{15, JA, "ほぼすべて（14件）が1月14日"},
	} {
		r.Lang = test.lang
		if got := r.fromOutage(queries.Group{Incidents: test.of}); !strings.HasPrefix(got, test.want) {
			t.Errorf("14 of %d: %q, want %q", test.of, got, test.want)
		}
	}
}
