package queries

import (
	"testing"
	"time"

	"hansei/queries/golden"
)

// What is asked of agents as a whole: how deep their turns go, and their calls
// by hour.
func TestAgentKnobs(t *testing.T) {
	db := openTest(t, "testdata/agent_knobs.sql")
	depths, err := CallDepths(t.Context(), db, january)
	if err != nil {
		t.Fatal(err)
	}
	hours, err := RetryTraffic(t.Context(), db, january)
	if err != nil {
		t.Fatal(err)
	}
	retrying, err := RetryingAgents(t.Context(), db, january)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "agent_knobs", lines(depths)+"\n"+lines(hours)+"\n"+lines(retrying))

	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC) // nothing is retried before the second after
	for _, test := range []struct {
		from, to time.Time
		want     int
	}{
		{at.Add(-10 * time.Hour), at.Add(time.Second), 0},
		{at.Add(-10 * time.Hour), at.Add(2 * time.Second), 2},
		{at.Add(time.Second), at.Add(time.Hour), 2},
		{at.Add(2 * time.Second), at.Add(time.Hour), 1},
		{at.Add(-time.Hour), at.Add(30 * time.Hour), 2},
	} {
		got, err := RetryingAgents(t.Context(), db, Span{From: test.from, To: test.to, Location: time.UTC})
		if err != nil || len(got) != test.want {
			t.Errorf("from %v to %v: %v, %v, want %d", test.from, test.to, got, err, test.want)
		}
	}
}
