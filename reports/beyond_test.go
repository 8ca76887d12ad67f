package reports

import (
	"math"
	"strings"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// TestBeyondAllNumbers wants every report of a store that holds the largest
// integers so often that their sums fit no column, as events from before
// numbers had limits do: one agent's mistake must not take them from all.
func TestBeyondAllNumbers(t *testing.T) {
	db := openFile(t, "testdata/beyond.sql")
	january := queries.Month(2026, time.January, time.UTC)
	exec := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	check := func(state string) {
		t.Helper()
		if _, err := analyze.Tune(t.Context(), db, january, analyze.TuneOptions{}); err != nil {
			t.Errorf("%s: tune: %v", state, err)
		}
		list, err := ParseGoals("goals.yaml", []byte("goals: [{metric: retries_mean, target: '<= 1'}, {metric: wasted_retries, target: '<= 1'}]"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Collect(t.Context(), db, Options{Span: january, Goals: list})
		if err != nil {
			t.Errorf("%s: %v", state, err)
			return
		}
		for _, f := range Formats {
			if text := render(t, r, f); strings.Contains(text, "Inf") || strings.Contains(text, "NaN") {
				t.Errorf("%s: %s holds what is no number", state, f)
			}
		}
	}
	check("as it is made")
	exec("FROM v_monthly")
	exec("UPDATE incidents SET attempts = 9007199254740991, wait_ms = 9223372036854775807, duration_ms = wait_ms, tokens = wait_ms WHERE operation = 'log in';" +
		"UPDATE incidents_daily SET retries = 9223372036854775807, retries_lost = 9223372036854775807 WHERE retries > 1100;" +
		"INSERT INTO monthly SELECT '2026-01-01', 'ov', 'log in', 'AUTH', 'execution', 'auth', 1, 1, 0, 0, 9223372036854775807, 1, 1 FROM range(2)")
	check("as an older program made it")
	exec("UPDATE incidents_upto SET position = 10_000; UPDATE incidents SET opened_at = TIMESTAMPTZ '2026-01-05 00:00:00+00' WHERE operation = 'log in';" +
		"INSERT INTO events BY NAME SELECT 'new' AS id, incident, position + 10_000 AS position, * EXCLUDE (id, incident, position) FROM events WHERE id = 'a1'")
	if err := queries.TellIncidents(t.Context(), db, math.MaxInt64); err != nil {
		t.Errorf("another on that day: %v", err)
	}
	cutoff := january.To.AddDate(0, 1, 0)
	chunks, err := queries.PlanExpiry(t.Context(), db, cutoff, 100_000)
	if err != nil || len(chunks) == 0 {
		t.Fatalf("plan %v, %v", chunks, err)
	}
	for _, chunk := range chunks {
		if _, err := queries.ExpireChunk(t.Context(), db, chunk, cutoff); err != nil {
			t.Errorf("expire: %v", err)
		}
	}
	if err := queries.MergeMonthly(t.Context(), db); err != nil {
		t.Errorf("merge: %v", err)
	}
	check("expired")
}
