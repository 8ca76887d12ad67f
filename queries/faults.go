package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"math"
	"time"
)

//go:embed faults.sql
var faultsSQL string

// Quiet is how long a fault must not have been seen to have returned when it is
// seen again: a month, so that what comes once a month does not count.
const Quiet = 30 * 24 * time.Hour

// Which faults are asked for.
const (
	AllFaults      = ""
	NewFaults      = "new"
	ReturnedFaults = "returned"
)

// A FaultPlace is where a fault stands in its order.
type FaultPlace struct {
	Incidents   int64
	Fingerprint string
}

// A Fault is a row of faults.sql: the incidents of one fingerprint.
type Fault struct {
	FaultPlace
	Message, Code               string // of its first incident in the span
	Operation, Category         string // likewise
	Resolved, Cancelled, Agents int64
	FirstEver                   time.Time
	First, Last                 time.Time // in the span
	LastBefore                  sql.Null[time.Time]
}

// New reports whether the fault was never seen before the span.
func (f Fault) New() bool { return !f.LastBefore.Valid }

// Returned reports whether it was seen again after it was quiet, see [Quiet].
func (f Fault) Returned() bool { return f.LastBefore.Valid && f.First.Sub(f.LastBefore.V) >= Quiet }

// Faults returns at most so many faults of span, most incidents first: those
// that show names, behind a place where it is valid.
func Faults(ctx context.Context, db DB, span Span, show string, after sql.Null[FaultPlace], most int) ([]Fault, error) {
	if !after.Valid {
		after.V.Incidents = math.MaxInt64
	}
	args := append(span.filtered(), sql.Named("show", show), sql.Named("quiet_s", Quiet.Seconds()), sql.Named("most", most),
		sql.Named("after_incidents", after.V.Incidents), sql.Named("after_fingerprint", after.V.Fingerprint))
	return collect(ctx, db, faultsSQL, args, func(r *Fault) []any {
		return []any{&r.Fingerprint, &r.Message, &r.Code, &r.Operation, &r.Category, &r.Incidents, &r.Resolved, &r.Cancelled, &r.Agents,
			&r.FirstEver, &r.First, &r.Last, &r.LastBefore}
	})
}
