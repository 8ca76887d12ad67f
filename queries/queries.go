// Package queries holds every SQL statement of the program, a file each, and
// for each question a typed row and a function that asks it.
//
// A statement names its parameters ($from, $to, $timezone, $agent), so that it also
// runs by hand in the DuckDB shell. Rows come back in the order that the
// statement's first lines tell; the same data gives the same rows in the same
// order. The package imports nothing of ours and knows no driver: its caller
// passes a [DB].
package queries

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// A DB runs statements: a pool, a connection or a transaction.
type DB interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A Span is the half-open time [From, To), whose days are those of Location,
// and which of its incidents are asked for.
type Span struct {
	From, To time.Time
	Location *time.Location
	Filter   Filter
}

// Always is the span of everything that a store may hold, in UTC.
func Always() Span {
	return Span{From: time.Unix(0, 0).UTC(), To: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Location: time.UTC}
}

// A Filter lets pass the incidents that opened with these values; an empty one
// lets every value pass. The books, the tuner's questions and those about all
// time know no filter: they say so where they are answered.
type Filter struct {
	Agent, Operation, Category, Provider string
}

// Month returns the span of a month in loc.
func Month(year int, month time.Month, loc *time.Location) Span {
	from := time.Date(year, month, 1, 0, 0, 0, 0, loc)
	return Span{From: from, To: from.AddDate(0, 1, 0), Location: loc}
}

func (s Span) bounds() []any {
	return []any{sql.Named("from", s.From.UTC()), sql.Named("to", s.To.UTC())}
}

// filtered are the bounds and the filter, for incidents_in.
func (s Span) filtered() []any {
	f := s.Filter
	return append(s.bounds(), sql.Named("agent", f.Agent), sql.Named("operation", f.Operation),
		sql.Named("category", f.Category), sql.Named("provider", f.Provider))
}

func (s Span) filteredAndZone() []any {
	return append(s.filtered(), sql.Named("timezone", s.Location.String()))
}

// collect runs a query and scans each row into the fields that scan lists.
func collect[R any](ctx context.Context, db DB, query string, args []any, scan func(*R) []any) (out []R, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row R
		if err := rows.Scan(scan(&row)...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// one runs a query that gives exactly one row.
func one[R any](ctx context.Context, db DB, query string, args []any, scan func(*R) []any) (R, error) {
	rows, err := collect(ctx, db, query, args, scan)
	if err != nil {
		return *new(R), err
	}
	if len(rows) != 1 {
		return *new(R), fmt.Errorf("%d rows, want 1", len(rows))
	}
	return rows[0], nil
}

// A Columnar is a [DB] that can hand over rows from columns, for a tenth of
// what scanning them one by one costs. It writes each row to where into points
// (*string, *bool, *int64, *uint64, *time.Time, *sql.Null of int64 and float64), as
// Scan does, and calls f. Args are in the order in which query names them.
type Columnar interface {
	EachRow(ctx context.Context, query string, args, into []any, f func() error) error
}

// each runs a query and calls f with each row, which the next overwrites.
func each[R any](ctx context.Context, db DB, query string, args []any, scan func(*R) []any, f func(*R) error) error {
	var row R
	into := scan(&row)
	if c, ok := db.(Columnar); ok {
		return c.EachRow(ctx, query, args, into, func() error { return f(&row) })
	}
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := f(&row); err != nil {
			return err
		}
	}
	return rows.Err()
}
