package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed quarantine.sql
var quarantineSQL string

// A Quarantined is a row of quarantine.sql.
type Quarantined struct {
	ID      string    `json:"id"`
	Arrived time.Time `json:"arrived"`
	Source  string    `json:"source"`
	Subject string    `json:"subject"`
	Place   string    `json:"place"` // where in the message or file it stood
	Reason  string    `json:"reason"`
	Raw     string    `json:"raw"` // as it came, but for its secrets
}

// Quarantine returns the newest bad input, at most so many; with an id only that one.
func Quarantine(ctx context.Context, db DB, id string, most int) ([]Quarantined, error) {
	return collect(ctx, db, quarantineSQL, []any{sql.Named("id", id), sql.Named("most", most)}, func(q *Quarantined) []any {
		return []any{&q.ID, &q.Arrived, &q.Source, &q.Subject, &q.Place, &q.Reason, &q.Raw}
	})
}

//go:embed quarantine_size.sql
var quarantineSizeSQL string

// QuarantineSize returns how many pieces of bad input are in quarantine.
func QuarantineSize(ctx context.Context, db DB) (int64, error) {
	return one(ctx, db, quarantineSizeSQL, nil, func(n *int64) []any { return []any{n} })
}
