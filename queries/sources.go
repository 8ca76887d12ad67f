package queries

import (
	"context"
	_ "embed"
	"time"
)

//go:embed sources.sql
var sourcesSQL string

// A SourceArrivals is a row of sources.sql.
type SourceArrivals struct {
	Source   string
	Events   int64
	Latest   time.Time // of the event that happened last
	Versions string    // of the program, in a list; empty when none is named
	Absent   string    // the fields that none of its failures carries, in a list
}

// Sources returns what came from each source.
func Sources(ctx context.Context, db DB) ([]SourceArrivals, error) {
	return collect(ctx, db, sourcesSQL, nil, func(r *SourceArrivals) []any {
		return []any{&r.Source, &r.Events, &r.Latest, &r.Versions, &r.Absent}
	})
}
