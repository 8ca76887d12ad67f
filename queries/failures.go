package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
)

//go:embed failures.sql
var failuresSQL string

// A Failure is a row of failures.sql.
type Failure struct {
	ID, Operation, Code, Status, Message, Detail string
	Attrs                                        map[string]string
	Category, Rule, Fingerprint                  string // as it is tagged now
}

// EachFailure calls f with the stored failures of span in the order of
// arrival, of one category or, when that is empty, of all. An error of f ends it.
func EachFailure(ctx context.Context, db DB, span Span, category string, f func(Failure) error) error {
	rows, err := db.QueryContext(ctx, failuresSQL, append(span.bounds(), sql.Named("category", category))...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r Failure
		var attrs string
		if err := rows.Scan(&r.ID, &r.Operation, &r.Code, &r.Status, &r.Message, &r.Detail, &attrs, &r.Category, &r.Rule, &r.Fingerprint); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(attrs), &r.Attrs); err != nil {
			return err
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return rows.Err()
}
