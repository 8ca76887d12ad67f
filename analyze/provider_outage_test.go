package analyze

import (
	"database/sql"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// TestProviderOutages wants a burst of three agents to be an outage, and none
// of the like: of two agents, of a busy fleet, of a provider that nobody told,
// of a batch every night or once a week.
func TestProviderOutages(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := queries.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `
		CREATE TEMP TABLE bursts (provider VARCHAR, category VARCHAR, hour INTEGER, agents INTEGER, n INTEGER);
		INSERT INTO bursts SELECT p, 'network', h * 12 + 9, 3, 2 FROM range(40) AS r(h), (VALUES ('acme'), ('busy'), ('two'), (NULL)) AS q(p);
		INSERT INTO bursts VALUES ('acme', 'network', 37, 3, 20), ('acme', 'network', 39, 4, 15), ('acme', 'network', 300, 3, 20),
			('acme', 'timeout', 37, 3, 3), ('two', 'network', 37, 2, 40), (NULL, 'network', 37, 3, 40), ('busy', 'network', 37, 3, 4);
		INSERT INTO bursts SELECT 'batch', 'network', h, 3, CASE WHEN h = 242 THEN 120 WHEN h % 24 = 2 THEN 40 ELSE 2 END FROM range(720) AS r(h);
		INSERT INTO bursts SELECT 'weekly', 'network', h, 3, CASE WHEN h % 168 = 100 THEN 40 ELSE 2 END FROM range(720) AS r(h);
		INSERT INTO bursts SELECT 'quiet', 'network', h * 24 + 3, 1, 1 FROM range(28) AS r(h);
		INSERT INTO bursts SELECT 'quiet', 'network', h, 5, 100 FROM range(350, 355) AS r(h);
		INSERT INTO bursts SELECT 'thrice', 'network', h * 24 + 3, 1, 1 FROM range(28) AS r(h);
		INSERT INTO bursts SELECT 'thrice', 'network', d * 29 + h, 5, 60 FROM range(17, 20) AS r(d), range(3) AS s(h);
		INSERT INTO bursts SELECT 'often', 'network', h * 24 + 3, 1, 1 FROM range(28) AS r(h);
		INSERT INTO bursts SELECT 'often', 'network', d * 77 + h, 5, 60 FROM range(1, 9) AS r(d), range(3) AS s(h);
		INSERT INTO events BY NAME
			SELECT provider || category || hour || i AS id, '2026-01-01 00:00:00+00'::TIMESTAMPTZ + to_hours(hour) + to_seconds(i) AS time,
				'failure' AS kind, 'agent' || i % agents AS agent, category, provider, 'test' AS source, 1 AS position
			FROM bursts, LATERAL (SELECT unnest(range(n)) AS i) WHERE provider IS NOT NULL;
		INSERT INTO events BY NAME
			SELECT 'none' || hour || i AS id, '2026-01-01 00:00:00+00'::TIMESTAMPTZ + to_hours(hour) + to_seconds(i) AS time,
				'failure' AS kind, 'agent' || i % agents AS agent, category, 'test' AS source, 1 AS position
			FROM bursts, LATERAL (SELECT unnest(range(n)) AS i) WHERE provider IS NULL`); err != nil {
		t.Fatal(err)
	}
	if err := queries.TellIncidents(t.Context(), db, 1); err != nil {
		t.Fatal(err)
	}
	got, err := ProviderOutages(t.Context(), db, queries.Month(2026, time.January, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	hour := func(n int) time.Time { return time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC) }
	want := []ProviderOutage{ // hour 38 is quiet, and between two that are not
		{"acme", Outage{"network", hour(37), hour(40), 35, 4}, 2},
		{"batch", Outage{"network", hour(242), hour(243), 120, 3}, 40}, // on top of the batch
		{"acme", Outage{"network", hour(300), hour(301), 20, 3}, 2},
		{"quiet", Outage{"network", hour(350), hour(355), 500, 5}, 1},  // of 33 busy hours five, of 29 days one
		{"thrice", Outage{"network", hour(493), hour(496), 180, 5}, 3}, // three of 28 days
		{"thrice", Outage{"network", hour(522), hour(525), 180, 5}, 3},
		{"thrice", Outage{"network", hour(551), hour(554), 180, 5}, 3},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i := range want {
		got[i].From, got[i].To = got[i].From.UTC(), got[i].To.UTC()
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
