package queries

import (
	"testing"

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
}
