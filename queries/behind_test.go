package queries

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"hansei/queries/golden"
)

// openMessages returns the sample with what failures say, of which b1's has a
// past: far enough back to have returned, and c1's a near one. One operation is
// of a provider that bursts out.
func openMessages(t *testing.T) *sql.DB {
	t.Helper()
	db := openTest(t, "testdata/events.sql")
	if err := run(t.Context(), db, `
		INSERT INTO events BY NAME FROM (VALUES
			('p1', '2025-12-05 10:00:00+00'::TIMESTAMPTZ, 'failure', 'bot', 'fetch', 'P', 'b1', 'rate_limit', 'bot', 90),
			('p2', '2025-12-20 10:00:00+00'::TIMESTAMPTZ, 'failure', 'bot', 'save', 'Q', 'c1', 'permission', 'bot', 91)
		) AS r (id, time, kind, agent, operation, incident, message, category, source, position);
		INSERT INTO events BY NAME
			SELECT 'o' || i AS id, '2026-01-20 11:00:00+00'::TIMESTAMPTZ + to_seconds(i * if(i < 20, 7200 * 5, 60)) AS time, 'failure' AS kind,
				['bot', 'log', 'sky'][1 + i % 3] AS agent, 'embed' AS operation, '503' AS code, 'gateway down' AS message,
				'transient' AS taxonomy, 'server_error' AS category, 'acme' AS provider, 'bot' AS source, 100 + i AS position
			FROM range(50) AS r(i);
		UPDATE events SET message = coalesce(message, id) WHERE kind = 'failure';
		UPDATE events SET fingerprint = 'f1:' || message, retryable = category IN ('rate_limit', 'server_error') WHERE kind = 'failure';
		DELETE FROM incidents; UPDATE incidents_upto SET position = 0`); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 1000)
	return db
}

func TestReportRows(t *testing.T) {
	db := openMessages(t)
	var b strings.Builder
	add := func(name, rows string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		fmt.Fprintf(&b, "%s\n%s\n", name, rows)
	}
	kolkata, err := time.LoadLocation("Asia/Kolkata") // a zone of half hours
	if err != nil {
		t.Fatal(err)
	}
	hours, err := Hours(t.Context(), db, Month(2026, time.January, kolkata))
	add("hours in Kolkata", lines(hours), err)
	messages, err := Messages(t.Context(), db, january, 3)
	add("messages", lines(messages), err)
	human, err := Human(t.Context(), db, january)
	add("human", lines(human), err)
	wasted, err := Wasted(t.Context(), db, january)
	add("wasted", lines(wasted), err)
	bursts, err := BurstHours(t.Context(), db, january, 3)
	add("burst hours", lines(bursts), err)
	outage := OutageKey{"0", "acme", "server_error", january.From, january.To}
	rows, err := Behind(t.Context(), db, january, Keys{Fingerprints: []string{"f1:a1", "f1:gateway down"}, Outages: []OutageKey{outage}, Cells: []string{CellKey("bot", "fetch", "rate_limit")}})
	add("behind", lines(rows), err)
	story, err := Stories(t.Context(), db, january, []IncidentKey{{"bot", "A"}, {"log", "J"}, {"no", "such"}})
	add("stories", lines(story), err)
	for _, metric := range []string{"resolution_rate", "retry_success", "retries_mean", "incidents", "open", "wasted_retries"} {
		misses, err := GoalMisses(t.Context(), db, january, "", metric)
		add("misses of "+metric, lines(misses), err)
	}
	golden.Check(t, "report_rows", b.String())
}

// TestBehindIsBounded wants what opens on a row to stay small, however much
// there is behind it.
func TestBehindIsBounded(t *testing.T) {
	db := openTest(t, "")
	if err := run(t.Context(), db, `
		INSERT INTO events BY NAME
			SELECT 'e' || i || '-' || attempt AS id, '2026-01-02 00:00:00+00'::TIMESTAMPTZ + to_seconds(i * 60 + attempt) AS time, 'failure' AS kind,
				'bot' AS agent, 'run' AS operation, 'i' || i AS incident, attempt, 'CODE' AS code, 'f' || i % 20 AS fingerprint,
				'execution' AS taxonomy, 'crash' AS category, 'bot' AS source, i AS position
			FROM range(100) AS r(i), range(1, 31) AS s(attempt)`); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 10000)
	rows, err := Behind(t.Context(), db, january, Keys{})
	if err != nil {
		t.Fatal(err)
	}
	byCode := 0
	for _, row := range rows {
		if row.Dimension == ByCode {
			byCode++
		}
		if len(row.Examples) != 3 && row.Incidents > 3 {
			t.Errorf("%+v: %d examples, want 3", row.Row, len(row.Examples))
		}
	}
	if byCode != 5 || rows[0].Messages != 20 {
		t.Errorf("%d messages of %d behind the code, want 5 of 20", byCode, rows[0].Messages)
	}
	story, err := Stories(t.Context(), db, january, []IncidentKey{{"bot", "i7"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(story); n != 10 || story[n-1].Place != 30 || story[n-1].Attempt.V != 30 {
		t.Errorf("%d events of 30, want the first nine and the last:\n%s", n, lines(story))
	}
}

// TestStoryEndsMuchLater wants the events of an incident that went on long after
// the month in which it opened.
func TestStoryEndsMuchLater(t *testing.T) {
	db := openTest(t, "")
	if err := run(t.Context(), db, `
		INSERT INTO events BY NAME
			SELECT 'e' || i AS id, moment::TIMESTAMPTZ AS time, kind::kind AS kind, 'bot' AS agent, 'run' AS operation, 'slow' AS incident, i AS attempt, 'bot' AS source, i AS position
			FROM (VALUES (1, '2026-01-31 23:00:00+00', 'failure'), (2, '2026-02-01 01:00:00+00', 'failure'), (3, '2026-09-01 00:00:00+00', 'success')) AS r(i, moment, kind)`); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 100)
	story, err := Stories(t.Context(), db, january, []IncidentKey{{"bot", "slow"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(story); n != 3 || story[n-1].Kind != "success" || story[n-1].Events != 3 {
		t.Errorf("%d events, want 3, the success last:\n%s", n, lines(story))
	}
}
