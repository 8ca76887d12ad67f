package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

// The statements that delete what is older than it is to be kept.
var (
	//go:embed expire/plan.sql
	expirePlanSQL string
	//go:embed expire/chunks.sql
	expireChunksSQL string
	//go:embed expire/keep_monthly.sql
	keepMonthlySQL string
	//go:embed expire/merge_monthly.sql
	mergeMonthlySQL string
	//go:embed expire/book_events.sql
	expireBookEventsSQL string
	//go:embed expire/delete_events.sql
	expireDeleteEventsSQL string
	//go:embed expire/delete_incidents.sql
	expireDeleteIncidentsSQL string
	//go:embed expire/book_quarantine.sql
	expireBookQuarantineSQL string
	//go:embed expire/delete_quarantine.sql
	expireDeleteQuarantineSQL string
	//go:embed expire/touch_days.sql
	expireTouchDaysSQL string
	//go:embed expire/forget_openings.sql
	forgetOpeningsSQL string
	//go:embed expire/drop_plan.sql
	expireDropPlanSQL string
)

// PlanExpiry finds the incidents that ended before cutoff and returns the
// numbers of their chunks, of about most events each. The plan is a temporary
// table of the connection conn, which DropExpiry drops.
func PlanExpiry(ctx context.Context, conn DB, cutoff time.Time, most int) ([]int64, error) {
	if err := run(ctx, conn, expirePlanSQL, sql.Named("cutoff", cutoff.UTC()), sql.Named("most", most)); err != nil {
		return nil, err
	}
	return collect(ctx, conn, expireChunksSQL, nil, func(n *int64) []any { return []any{n} })
}

// DropExpiry forgets the plan.
func DropExpiry(ctx context.Context, conn DB) error { return run(ctx, conn, expireDropPlanSQL) }

// ExpireChunk deletes the events of a chunk, keeps the monthly counts of their
// incidents and books them as expired. It returns how many events it deleted.
// db should be a transaction of the connection that has the plan, and the
// incidents tell of all events.
func ExpireChunk(ctx context.Context, db DB, chunk int64, cutoff time.Time) (int64, error) {
	for _, note := range []string{keepMonthlySQL, expireTouchDaysSQL} {
		if err := run(ctx, db, note, sql.Named("chunk", chunk)); err != nil {
			return 0, err
		}
	}
	both := []any{sql.Named("chunk", chunk), sql.Named("cutoff", cutoff.UTC())}
	if err := run(ctx, db, expireBookEventsSQL, both...); err != nil {
		return 0, err
	}
	n, err := affected(ctx, db, expireDeleteEventsSQL, both...)
	if err != nil {
		return 0, err
	}
	if err := run(ctx, db, expireDeleteIncidentsSQL, sql.Named("chunk", chunk)); err != nil {
		return n, err
	}
	if err := run(ctx, db, forgetExpiredChainsSQL, sql.Named("cutoff", cutoff.UTC())); err != nil {
		return n, err
	}
	return n, countDays(ctx, db)
}

// MergeMonthly adds up what runs have kept of the same month, and forgets what
// only expired incidents opened with. db should be a transaction.
func MergeMonthly(ctx context.Context, db DB) error {
	if err := run(ctx, db, mergeMonthlySQL); err != nil {
		return err
	}
	return run(ctx, db, forgetOpeningsSQL)
}

// ExpireQuarantine deletes the bad input that arrived before cutoff, books it
// as expired and returns how much it was. db should be a transaction.
func ExpireQuarantine(ctx context.Context, db DB, cutoff time.Time) (int64, error) {
	if err := run(ctx, db, expireBookQuarantineSQL, sql.Named("cutoff", cutoff.UTC())); err != nil {
		return 0, err
	}
	return affected(ctx, db, expireDeleteQuarantineSQL, sql.Named("cutoff", cutoff.UTC()))
}

// affected runs a statement and returns how many rows it changed.
func affected(ctx context.Context, db DB, query string, args ...any) (int64, error) {
	result, err := db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
