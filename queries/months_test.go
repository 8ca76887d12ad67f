package queries

import (
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// TestMonthsOfZones wants the months of every zone, which are made of whole days
// where these lie within one, to count what each incident by itself does.
func TestMonthsOfZones(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	// An event in 7 of 8 quarters of an hour, half of them of incidents that the next one ends, and one before 1970.
	if err := run(t.Context(), db, "INSERT INTO events BY NAME SELECT 'z' || i AS id, TIMESTAMPTZ '2025-12-20' + to_minutes(15 * i) AS time, 'log' AS source, "+
		"if(i % 4 = 1, 'success', 'failure') AS kind, 'agent' || i % 3 // 2 AS agent, 'op' || i % 5 AS operation, 'z' || i // 2 AS incident, i % 4 AS attempt, "+
		"if(i % 11 = 0, 'cancelled', 'timeout') AS category, true AS retryable, 2 AS position "+
		"FROM range(8000) AS r(i) WHERE i % 8 <> 7 UNION ALL BY NAME SELECT 'old' AS id, TIMESTAMPTZ '1969-12-31 23:50:00' AS time, 'log' AS source, "+
		"'failure' AS kind, 'agent0' AS agent, 2 AS position"); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 100_000)
	checkDays(t, db)
	const each = "SELECT strftime(opened_at AT TIME ZONE $timezone, '%Y-%m') AS month, count(*), count(*) FILTER (resolved AND NOT cancelled), " +
		"count(*) FILTER (resolution = 'open' AND NOT cancelled), count(*) FILTER (cancelled) FROM v_incidents WHERE opened_at >= $since GROUP BY 1 ORDER BY 1 DESC"
	for _, zone := range []string{"UTC", "Asia/Tokyo", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, since := range []time.Time{{}, time.Date(2026, time.February, 1, 0, 0, 0, 0, loc)} {
			want, err := collect(t.Context(), db, each, []any{sql.Named("timezone", zone), sql.Named("since", since.UTC())}, func(r *MonthCount) []any {
				return []any{&r.Month, &r.Incidents, &r.Resolved, &r.Open, &r.Cancelled}
			})
			if err != nil || len(want) < 2 {
				t.Fatalf("%d months, %v", len(want), err)
			}
			got, err := MonthCounts(t.Context(), db, loc, since)
			if err != nil {
				t.Fatal(err)
			}
			if lines(got) != lines(want) {
				t.Errorf("%s since %v:\n%swant\n%s", zone, since, lines(got), lines(want))
			}
			checkMonths(t, db, loc, since, want)
		}
	}
}

// checkMonths wants the list of months and the trend to tell of the same ones.
func checkMonths(t *testing.T, db DB, loc *time.Location, since time.Time, want []MonthCount) {
	t.Helper()
	months, err := Months(t.Context(), db, loc)
	if err != nil {
		t.Fatal(err)
	}
	var counted []string
	for _, m := range want {
		counted = append(counted, m.Month)
	}
	if since.IsZero() && fmt.Sprint(months) != fmt.Sprint(counted) {
		t.Errorf("%v: months %v, want %v", loc, months, counted)
	}
	if since.IsZero() {
		return
	}
	trend, err := Trend(t.Context(), db, Span{From: since, To: since.AddDate(0, 2, 0), Location: loc, Filter: Filter{Agent: "agent1"}})
	if err != nil {
		t.Fatal(err)
	}
	each, err := collect(t.Context(), db, "SELECT strftime(opened_at AT TIME ZONE $timezone, '%Y-%m') AS month, count(*), sum(retries)::BIGINT FROM v_incidents "+
		"WHERE opened_at >= $since AND agent = 'agent1' GROUP BY 1 ORDER BY 1", []any{sql.Named("timezone", loc.String()), sql.Named("since", since.UTC())},
		func(r *TrendMonth) []any { return []any{&r.Month, &r.Incidents, &r.Retries} })
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range trend {
		if i >= len(each) || m.Month != each[i].Month || m.Incidents != each[i].Incidents || m.Retries != each[i].Retries {
			t.Errorf("%v: the trend tells %+v, want %+v", loc, trend, each)
			break
		}
	}
}
