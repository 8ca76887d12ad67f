package reports

import (
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// Days whose events have expired are no days without incidents.
func TestDaysExpired(t *testing.T) {
	for _, test := range []struct {
		expired int64
		want    string
	}{
		{0, "On 25 days there was none."},
		{5, "The events of the first 20 days have expired (serve --keep), so nothing is said of them."},
	} {
		r := &Report{Options: Options{Span: queries.Month(2026, time.March, time.UTC), Lang: EN}}
		for _, day := range []string{"2026-03-21", "2026-03-22", "2026-03-23", "2026-03-24", "2026-03-25", "2026-03-31"} {
			r.Daily = append(r.Daily, queries.Day{Day: day, Taxonomy: "transient", Incidents: 3})
		}
		r.Ledger.Expired = test.expired
		b := buildDaily(r)
		if lead := strings.Join(b.Lead, " "); !strings.Contains(lead, test.want) {
			t.Errorf("%d events expired: %s", test.expired, lead)
		}
		if first := b.Table.Rows[0][1].Text; (first == "expired") != (test.expired > 0) {
			t.Errorf("%d events expired: the first day says %q", test.expired, first)
		}
	}
}
