package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"time"
)

// The statements that keep chains: what the tuner reads of incidents, put
// together by the day on which they opened. What a chain is, and the form in
// which it is kept, is the caller's.
var (
	//go:embed chains/missing.sql
	chainsMissingSQL string
	//go:embed chains/days.sql
	chainsDaysSQL string
	//go:embed chains/kept.sql
	chainsKeptSQL string
	//go:embed chains/keep.sql
	keepChainsSQL string
	//go:embed chains/forget.sql
	forgetChainsSQL string
	//go:embed chains/forget_touched.sql
	forgetTouchedChainsSQL string
	//go:embed chains/forget_expired.sql
	forgetExpiredChainsSQL string
)

// A ChainDay is a day of UTC, counted from 1970, in which chains are kept, as
// the macro day_of counts them.
type ChainDay int64

const dayMicros = 24 * 60 * 60 * 1_000_000

// DayOf returns the day that t lies in.
func DayOf(t time.Time) ChainDay {
	micros := t.UnixMicro()
	day := micros / dayMicros
	if micros%dayMicros < 0 {
		day--
	}
	return ChainDay(day)
}

func (d ChainDay) start() time.Time { return time.UnixMicro(int64(d) * dayMicros).UTC() }

// End returns when the day is over.
func (d ChainDay) End() time.Time { return (d + 1).start() }

// days returns the first and the last day of the span.
func (s Span) days() (first, last ChainDay) { return DayOf(s.From), DayOf(s.To.Add(-time.Microsecond)) }

// DaysWithoutChains returns the days on which incidents opened in span and
// whose chains are not kept in that form, by time.
func DaysWithoutChains(ctx context.Context, db DB, span Span, form int64) ([]ChainDay, error) {
	return collect(ctx, db, chainsMissingSQL, append(span.bounds(), sql.Named("form", form)), func(d *ChainDay) []any { return []any{(*int64)(d)} })
}

// EachChain calls kept with the chains that are kept of the days of span, as
// they were given to [KeepChains], and other with the incidents in span of all
// other days, as [Attempts] does. All is of one state of the store. It returns
// how many incidents Attempts left out.
func EachChain(ctx context.Context, db DB, span Span, form int64, kept func(chains []byte) error, other func(*Tried, []Attempt) error) (alike int, err error) {
	err = snapshot(ctx, db, func(db DB) error {
		missing, err := DaysWithoutChains(ctx, db, span, form)
		if err != nil {
			return fmt.Errorf("days without chains: %w", err)
		}
		if err := eachKept(ctx, db, span, form, kept); err != nil {
			return fmt.Errorf("chains: %w", err)
		}
		alike, err = AttemptsOf(ctx, db, missing, func(t *Tried, of []Attempt) error {
			if t.OpenedAt.Before(span.From) || !t.OpenedAt.Before(span.To) {
				return nil
			}
			return other(t, of)
		})
		return err
	})
	return alike, err
}

// chainDays is how many days of chains are read at a time. DuckDB holds all that
// one statement reads of a table of so few rows, in memory that the system has to
// find first; and until the file is opened anew each statement reads the chains of
// all days to leave most of them out. Of 140 MB by weeks, quarters and at once, in
// seconds of CPU: 3.1, 0.31 and 0.05 as they were kept, 0.40, 0.13 and 0.19 later.
const chainDays = 92

// eachKept calls f with the chains that are kept of the days of span.
func eachKept(ctx context.Context, db DB, span Span, form int64, f func(chains []byte) error) error {
	between := func(first, last ChainDay) []any {
		return []any{sql.Named("form", form), sql.Named("first", int64(first)), sql.Named("last", int64(last))}
	}
	days, err := collect(ctx, db, chainsDaysSQL, between(span.days()), func(d *ChainDay) []any { return []any{(*int64)(d)} })
	if err != nil {
		return err
	}
	for some := range slices.Chunk(days, chainDays) {
		err := each(ctx, db, chainsKeptSQL, between(some[0], some[len(some)-1]), func(b *sql.RawBytes) []any { return []any{b} }, func(b *sql.RawBytes) error { return f(*b) })
		if err != nil {
			return err
		}
	}
	return nil
}

// AttemptsOf is [Attempts] of some days, which come by time.
func AttemptsOf(ctx context.Context, db DB, days []ChainDay, f func(*Tried, []Attempt) error) (alike int, err error) {
	if len(days) == 0 {
		return 0, nil
	}
	span := Span{From: days[0].start(), To: days[len(days)-1].End()}
	return Attempts(ctx, db, span, func(t *Tried, of []Attempt) error {
		if _, is := slices.BinarySearch(days, DayOf(t.OpenedAt)); !is {
			return nil
		}
		return f(t, of)
	})
}

// KeepChains keeps the chains of a day, in the pieces given, in the place of
// those kept before. db should be a transaction of the writer.
func KeepChains(ctx context.Context, db DB, day ChainDay, form int64, pieces [][]byte) error {
	if err := run(ctx, db, forgetChainsSQL, sql.Named("day", int64(day))); err != nil {
		return err
	}
	for _, piece := range pieces {
		if err := run(ctx, db, keepChainsSQL, sql.Named("day", int64(day)), sql.Named("form", form), sql.Named("chains", piece)); err != nil {
			return err
		}
	}
	return nil
}
