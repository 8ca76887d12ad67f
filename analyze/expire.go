package analyze

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"hansei/queries"
)

// expireChunk is about how many events are deleted in one transaction, so that
// ingest waits no longer than for a batch of its own.
const expireChunk = 50_000

// An Expired counts what [Store.Expire] deleted.
type Expired struct{ Events, Quarantined int64 }

// Expire deletes the incidents whose last event lies before cutoff, with all
// their events, and the bad input that arrived before it. The books move what
// is deleted from stored, or quarantined, to expired in the same transaction;
// table monthly, and so v_monthly, keeps the counts of the incidents. On an
// error the chunks that are done stay done.
//
// The store no longer knows the ids of what has expired: publishing that again
// counts it again.
func (s *Store) Expire(ctx context.Context, cutoff time.Time) (Expired, error) {
	out, err := s.expire(ctx, cutoff, expireChunk)
	if err != nil {
		return out, fmt.Errorf("store %s: delete what is older than %s: %w", s.path, cutoff.UTC().Format(time.DateOnly), err)
	}
	return out, nil
}

func (s *Store) expire(ctx context.Context, cutoff time.Time, chunk int) (out Expired, err error) {
	db, err := s.opened()
	if err != nil {
		return out, err
	}
	conn, err := db.Conn(ctx) // not the writer: ingest goes on while this one plans
	if err != nil {
		return out, err
	}
	defer conn.Close()
	chunks, err := queries.PlanExpiry(ctx, conn, cutoff, chunk)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, queries.DropExpiry(context.WithoutCancel(ctx), conn)) }()
	for _, number := range chunks {
		var n int64
		err := s.alone(ctx, conn, func(tx *sql.Tx) (changed bool, err error) {
			n, err = queries.ExpireChunk(ctx, tx, number, cutoff)
			return true, err
		})
		if err != nil {
			return out, err
		}
		out.Events += n
	}
	return out, s.alone(ctx, conn, func(tx *sql.Tx) (changed bool, err error) {
		if len(chunks) > 0 {
			if err := queries.MergeMonthly(ctx, tx); err != nil {
				return false, err
			}
		}
		out.Quarantined, err = queries.ExpireQuarantine(ctx, tx, cutoff)
		return len(chunks) > 0 || out.Quarantined > 0, err
	})
}

// alone runs f in a transaction of conn while nobody else writes, and the
// incidents tell of all events. f says whether it changed anything.
func (s *Store) alone(ctx context.Context, conn *sql.Conn, f func(*sql.Tx) (changed bool, err error)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	changed := false
	defer func() { // after the commit
		if changed {
			s.changes.add(time.Time{})
		}
	}()
	for more := s.untold.Load(); more; {
		var err error
		if more, err = s.tell(ctx); err != nil {
			return err
		}
	}
	tx, err := begin(ctx, conn)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if changed, err = f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
