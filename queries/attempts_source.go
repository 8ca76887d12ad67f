package queries

import (
	"context"
	"database/sql"
	"fmt"
)

// An attemptsSource reads the events of a store by their rows, and the
// incidents that these begin before them.
type attemptsSource struct {
	db          DB
	span        Span
	full, empty chan *attemptsChunk
	chunk       *attemptsChunk // that is being filled; nil: none
	err         error          // of the goroutine that fills them, once full is closed
}

// An attemptsChunk is some incidents, and some events of these or earlier ones.
type attemptsChunk struct {
	incidents []Tried
	events    []attemptEvent
}

// chunkRows is how many rows a chunk has: as many as DuckDB hands over at once.
const chunkRows = 2048

func (s *attemptsSource) run(ctx context.Context) error {
	last, err := one(ctx, s.db, attemptsLastRowSQL, nil, func(n *sql.Null[int64]) []any { return []any{n} })
	if err != nil {
		return err
	}
	next := uint64(0) // position behind those up to which incidents have been read
	for begin := int64(0); last.Valid && begin <= last.V; begin += attemptRows {
		rows := []any{sql.Named("begin", begin), sql.Named("end", begin+attemptRows), sql.Named("from", s.span.From.UTC())}
		reach, err := one(ctx, s.db, attemptsReachSQL, rows, func(n *sql.Null[uint64]) []any { return []any{n} })
		if err != nil {
			return err
		}
		if !reach.Valid {
			continue
		}
		if reach.V >= next {
			incidents := append([]any{sql.Named("low", next), sql.Named("high", reach.V)}, s.span.bounds()...)
			if err := each(ctx, s.db, attemptsIncidentsSQL, incidents, (*Tried).fields, s.addIncident); err != nil {
				return fmt.Errorf("incidents: %w", err)
			}
			next = reach.V + 1
		}
		if err := each(ctx, s.db, attemptsEventsSQL, rows, (*attemptEvent).fields, s.addEvent); err != nil {
			return fmt.Errorf("events: %w", err)
		}
		s.flush()
	}
	return ctx.Err()
}

func (s *attemptsSource) addIncident(r *Tried) error {
	c := s.filling()
	if c.incidents = append(c.incidents, *r); len(c.incidents) == chunkRows {
		s.flush()
	}
	return nil
}

func (s *attemptsSource) addEvent(r *attemptEvent) error {
	c := s.filling()
	if c.events = append(c.events, *r); len(c.events) == chunkRows {
		s.flush()
	}
	return nil
}

func (s *attemptsSource) filling() *attemptsChunk {
	if s.chunk == nil {
		s.chunk = <-s.empty
		s.chunk.incidents, s.chunk.events = s.chunk.incidents[:0], s.chunk.events[:0]
	}
	return s.chunk
}

func (s *attemptsSource) flush() {
	if s.chunk != nil {
		s.full <- s.chunk
		s.chunk = nil
	}
}

func (r *Tried) fields() []any {
	return []any{&r.number, &r.events, &r.Agent, &r.Operation, &r.Category, &r.Source, &r.Resolved, &r.ByRetry, &r.BySuccess,
		&r.Attempts, &r.FailedAttempts, &r.ClosingAttempt, &r.OpenedAt, &r.closedAt}
}

func (r *attemptEvent) fields() []any {
	return []any{&r.number, &r.outcome, &r.attempt, &r.MaxRetries, &r.At, &r.WaitMS, &r.DurationMS, &r.Tokens, &r.CostUSD, &r.Score, &r.ScoreBar, &r.RetryAfter}
}
