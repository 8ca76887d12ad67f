package queries

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/queries/golden"
)

// march is the span of the tests on testdata/faults.sql.
var march = Month(2026, time.March, time.UTC)

// What the pages of serve ask, each with every parameter that it has.
func TestPages(t *testing.T) {
	db := openTest(t, "testdata/faults.sql")
	var b strings.Builder
	add := func(name, rows string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&b, "%s\n%s\n", name, rows)
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	months, err := MonthCounts(t.Context(), db, tokyo, time.Time{})
	add("month counts in Tokyo", lines(months), err)
	march1 := time.Date(2026, 3, 1, 0, 0, 0, 0, tokyo)
	newer, err := MonthCounts(t.Context(), db, tokyo, march1)
	if want := slices.DeleteFunc(slices.Clone(months), func(m MonthCount) bool { return m.Month < "2026-03" }); err != nil || len(want) == 0 || !slices.Equal(newer, want) {
		t.Errorf("since March: %v, %v; want %v", newer, err, want)
	}
	choices, err := Choices(t.Context(), db, march)
	add("choices", lines(choices), err)
	for _, show := range []string{AllFaults, NewFaults, ReturnedFaults} {
		faults, err := Faults(t.Context(), db, march, show, sql.Null[FaultPlace]{}, 10)
		add("faults "+show, lines(faults), err)
	}
	faults, err := Faults(t.Context(), db, march, AllFaults, sql.Null[FaultPlace]{V: FaultPlace{2, "f-known"}, Valid: true}, 1)
	add("one fault behind the first", lines(faults), err)
	ants := march
	ants.Filter.Agent = "ant"
	faults, err = Faults(t.Context(), db, ants, AllFaults, sql.Null[FaultPlace]{}, 10)
	add("faults of ant", lines(faults), err)
	books, err := SourceBooks(t.Context(), db)
	add("source books", lines(books), err)
	incident, ok, err := IncidentNamed(t.Context(), db, "bot", "K", march.From, march.To)
	add("incident", fmt.Sprintf("%+v %v\n", incident, ok), err)
	events, err := IncidentEvents(t.Context(), db, incident, 10)
	add("its events", lines(events), err)
	alone, _, err := IncidentNamed(t.Context(), db, "ant", "k4", march.From, march.To)
	if err != nil {
		t.Fatal(err)
	}
	events, err = IncidentEvents(t.Context(), db, alone, 10)
	add("the event of one that names no incident", lines(events), err)
	_, ok, err = IncidentNamed(t.Context(), db, "ant", "K", march.From, march.To)
	add("an incident of another agent", fmt.Sprintln(ok), err)
	golden.Check(t, "pages", b.String())
}

func TestFoundIncidents(t *testing.T) {
	db := openTest(t, "testdata/faults.sql")
	for _, test := range []struct {
		name   string
		search Search
		want   string
	}{
		{"all, newest first, equals by agent", Search{}, "N r2 k4 K"},
		{"a text in either case", Search{Text: "TOO many"}, "k4 K"},
		{"signs of LIKE are text", Search{Text: "100%"}, "r2"},
		{"an operation", Search{Text: "sav"}, "r2"},
		{"part of an incident", Search{Text: "n"}, "N r2 k4 K"},
		{"a fingerprint", Search{Fingerprint: "f-new"}, "N"},
		{"a code", Search{Code: "429"}, "k4 K"},
		{"open", Search{State: Open}, "r2 k4"},
		{"resolved", Search{State: Resolved}, "K"},
		{"ended without success", Search{State: Unresolved}, "N"},
		{"a provider", Search{Span: Span{Filter: Filter{Provider: "openai"}}}, "K"},
	} {
		for most := 1; most <= 5; most++ { // in pages of every size
			s := test.search
			s.From, s.To, s.Most = march.From, march.To, most
			var got []string
			for {
				page, err := FoundIncidents(t.Context(), db, s)
				if err != nil {
					t.Fatalf("%s: %v", test.name, err)
				}
				for _, i := range page {
					got = append(got, i.Incident)
				}
				if len(page) < most {
					break
				}
				s.After = sql.Null[IncidentPlace]{V: page[len(page)-1].IncidentPlace, Valid: true}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%s, %d a page: got %v, want %s", test.name, most, got, test.want)
			}
		}
	}
}

// The list of open incidents has as many as the months count.
func TestOpenIncidentsAreCounted(t *testing.T) {
	db := openTest(t, "testdata/faults.sql")
	if _, err := db.ExecContext(t.Context(), `INSERT INTO events BY NAME SELECT 'c1' AS id, '2026-03-07 10:00:00+00'::TIMESTAMPTZ AS time, 'failure' AS kind,
		'bot' AS agent, 'cancelled' AS category, 'execution' AS taxonomy, 'hansei' AS source, 100 AS position`); err != nil {
		t.Fatal(err)
	}
	tellAll(t, db, 1000)
	months, err := MonthCounts(t.Context(), db, time.UTC, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := FoundIncidents(t.Context(), db, Search{Span: march, State: Open, Most: 100})
	if err != nil || months[1].Month != "2026-03" || months[1].Cancelled != 1 || int64(len(found)) != months[1].Open {
		t.Errorf("%d found, %v; counted %+v", len(found), err, months[1])
	}
}

// A search over more years than a Duration holds comes to its end.
func TestFoundIncidentsOfAllTime(t *testing.T) {
	db := openTest(t, "testdata/faults.sql")
	all := Span{From: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Location: time.UTC}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	found, err := FoundIncidents(ctx, db, Search{Span: all, Most: 100})
	if err != nil || len(found) < 4 {
		t.Errorf("found %d, %v", len(found), err)
	}
}
