package queries

import (
	"context"
	_ "embed"
)

//go:embed retag/apply.sql
var applyRetaggedSQL string

// ApplyRetagged gives the events in the staged table incoming their new tags.
func ApplyRetagged(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, applyRetaggedSQL)
	return err
}
