package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"time"
)

var (
	//go:embed losses/add.sql
	addLossSQL string
	//go:embed losses/list.sql
	listLossesSQL string
	//go:embed losses/told.sql
	toldLossSQL string
	//go:embed losses/known_streams.sql
	knownStreamsSQL string
)

// A LossKind is what was lost of a stream before it was stored.
type LossKind string

// The kinds of losses, as the table losses has them.
const (
	LostBetween LossKind = "gap"   // messages between two
	LostEnd     LossKind = "end"   // messages at its end
	LostStream  LossKind = "anew"  // what one held that another took the place of
	LostStart   LossKind = "start" // what came before the first message of a new store; only known to be absent
)

// A Loss is what a stream lost before it was stored, as it was noticed.
type Loss struct {
	Noticed, Since time.Time // it happened between these, as far as events tell
	Kind           LossKind
	Created        time.Time        // when the stream was made
	Behind         uint64           // the last message before it
	Messages       sql.Null[uint64] // null: nobody knows how many
	Damaged        uint64           // bytes that the stream's server could not read
}

// Same reports whether both are one loss, which two stores noticed.
func (l Loss) Same(other Loss) bool {
	return l.Kind == other.Kind && l.Created.Equal(other.Created) && l.Damaged == other.Damaged && (l.Damaged > 0 || l.Behind == other.Behind)
}

// Losses returns the losses that can concern span, latest first.
func Losses(ctx context.Context, db DB, span Span) ([]Loss, error) {
	return collect(ctx, db, listLossesSQL, span.bounds(), func(l *Loss) []any {
		return []any{&l.Noticed, &l.Since, &l.Kind, &l.Created, &l.Behind, &l.Messages, &l.Damaged}
	})
}

// AddLoss keeps a loss; its Since is found where it is zero. A gap that is kept is
// not kept again.
func AddLoss(ctx context.Context, db DB, l Loss) error {
	since := sql.Null[time.Time]{V: l.Since.UTC(), Valid: !l.Since.IsZero()}
	return run(ctx, db, addLossSQL, sql.Named("noticed", l.Noticed.UTC()), sql.Named("since", since), sql.Named("kind", string(l.Kind)), sql.Named("created", l.Created.UTC()),
		sql.Named("behind", l.Behind), sql.Named("known", l.Messages.Valid), sql.Named("messages", l.Messages.V), sql.Named("damaged", l.Damaged))
}

// LossTold reports whether a loss of the stream of that birth was noticed when
// so many bytes of it were damaged; of none whether one was up to that end.
func LossTold(ctx context.Context, db DB, created time.Time, damaged, ended uint64) (bool, error) {
	args := []any{sql.Named("created", created.UTC()), sql.Named("damaged", damaged), sql.Named("ended", ended)}
	return one(ctx, db, toldLossSQL, args, func(told *bool) []any { return []any{told} })
}

// A KnownStream is what a store knows of streams of a name.
type KnownStream struct {
	Known         bool   // of that birth
	Other         bool   // of another birth
	OtherSequence uint64 // how far the latest of those is stored
	OtherCreated  time.Time
	Any           bool // of any birth, forgotten or not
}

// A streamKnown is a row of known_streams.sql.
type streamKnown struct {
	Forgotten bool
	Created   time.Time
	Sequence  uint64
}

// StreamKnown says what the store knows of streams of that name. Others than that
// of that birth count where they are among ours; nil: all do.
func StreamKnown(ctx context.Context, db DB, stream string, created time.Time, ours []time.Time) (k KnownStream, err error) {
	rows, err := collect(ctx, db, knownStreamsSQL, []any{sql.Named("stream", stream)}, func(r *streamKnown) []any {
		return []any{&r.Forgotten, &r.Created, &r.Sequence}
	})
	for _, r := range rows {
		k.Any = true
		switch {
		case r.Forgotten:
		case r.Created.Equal(created):
			k.Known = true
		case ours == nil || slices.ContainsFunc(ours, r.Created.Equal):
			k.Other, k.OtherSequence, k.OtherCreated = true, r.Sequence, r.Created
		}
	}
	return k, err
}
