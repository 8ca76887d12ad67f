package deliver

import (
	"strings"
	"testing"
	"time"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func TestDue(t *testing.T) {
	for _, test := range []struct {
		name     string
		zone     string
		schedule Schedule
		now      string // UTC
		want     string
	}{
		{"before the hour", "UTC", Schedule{Day: 1, Hour: 6}, "2026-02-01T05:59:59Z", "month.2025-12"},
		{"at the hour", "UTC", Schedule{Day: 1, Hour: 6}, "2026-02-01T06:00:00Z", "month.2026-01"},
		{"at the end of the month", "UTC", Schedule{Day: 1, Hour: 6}, "2026-02-28T23:59:59Z", "month.2026-01"},
		{"January follows December", "UTC", Schedule{Day: 3, Hour: 0}, "2026-01-03T00:00:00Z", "month.2025-12"},
		{"a later day", "UTC", Schedule{Day: 28, Hour: 6}, "2026-03-27T12:00:00Z", "month.2026-01"},
		{"Tokyo is ahead", "Asia/Tokyo", Schedule{Day: 1, Hour: 6}, "2026-01-31T21:00:00Z", "month.2026-01"},
		{"Tokyo a second before", "Asia/Tokyo", Schedule{Day: 1, Hour: 6}, "2026-01-31T20:59:59Z", "month.2025-12"},
		{"Honolulu is behind", "Pacific/Honolulu", Schedule{Day: 1, Hour: 6}, "2026-02-01T15:59:59Z", "month.2025-12"},
		{"an hour that the clocks skip", "Europe/Berlin", Schedule{Hour: 2, Minute: 30, Digest: Day}, "2026-03-29T01:29:59Z", "day.2026-03-27"},
		{"and after it", "Europe/Berlin", Schedule{Hour: 2, Minute: 30, Digest: Day}, "2026-03-29T01:30:00Z", "day.2026-03-28"},
		{"an hour that comes twice counts once", "Europe/Berlin", Schedule{Hour: 2, Minute: 30, Digest: Day}, "2026-10-25T01:30:00Z", "day.2026-10-24"},
		{"a midnight that the clocks skip", "America/Santiago", Schedule{Hour: 6, Digest: Day}, "2026-09-06T10:00:00Z", "day.2026-09-05"},
		{"the week on Monday", "UTC", Schedule{Hour: 6, Digest: Week}, "2026-02-02T06:00:00Z", "week.2026-W05"},
		{"the week on Sunday", "UTC", Schedule{Hour: 6, Digest: Week}, "2026-02-01T23:00:00Z", "week.2026-W04"},
		{"the week at the turn of a year", "UTC", Schedule{Hour: 6, Digest: Week}, "2027-01-04T06:00:00Z", "week.2026-W53"},
		{"both", "UTC", Schedule{Day: 1, Hour: 6, Digest: Week}, "2026-02-02T06:00:00Z", "month.2026-01 week.2026-W05"},
		{"neither", "UTC", Schedule{Hour: 6}, "2026-02-02T06:00:00Z", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, test.now)
			if err != nil {
				t.Fatal(err)
			}
			test.schedule.Location = zone(t, test.zone)
			var got []string
			for _, p := range test.schedule.Due(now) {
				got = append(got, p.String())
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("due %q, want %q", s, test.want)
			}
		})
	}
}

// The month of a zone ends where the zone says, and months of clock changes
// are as long as they are.
func TestPeriods(t *testing.T) {
	for _, test := range []struct {
		zone string
		kind Kind
		name string
		want string
	}{
		{"Asia/Tokyo", Month, "2026-01", "2025-12-31T15:00:00Z 2026-01-31T15:00:00Z"},
		{"Europe/Berlin", Month, "2026-03", "2026-02-28T23:00:00Z 2026-03-31T22:00:00Z"},
		{"America/New_York", Day, "2026-03-08", "2026-03-08T05:00:00Z 2026-03-09T04:00:00Z"},
		{"America/Santiago", Day, "2026-09-06", "2026-09-06T04:00:00Z 2026-09-07T03:00:00Z"},
		{"UTC", Week, "2026-W01", "2025-12-29T00:00:00Z 2026-01-05T00:00:00Z"},
		{"UTC", Week, "2026-W53", "2026-12-28T00:00:00Z 2027-01-04T00:00:00Z"},
	} {
		p, err := ParsePeriod(test.kind, test.name, zone(t, test.zone))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := p.From.UTC().Format(time.RFC3339) + " " + p.To.UTC().Format(time.RFC3339); got != test.want {
			t.Errorf("%s in %s is %s, want %s", p, test.zone, got, test.want)
		}
		if next := periodOf(p.Kind, p.To); !next.before().From.Equal(p.From) {
			t.Errorf("before %s comes %s, want %s", next, next.before(), p)
		}
	}
	for kind, name := range map[Kind]string{Month: "2026-13", Week: "2025-W53", Day: "2026-02-30", "year": "2026"} {
		if p, err := ParsePeriod(kind, name, time.UTC); err == nil {
			t.Errorf("%s %s was taken for %v", kind, name, p)
		}
	}
}
