package analyze

import (
	"context"
	"errors"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// An original is what has an id first: it is stored, or a row of the same batch.
type original struct {
	stored *queries.KnownID // nil: it is not
	row    PackedRow        // of the batch; without a frame as long as none came
}

// fresh returns rows without those whose id is stored already or came before
// among them, and calls again for each that it leaves out, with the one that it
// repeats. The id is the first column; stored finds the ids of which one or the
// other may hold.
func (s *Store) fresh(ctx context.Context, tx queries.DB, rows []frame, stored func(context.Context, queries.DB) ([]queries.KnownID, error),
	again func(PackedRow, *original)) ([]frame, error) {
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
	known := make(map[string]*original, len(list))
	for i := range list {
		o := known[list[i].ID]
		if o == nil {
			o = new(original)
			known[list[i].ID] = o
		}
		if list[i].Stored {
			o.stored = &list[i]
		}
	}
	var out []frame
	for _, f := range rows {
		from := f.from // of what is not left out
		for i := f.from; i < f.to; i++ {
			o := known[string(f.columns[0].textAt(i))]
			if o == nil {
				continue
			}
			if o.stored == nil && o.row.frame == nil {
				o.row = PackedRow{&f, i} // the first of several
				continue
			}
			again(PackedRow{&f, i}, o)
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

// clash notes in c that r is no copy of o but another event. Only of our own
// events, whose agent chooses the id: an adapter makes one id of what it reads of
// one failure on several ways, at slightly different times.
func (o *original) clash(r PackedRow, c *queries.Clash) {
	if string(r.frame.columns[sourceColumn].textAt(r.row)) != ingest.Native {
		return
	}
	var first string
	var at time.Time
	if o.stored != nil {
		first, at = o.stored.Agent, o.stored.Time
	} else {
		first, at = o.row.Text("agent"), o.row.Time()
	}
	agent := r.Text("agent")
	if agent == first && r.Time().Equal(at) {
		return
	}
	if c.Events++; c.ID == "" {
		c.ID, c.Agent, c.First = r.Text("id"), agent, first
	}
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
