package analyze

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hansei/queries"
)

// keptAtOnce is about how many bytes of chains one transaction keeps, so that
// ingest waits no longer than for a batch of its own.
const keptAtOnce = 8 << 20

// KeepChains puts together the chains of the incidents that opened on the days
// of span, as far as that is not done or incidents have changed since, and keeps
// them: [Tune] and [Replay] then read the attempts of no such day. Days on which
// something came in meanwhile are left for the next time; so is today, once
// anything was written to the store. No answer changes.
func (s *Store) KeepChains(ctx context.Context, span queries.Span, now time.Time) error {
	asked := s.Changes() // before the incidents are brought up to date: what comes later is told apart
	db, err := s.Current(ctx)
	if err != nil {
		return err
	}
	days, err := queries.DaysWithoutChains(ctx, db, span, chainForm)
	if asked > 0 {
		days = slices.DeleteFunc(days, func(d queries.ChainDay) bool { return !over(d, now) })
	}
	if err != nil || len(days) == 0 {
		return wrapKeep(s.path, err)
	}
	logs := make(map[queries.ChainDay]*dayLog, len(days))
	for _, day := range days {
		logs[day] = &dayLog{}
	}
	var c Chain // its memory is used again and again
	alike, err := queries.AttemptsOf(ctx, db, days, func(t *queries.Tried, attempts []queries.Attempt) error {
		c.read(t, attempts)
		logs[queries.DayOf(t.OpenedAt)].add(scopeOf(t), &c, oddityOf(t, attempts, &c))
		return nil
	})
	if err != nil || alike > 0 { // what is left out is counted each time
		return wrapKeep(s.path, err)
	}
	for len(days) > 0 && err == nil {
		days, err = s.keepSome(ctx, days, logs, asked)
	}
	return wrapKeep(s.path, err)
}

func wrapKeep(path string, err error) error {
	if err != nil {
		return fmt.Errorf("store %s: keep the chains of days: %w", path, err)
	}
	return nil
}

// keepSome keeps the first of days, as many as one transaction takes, but
// for those that a change after asked concerns, and returns the others.
func (s *Store) keepSome(ctx context.Context, days []queries.ChainDay, logs map[queries.ChainDay]*dayLog, asked uint64) ([]queries.ChainDay, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return nil, s.closed()
	}
	tx, err := begin(ctx, s.writer)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // after a commit it does nothing
	changed := s.Since(asked)
	for size := 0; len(days) > 0 && size < keptAtOnce; days = days[1:] {
		log := logs[days[0]]
		if !over(days[0], changed) {
			continue
		}
		log.finish()
		for _, piece := range log.pieces {
			size += len(piece)
		}
		if err := queries.KeepChains(ctx, tx, days[0], chainForm, log.pieces); err != nil {
			return nil, err
		}
	}
	return days, tx.Commit()
}
