package deliver

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// After a long absence every month that was missed is kept as a file, also one
// that could not be written at first, but only the last goes out.
func TestMissedMonths(t *testing.T) {
	c, now, mail, file := openNATS(t), newClock(), &addressee{}, &addressee{}
	folder := file.deliverer()
	folder.Name, folder.Key, folder.Replaces = "file", "file.here", true
	d := replica(c, "a", now, folder, mail.deliverer())
	keep := func() {
		t.Helper()
		if _, err := d.Keep(t.Context(), []Period{month(t, "2025-12"), month(t, "2025-11")}); err != nil {
			t.Fatal(err)
		}
	}
	round(t, d, month(t, "2026-01"))
	file.answer = func(context.Context) error { return errors.New("disk full") }
	keep()
	if file.got() != 3 || mail.got() != 1 {
		t.Errorf("%d files, %d mails; want 3 tries, 1", file.got(), mail.got())
	}
	file.answer = nil
	now.pass(time.Hour)
	round(t, d, month(t, "2026-01"))
	if file.got() != 5 || mail.got() != 1 {
		t.Errorf("an hour later %d files, %d mails; want the two tried again, 1", file.got(), mail.got())
	}
	keep()
	round(t, d, month(t, "2026-01"))
	if file.got() != 5 || mail.got() != 1 {
		t.Errorf("after a restart %d files, %d mails", file.got(), mail.got())
	}
}

// What was missed ended before the month that is due, and is stored in full.
func TestScheduleMissed(t *testing.T) {
	months := []string{"2026-02", "2026-01", "2025-12", "2025-10", "2025-01"}
	at := func(day, hour int) time.Time { return time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		schedule Schedule
		since    time.Time
		now      time.Time
		want     []string
	}{
		{Schedule{Day: 1, Hour: 6, Location: time.UTC}, time.Time{}, at(1, 7), []string{"2025-12", "2025-10", "2025-01"}},
		{Schedule{Day: 1, Hour: 6, Location: time.UTC}, time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC), at(1, 7), []string{"2025-12", "2025-10"}},
		{Schedule{Day: 3, Hour: 6, Location: time.UTC}, time.Time{}, at(1, 7), []string{"2025-10", "2025-01"}}, // December is due until the 3rd
		{Schedule{Location: time.UTC}, time.Time{}, at(1, 7), nil},
	} {
		missed, err := test.schedule.Missed(months, test.since, test.now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range missed {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v at %v: %v, want %v", test.schedule, test.now, got, test.want)
		}
	}
}
