package main

import (
	"testing"
	"time"
)

func TestNearestRank(t *testing.T) {
	var runs []time.Duration
	for n := range 200 {
		runs = append(runs, time.Duration(n+1))
	}
	for _, test := range []struct {
		of, percent int
		want        time.Duration
	}{{200, 99, 198}, {200, 50, 100}, {100, 99, 99}, {99, 99, 99}, {3, 50, 2}, {1, 50, 1}} {
		if got := at(runs[:test.of], test.percent); got != test.want {
			t.Errorf("%d %% of 1 to %d: %d, want %d", test.percent, test.of, got, test.want)
		}
	}
}
