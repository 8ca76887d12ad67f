package queries

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"hansei/queries/golden"
)

// openTest returns a DuckDB in memory with the schema and the rows of file.
func openTest(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if err := Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if file == "" {
		return db
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 1000)
	return db
}

// tellAll makes the incidents of all events, most at a time.
func tellAll(t *testing.T, db DB, most int) {
	t.Helper()
	for {
		bound, err := NextIncidents(t.Context(), db, most)
		if err != nil {
			t.Fatal(err)
		}
		if !bound.Valid {
			return
		}
		if err := TellIncidents(t.Context(), db, bound.V); err != nil {
			t.Fatal(err)
		}
		if most < 10 {
			checkDays(t, db)
		}
	}
}

func lines[R any](rows []R) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%+v\n", row)
	}
	return b.String()
}

var january = Month(2026, time.January, time.UTC)

func TestTotals(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	var got []Totals
	for _, span := range []Span{january, Month(2026, time.February, time.UTC), Month(2025, time.January, time.UTC), Month(2026, time.February, tokyo)} {
		totals, err := MonthTotals(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, totals)
	}
	golden.Check(t, "totals", lines(got))
}

// checkDays wants the counts of days to tell of every incident.
func checkDays(t *testing.T, db DB) {
	t.Helper()
	all := "counted_daily(TIMESTAMPTZ '-infinity', TIMESTAMPTZ 'infinity')"
	rows, err := collect(t.Context(), db, "(SELECT 'not counted', d::VARCHAR FROM (FROM "+all+" EXCEPT ALL FROM incidents_daily) AS d) UNION ALL "+
		"(SELECT 'too much', d::VARCHAR FROM (FROM incidents_daily EXCEPT ALL FROM "+all+") AS d) ORDER BY ALL", nil,
		func(r *struct{ Fault, Day string }) []any { return []any{&r.Fault, &r.Day} })
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > 0 {
		t.Errorf("days do not tell of the incidents:\n%s", lines(rows))
	}
}

// TestIncidentsFollow wants the same incidents whether their events came at
// once, a few at a time, or in another order, and the days to count them.
func TestIncidentsFollow(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	all := func() string {
		t.Helper()
		rows, err := collect(t.Context(), db, "SELECT v_incidents::VARCHAR FROM v_incidents ORDER BY 1", nil, func(s *string) []any { return []any{s} })
		if err != nil {
			t.Fatal(err)
		}
		return lines(rows)
	}
	want := all()
	for _, test := range []struct {
		order string
		most  int
	}{{"position", 1}, {"position", 3}, {"hash(id)", 1}, {"hash(id || 'x')", 2}, {"time DESC", 1}} {
		if err := run(t.Context(), db, "DELETE FROM incidents; DELETE FROM incidents_daily; UPDATE incidents_upto SET position = 0;"+
			"UPDATE events SET position = p FROM (SELECT id AS i, row_number() OVER (ORDER BY "+test.order+") AS p FROM events) WHERE id = i"); err != nil {
			t.Fatal(err)
		}
		tellAll(t, db, test.most)
		if got := all(); got != want {
			t.Errorf("in the order of %s, %d at a time:\n%s\nwant\n%s", test.order, test.most, got, want)
		}
		checkDays(t, db)
	}
	// An earlier failure comes late: the incident opened a day before.
	if err := run(t.Context(), db, "INSERT INTO events BY NAME SELECT id || '0' AS id, time - INTERVAL 1 DAY AS time, * EXCLUDE (id, time, position), 100 AS position FROM events WHERE id = 'a1'"); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 1)
}

// An event without an incident opens one of its own, which what comes later joins
// by the event's id: so do the ways on which an agent tells of one failure.
func TestIncidentNamedByID(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	if err := run(t.Context(), db, "INSERT INTO events BY NAME SELECT 'e2' AS id, time + INTERVAL 1 MINUTE AS time, 'success' AS kind, agent, 'e1' AS incident, source, 100 AS position FROM events WHERE id = 'e1' UNION ALL BY NAME "+
		"SELECT 'x1' AS id, time, kind, 'other' AS agent, 'e1' AS incident, source, 101 AS position FROM events WHERE id = 'e1'"); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 1)
	got, err := collect(t.Context(), db, "SELECT agent, resolution, events FROM v_incidents WHERE incident = 'e1' ORDER BY agent", nil,
		func(r *struct {
			Agent, Resolution string
			Events            int
		}) []any {
			return []any{&r.Agent, &r.Resolution, &r.Events}
		})
	if want := "{Agent:log Resolution:retried Events:2}\n{Agent:other Resolution:open Events:1}\n"; err != nil || lines(got) != want {
		t.Errorf("%v:\n%swant\n%s", err, lines(got), want)
	}
}

func TestIncidents(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	got, err := collect(t.Context(), db, "SELECT agent, incident, code, coalesce(category::VARCHAR, ''), resolution, resolved, strftime(opened_at, '%d %H:%M'), coalesce(attempts, -1), month FROM v_incidents ORDER BY 1, 2", nil,
		func(r *struct {
			Agent, Incident      string
			Code                 sql.NullString
			Category, Resolution string
			Resolved             bool
			Opened               string
			Attempts             int
			Month                time.Time
		}) []any {
			return []any{&r.Agent, &r.Incident, &r.Code, &r.Category, &r.Resolution, &r.Resolved, &r.Opened, &r.Attempts, &r.Month}
		})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "incidents", lines(got))
}

func TestBreakdown(t *testing.T) {
	groups, err := Breakdown(t.Context(), openTest(t, "testdata/events.sql"), january)
	if err != nil {
		t.Fatal(err)
	}
	var got []Group
	for _, d := range []Dimension{ByCode, ByTaxonomy, ByCategory, ByAgent, ByOperation, ByProvider, ByModel} {
		got = append(got, groups[d]...)
	}
	golden.Check(t, "breakdown", lines(got))
}

// TestFilter wants every question of the report to heed every field of the filter.
func TestFilter(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	for _, statement := range []string{
		"UPDATE events SET provider = 'acme' WHERE agent = 'bot' AND incident IN ('A', 'C')",
		"UPDATE incidents_upto SET position = 0",
	} {
		if err := run(t.Context(), db, statement); err != nil {
			t.Fatal(err)
		}
	}
	tellAll(t, db, 1000)
	for _, test := range []struct {
		filter Filter
		want   int64 // incidents of January
	}{
		{Filter{}, 9},
		{Filter{Agent: "bot"}, 4},
		{Filter{Operation: "save"}, 2},
		{Filter{Category: "rate_limit"}, 2},
		{Filter{Provider: "acme"}, 2},
		{Filter{Agent: "bot", Operation: "fetch", Category: "rate_limit", Provider: "acme"}, 1},
		{Filter{Agent: "bot", Category: "validation"}, 0},
		{Filter{Agent: "' OR ''='"}, 0},
	} {
		span := january
		span.Filter = test.filter
		totals, err := MonthTotals(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		groups, err := Breakdown(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		days, err := Daily(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		coverage, err := Coverage(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		var byCode, byDay, bySource int64
		for _, g := range groups[ByCode] {
			byCode += g.Incidents
		}
		for _, d := range days {
			byDay += d.Incidents
		}
		for _, c := range coverage {
			bySource += c.Incidents
		}
		if got := [4]int64{totals.Incidents, byCode, byDay, bySource}; got != [4]int64{test.want, test.want, test.want, test.want} {
			t.Errorf("%+v: totals, codes, days and sources tell of %v incidents, want %d", test.filter, got, test.want)
		}
	}
}

func TestRows(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	add := func(name, rows string, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		fmt.Fprintf(&b, "%s\n%s\n", name, rows)
	}
	days, err := Daily(t.Context(), db, Month(2026, time.January, tokyo))
	add("daily in Tokyo", lines(days), err)
	retries, err := Retries(t.Context(), db, january)
	add("retries", lines(retries), err)
	coverage, err := Coverage(t.Context(), db, january)
	add("coverage", lines(coverage), err)
	var attempts []string
	_, err = Attempts(t.Context(), db, january, func(i *Tried, of []Attempt) error {
		i.number, i.closedAt = 0, time.Time{} // a hash, and what FailedAgain comes from
		attempts = append(attempts, fmt.Sprintf("%+v\n", *i)+lines(of))
		return nil
	})
	slices.Sort(attempts)
	add("attempts", strings.Join(attempts, ""), err)
	times, err := ResolutionTimes(t.Context(), db, january)
	add("resolution times", lines(times), err)
	months, err := Months(t.Context(), db, time.UTC)
	add("months", lines(months), err)
	ledger, err := Books(t.Context(), db, january)
	add("ledger", fmt.Sprintf("%+v balanced %v\n", ledger, ledger.Balanced()), err)
	golden.Check(t, "rows", b.String())
}

// TestCoverageInRates wants the rates to leave out the incidents of a source
// that cannot show how they end, and nothing else to change.
func TestCoverageInRates(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	before, err := MonthTotals(t.Context(), db, january)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		known                    []KnownSource
		rated, resolved, outside int64
	}{
		{[]KnownSource{{Source: "log", Attempts: true, Recoveries: true}}, 8, 4, 0},
		{[]KnownSource{{Source: "log", Final: true}}, 4, 3, 4},
		{[]KnownSource{{Source: "log", Attempts: true}, {Source: "bot", Final: true}}, 0, 0, 8},
		{nil, 8, 4, 0}, // what is in no list is believed
	} {
		if err := TellSources(t.Context(), db, test.known); err != nil {
			t.Fatal(err)
		}
		got, err := MonthTotals(t.Context(), db, january)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rated != test.rated || got.Resolved != test.resolved || got.Outside() != test.outside {
			t.Errorf("%+v: %d of %d, %d outside, want %+v", test.known, got.Resolved, got.Rated, got.Outside(), test)
		}
		if got.ResolutionRate.Valid != (test.rated > 0) {
			t.Errorf("%+v: rate %v of %d", test.known, got.ResolutionRate, test.rated)
		}
		got.Rated, got.Resolved, got.ResolutionRate = before.Rated, before.Resolved, before.ResolutionRate
		if got != before {
			t.Errorf("%+v: %+v, want %+v", test.known, got, before)
		}
		var monthly [2]int64
		row := db.QueryRow("SELECT sum(resolved)::BIGINT, sum(rated)::BIGINT FROM v_monthly WHERE month = '2026-01-01'")
		if err := row.Scan(&monthly[0], &monthly[1]); err != nil || monthly != [2]int64{test.resolved, test.rated} {
			t.Errorf("%+v: v_monthly has %d of %d, %v", test.known, monthly[0], monthly[1], err)
		}
	}
	if err := TellSources(t.Context(), db, []KnownSource{{Source: "log", Final: true}}); err != nil {
		t.Fatal(err)
	}
	rows, err := Coverage(t.Context(), db, january)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "coverage", lines(rows))
}

// TestTrend wants the months of the zone, and what has expired in them.
func TestTrend(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	if err := run(t.Context(), db, "INSERT INTO monthly VALUES ('2025-12-01', 'bot', 'fetch', 'A', 'transient', 'rate_limit', 10, 6, 1, 2, 12, 8, NULL),"+
		"('2025-01-01', 'bot', NULL, NULL, NULL, NULL, 1, 1, 0, 0, 0, 0, 1), ('2026-01-01', 'log', NULL, NULL, NULL, NULL, 3, 1, 0, 0, 0, 0, 2)"); err != nil {
		t.Fatal(err)
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	year := func(loc *time.Location, f Filter) Span {
		return Span{From: time.Date(2025, time.February, 1, 0, 0, 0, 0, loc), To: time.Date(2026, time.March, 1, 0, 0, 0, 0, loc), Location: loc, Filter: f}
	}
	var b strings.Builder
	for _, span := range []Span{year(time.UTC, Filter{}), year(tokyo, Filter{}), year(time.UTC, Filter{Agent: "bot"}), year(time.UTC, Filter{Provider: "acme"})} {
		rows, err := Trend(t.Context(), db, span)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %+v\n%s\n", span.Location, span.Filter, lines(rows))
	}
	golden.Check(t, "trend", b.String())
}

func TestNewerSchemaIsRefused(t *testing.T) {
	db := openTest(t, "")
	if _, err := db.Exec("INSERT INTO schema_versions VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	if err := Migrate(t.Context(), db); err == nil || !strings.Contains(err.Error(), "schema version 99") {
		t.Errorf("got %v, want a refusal", err)
	}
}
