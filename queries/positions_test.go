package queries

import (
	"database/sql"
	"strings"
	"testing"
)

// Positions are compared as what they are: cast to another type, DuckDB would
// look at each of the store's events, not only at the row groups that may hold
// them.
func TestPositionsAreComparedUncast(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	number := sql.Named("bound", uint64(3))
	for _, statement := range []string{touchNewSQL, makeIncidentsSQL, numberOpeningsSQL, keepIncidentsSQL} {
		plan, err := collect(t.Context(), db, "EXPLAIN "+statement, []any{number}, func(r *[2]string) []any { return []any{&r[0], &r[1]} })
		if err != nil {
			t.Fatal(err)
		}
		if len(plan) != 1 || strings.Contains(plan[0][1], "CAST(position") {
			t.Errorf("the plan casts positions:\n%s\n%v", statement, plan)
		}
		if err := run(t.Context(), db, statement, number); err != nil {
			t.Fatal(err)
		}
		number = sql.Named("low", uint64(3)) // of the statements behind the first
	}
}
