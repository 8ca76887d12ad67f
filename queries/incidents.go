package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"time"
)

// The statements by which incidents follow the events. Those whose events are
// new are taken out and made anew from all their events, wherever these lie.
var (
	//go:embed incidents/bound.sql
	incidentsBoundSQL string
	//go:embed incidents/touch_new.sql
	touchNewSQL string
	//go:embed incidents/touch_retagged.sql
	touchRetaggedSQL string
	//go:embed incidents/forget.sql
	forgetIncidentsSQL string
	//go:embed incidents/low.sql
	incidentsLowSQL string
	//go:embed incidents/make.sql
	makeIncidentsSQL string
	//go:embed incidents/number.sql
	numberOpeningsSQL string
	//go:embed incidents/keep.sql
	keepIncidentsSQL string
	//go:embed incidents/touch_days.sql
	touchDaysSQL string
	//go:embed incidents/forget_days.sql
	forgetDaysSQL string
	//go:embed incidents/days.sql
	touchedDaysSQL string
	//go:embed incidents/count_days.sql
	countDaysSQL string
	//go:embed incidents/earliest.sql
	earliestTouchedSQL string
	//go:embed incidents/told.sql
	incidentsToldSQL string
)

// NextIncidents returns the position up to which the next most events lie that
// the incidents do not tell of; not Valid when there are none.
func NextIncidents(ctx context.Context, db DB, most int) (sql.Null[uint64], error) {
	return one(ctx, db, incidentsBoundSQL, []any{sql.Named("most", most)}, func(n *sql.Null[uint64]) []any { return []any{n} })
}

// TellIncidents makes the incidents of the events up to bound. db is a
// transaction of the writer.
func TellIncidents(ctx context.Context, db DB, bound uint64) error {
	if err := run(ctx, db, touchNewSQL, sql.Named("bound", bound)); err != nil {
		return fmt.Errorf("find the incidents of new events: %w", err)
	}
	if err := remake(ctx, db); err != nil {
		return err
	}
	return run(ctx, db, incidentsToldSQL, sql.Named("bound", bound))
}

// EarliestTold returns when the first of the incidents opened that [TellIncidents]
// made last in the transaction db; not Valid when there were none.
func EarliestTold(ctx context.Context, db DB) (sql.Null[time.Time], error) {
	return one(ctx, db, earliestTouchedSQL, nil, func(t *sql.Null[time.Time]) []any { return []any{t} })
}

// RemakeRetagged makes the incidents of the events in the staged table
// incoming again.
func RemakeRetagged(ctx context.Context, db DB) error {
	if err := run(ctx, db, touchRetaggedSQL); err != nil {
		return fmt.Errorf("find the incidents of changed events: %w", err)
	}
	return remake(ctx, db)
}

func remake(ctx context.Context, db DB) error {
	if err := run(ctx, db, forgetIncidentsSQL); err != nil {
		return fmt.Errorf("take out old incidents: %w", err)
	}
	if err := run(ctx, db, forgetTouchedChainsSQL); err != nil {
		return fmt.Errorf("forget the chains of their days: %w", err)
	}
	// Asked first, as the planner then knows that few events lie behind it.
	low, err := one(ctx, db, incidentsLowSQL, nil, func(n *uint64) []any { return []any{n} })
	if err != nil {
		return fmt.Errorf("find where incidents begin: %w", err)
	}
	for _, step := range []struct{ what, statement string }{
		{"sum up the events of incidents", makeIncidentsSQL},
		{"number what incidents open with", numberOpeningsSQL},
		{"keep incidents", keepIncidentsSQL},
	} {
		if err := run(ctx, db, step.statement, sql.Named("low", low)); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	if err := run(ctx, db, touchDaysSQL); err != nil {
		return fmt.Errorf("find the days of incidents: %w", err)
	}
	return countDays(ctx, db)
}

// countDays counts the incidents of the days in the table touched_days anew.
func countDays(ctx context.Context, db DB) error {
	if err := run(ctx, db, forgetDaysSQL); err != nil {
		return fmt.Errorf("take out the counts of days: %w", err)
	}
	type bounds struct{ from, to sql.Null[time.Time] }
	b, err := one(ctx, db, touchedDaysSQL, nil, func(b *bounds) []any { return []any{&b.from, &b.to} })
	if err != nil || !b.from.Valid {
		return err
	}
	if err := run(ctx, db, countDaysSQL, sql.Named("from", b.from.V), sql.Named("to", b.to.V)); err != nil {
		return fmt.Errorf("count the incidents of days: %w", err)
	}
	return nil
}
