package analyze

// A frame is some rows that lie behind each other in packed columns.
type frame struct {
	columns  []packed
	from, to int
}

// frameRows is how many rows make a good frame. DuckDB handles each on its own,
// as a batch of an insert: storing a row took 6 µs in frames of 8,192, 11 in
// frames of 2,048; and a frame of one row takes as much memory as one of 2,048.
const frameRows = 8192

// pack packs rows.
func pack[R any](rows []R, columns []column[R]) []frame {
	var out []frame
	k := newPacker(columns)
	for i := range rows {
		if k.add(&rows[i]); k.rows == frameRows || i == len(rows)-1 {
			out = append(out, k.finish())
		}
	}
	return out
}

// gather returns the same rows with small frames copied together. columns are
// the first ones of the frames; the others are left out of the copies.
func gather(columns []shape, frames []frame) []frame {
	if len(frames) < 2 {
		return frames
	}
	var out []frame
	k := newPacking(columns)
	flush := func() {
		if k.rows > 0 {
			out = append(out, k.finish())
		}
	}
	for i := range frames {
		f := &frames[i]
		if f.to-f.from >= frameRows/2 {
			flush()
			out = append(out, *f)
			continue
		}
		for row := f.from; row < f.to; row++ {
			if k.copy(f, row); k.rows == frameRows {
				flush()
			}
		}
	}
	flush()
	return out
}

// copy adds a row of f.
func (k *packing) copy(f *frame, row int) {
	for i := range k.packed {
		from, to := &f.columns[i], &k.packed[i]
		if !from.is(row) {
			continue
		}
		switch k.shape[i].kind {
		case kindText:
			to.addBytes(k.rows, from.textAt(row))
		case kindTruth:
			to.addTruth(k.rows, from.truthAt(row))
		default:
			to.addWord(k.rows, from.wordAt(row))
		}
	}
	k.rows++
}
