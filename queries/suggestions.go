package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

var (
	//go:embed suggestions.sql
	suggestionsSQL string
	//go:embed keep_suggestion.sql
	keepSuggestionSQL string
)

// A Suggestion is a row of suggestions.sql.
type Suggestion struct {
	ID            string
	Made          time.Time // for the first time
	From, To, Due time.Time // the span that it was learnt from; by when to decide
	Body          string    // the suggestion as JSON, as it was last made
}

// Suggestions returns the suggestions that were still open when span began, and
// those that were made from it, in the order in which their own spans began.
func Suggestions(ctx context.Context, db DB, span Span) ([]Suggestion, error) {
	return collect(ctx, db, suggestionsSQL, span.bounds(), func(r *Suggestion) []any {
		return []any{&r.ID, &r.Made, &r.From, &r.To, &r.Due, &r.Body}
	})
}

// KeepSuggestion keeps a suggestion; of one that is there only the body is written.
func KeepSuggestion(ctx context.Context, db DB, s Suggestion) error {
	return run(ctx, db, keepSuggestionSQL, sql.Named("id", s.ID), sql.Named("made", s.Made.UTC()), sql.Named("from", s.From.UTC()),
		sql.Named("to", s.To.UTC()), sql.Named("due", s.Due.UTC()), sql.Named("body", s.Body))
}
