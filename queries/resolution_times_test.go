package queries

import (
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// TestResolutionTimes holds the estimate against the worked example of every
// textbook: the weeks of remission, here hours, of Freireich et al. (1963, Blood
// 21). With 6-MP the median is 23 and has 13 for a lower bound and no upper one,
// as 12 of 21 were still well; with the placebo it is 8, with bounds 4 and 11.
// The survival of 0.538 after 22 weeks and 0.448 after 23 is in Kalbfleisch and
// Prentice (1980).
func TestResolutionTimes(t *testing.T) {
	db := openTest(t, "")
	end := time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC)
	n := 0
	event := func(agent, incident, kind string, at time.Time, resolution any) {
		t.Helper()
		n++
		_, err := db.ExecContext(t.Context(), `INSERT INTO events BY NAME
			SELECT ? AS id, ?::TIMESTAMPTZ AS time, ? AS kind, ? AS agent, ? AS source, ? AS incident, ? AS resolution,
				if(kind = 'failure', 'network', NULL) AS category, if(kind = 'failure', 'transient', NULL) AS taxonomy, true AS retryable, 1 AS position`,
			fmt.Sprint(n), at, kind, agent, agent, incident, resolution)
		if err != nil {
			t.Fatal(err)
		}
	}
	trial := func(agent string, resolved, open []int) {
		for i, hours := range resolved {
			name := fmt.Sprint("r", i)
			event(agent, name, "failure", end.Add(-300*time.Hour), nil)
			event(agent, name, "success", end.Add(-300*time.Hour).Add(time.Duration(hours)*time.Hour), nil)
		}
		for i, hours := range open {
			name, at := fmt.Sprint("o", i), end.Add(-time.Duration(hours)*time.Hour)
			event(agent, name, "failure", at, nil)
			if i%2 == 0 {
				event(agent, name, "end", at.Add(time.Minute), "abandoned") // given up: not resolved, to the end
			}
		}
	}
	trial("6-MP", []int{6, 6, 6, 7, 10, 13, 16, 22, 23}, []int{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35})
	trial("placebo", []int{1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23}, nil)
	trial("few", []int{2}, []int{100, 200})
	event("one record", "1", "failure", end.Add(-50*time.Hour), "retried") // tells its end too: no time
	event("clock", "", "success", end, nil)
	tellAll(t, db, 1000)
	hours := func(n int64) sql.Null[int64] { return sql.Null[int64]{V: n * 3600_000, Valid: true} }
	none := sql.Null[int64]{}
	for _, want := range []ResolutionTime{
		{"6-MP", 21, 9, 9, hours(10), hours(23), 21, hours(23), hours(13), none},
		{"placebo", 21, 21, 21, hours(8), hours(17), 21, hours(8), hours(4), hours(11)},
		{"few", 3, 1, 1, hours(2), hours(2), 3, none, hours(2), none},
		{"one record", 1, 1, 0, none, none, 0, none, none, none},
	} {
		span := january
		span.Filter.Agent = want.Category
		rows, err := ResolutionTimes(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		want.Category = ""
		if len(rows) != 2 || rows[0] != want {
			t.Errorf("%s:\n%+v, want\n%+v", span.Filter.Agent, rows, want)
		}
	}
}
