package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"time"
)

var (
	//go:embed requeue/rows.sql
	requeueRowsSQL string
	//go:embed requeue/take_back.sql
	takeBackSQL string
	//go:embed requeue/unpublish.sql
	unpublishSQL string
	//go:embed requeue/drop.sql
	dropQuarantinedSQL string
)

// A Chosen says which bad input is meant: that of the ids, or All.
type Chosen struct {
	IDs []string
	All bool
}

func (c Chosen) args() ([]any, error) {
	ids, err := json.Marshal(append([]string{}, c.IDs...))
	return []any{sql.Named("ids", string(ids)), sql.Named("all", c.All)}, err
}

// A Requeued is a row of rows.sql.
type Requeued struct {
	ID, Source, Place, Raw string
	Hour                   time.Time // of the books that count it
	Position               uint64    // of its message: another one each time it comes back
}

// ToRequeue returns the chosen bad input, oldest first.
func ToRequeue(ctx context.Context, db DB, c Chosen) ([]Requeued, error) {
	args, err := c.args()
	if err != nil {
		return nil, err
	}
	return collect(ctx, db, requeueRowsSQL, args, func(r *Requeued) []any {
		return []any{&r.ID, &r.Source, &r.Place, &r.Raw, &r.Hour, &r.Position}
	})
}

// TakeBack removes the bad input whose ids stand in the staged table from
// quarantine and from the books.
func TakeBack(ctx context.Context, db DB) error {
	type page struct {
		hour   time.Time
		source string
	}
	gone, err := collect(ctx, db, takeBackSQL, nil, func(p *page) []any { return []any{&p.hour, &p.source} })
	if err != nil {
		return err
	}
	pieces := map[page]int{}
	for _, p := range gone {
		p.hour = p.hour.UTC()
		pieces[p]++
	}
	for p, n := range pieces {
		if err := run(ctx, db, unpublishSQL, sql.Named("pieces", n), sql.Named("hour", p.hour), sql.Named("source", p.source)); err != nil {
			return err
		}
	}
	return nil
}

// DropQuarantined deletes the chosen bad input and returns its ids. db should
// be the writer.
func DropQuarantined(ctx context.Context, db DB, c Chosen) ([]string, error) {
	args, err := c.args()
	if err != nil {
		return nil, err
	}
	return collect(ctx, db, dropQuarantinedSQL, args, func(id *string) []any { return []any{id} })
}
