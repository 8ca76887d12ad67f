package queries

import (
	"context"
	_ "embed"
)

//go:embed retag/apply.sql
var applyRetaggedSQL string

// ApplyRetagged gives the events in the staged table incoming their new tags, and their
// incidents.
func ApplyRetagged(ctx context.Context, db DB) error {
	if err := run(ctx, db, applyRetaggedSQL); err != nil {
		return err
	}
	return RemakeRetagged(ctx, db)
}
