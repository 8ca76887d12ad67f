package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

var (
	//go:embed forget_sources.sql
	forgetSourcesSQL string
	//go:embed add_source.sql
	addSourceSQL string
)

// A KnownSource is what a source can show: each attempt, the last failure, the
// retries that passed.
type KnownSource struct {
	Source                      string
	Attempts, Final, Recoveries bool
}

// TellSources replaces what the store knows of sources. db is a transaction of
// the writer.
func TellSources(ctx context.Context, db DB, sources []KnownSource) error {
	if err := run(ctx, db, forgetSourcesSQL); err != nil {
		return err
	}
	for _, s := range sources {
		if err := run(ctx, db, addSourceSQL, sql.Named("source", s.Source), sql.Named("attempts", s.Attempts),
			sql.Named("final", s.Final), sql.Named("recoveries", s.Recoveries)); err != nil {
			return err
		}
	}
	return nil
}
