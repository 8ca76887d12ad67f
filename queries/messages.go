package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed messages.sql
var messagesSQL string

// A Message is a row of messages.sql: the incidents of one fingerprint.
type Message struct {
	Fingerprint                string
	Text                       string // of the first incident; its code where it has none
	Operation, Category        string
	Incidents, Resolved, Rated int64     // rated: those that a resolution rate rests on
	FirstSeen                  time.Time // in all history
	LastSeen                   time.Time // in the span
	Mark                       string    // new, returned or empty
	Messages, New, Returned    int64     // fingerprints of the whole span
	Comparable                 bool      // the store has older incidents
}

// Messages returns the most frequent messages in span, and of those that are
// new or returned the most frequent.
func Messages(ctx context.Context, db DB, span Span, most int) ([]Message, error) {
	return collect(ctx, db, messagesSQL, append(span.filtered(), sql.Named("most", most)), func(r *Message) []any {
		return []any{&r.Fingerprint, &r.Text, &r.Operation, &r.Category, &r.Incidents, &r.Resolved, &r.Rated,
			&r.FirstSeen, &r.LastSeen, &r.Mark, &r.Messages, &r.New, &r.Returned, &r.Comparable}
	})
}
