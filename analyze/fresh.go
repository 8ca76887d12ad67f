package analyze

import (
	"context"
	"errors"

	"hansei/queries"
)

// fresh returns rows without those whose id is stored already or came before
// among them, and calls again for each that it leaves out. The id is the first
// column; stored finds the ids of which one or the other may hold.
func (s *Store) fresh(ctx context.Context, tx queries.DB, rows []frame, stored func(context.Context, queries.DB) ([]queries.KnownID, error),
	again func(PackedRow)) ([]frame, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	done, err := stage(ctx, s.writer, staged, idShape, gather(idShape, rows))
	if err != nil {
		return nil, err
	}
	list, err := stored(ctx, tx)
	if err := errors.Join(err, done()); err != nil || len(list) == 0 {
		return rows, err
	}
	known := make(map[string]bool, len(list)) // true: no more of it
	for _, id := range list {
		known[id.ID] = id.Stored || known[id.ID]
	}
	var out []frame
	for _, f := range rows {
		from := f.from // of what is not left out
		for i := f.from; i < f.to; i++ {
			id := f.columns[0].textAt(i)
			gone, ok := known[string(id)]
			if ok && !gone {
				known[string(id)] = true // the first of several
			}
			if !gone {
				continue
			}
			again(PackedRow{&f, i})
			if from < i {
				out = append(out, frame{f.columns, from, i})
			}
			from = i + 1
		}
		if from < f.to {
			out = append(out, frame{f.columns, from, f.to})
		}
	}
	return out, nil
}

// idShape is the first column of every staged table.
var idShape = []shape{{"id", kindText}}

// count returns how many rows the frames hold.
func count(frames []frame) (n int64) {
	for _, f := range frames {
		n += int64(f.to - f.from)
	}
	return n
}
