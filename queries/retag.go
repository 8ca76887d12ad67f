package queries

import (
	"context"
	_ "embed"
)

//go:embed retag/make.sql
var makeRetaggedSQL string

//go:embed retag/apply.sql
var applyRetaggedSQL string

// MakeRetagged makes the empty temporary table of new tags on the writer's connection.
func MakeRetagged(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, makeRetaggedSQL)
	return err
}

// ApplyRetagged gives the events in the temporary table their new tags.
func ApplyRetagged(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, applyRetaggedSQL)
	return err
}
