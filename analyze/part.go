package analyze

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"hansei/classify"
	"hansei/ingest"
)

// A Row is one event with its tags, on its way into a [Packer].
type Row struct {
	Sequence uint64 // of its message in the stream
	Replaces string // id of the quarantined input that its message stands for; empty: none
	Event    *ingest.Event
	Tag      classify.Tag
}

// A Packer makes parts of rows. It is not safe for concurrent use, and may be
// used again and again, which spares its memory.
type Packer struct {
	rows     *packer[Row]
	replaces []replacement
}

// A replacement says that a message stands for quarantined input.
type replacement struct {
	id       string
	sequence uint64
}

// NewPacker returns an empty Packer.
func NewPacker() *Packer { return &Packer{rows: newPacker(eventColumns)} }

// Add adds a row, whose sequence is not below that of the one before. Nothing
// of r is kept.
func (k *Packer) Add(r *Row) {
	if r.Replaces != "" {
		k.replaces = append(k.replaces, replacement{r.Replaces, r.Sequence})
	}
	k.rows.add(r)
}

// Part returns the rows that were added, and begins anew.
func (k *Packer) Part() *Part {
	p := &Part{frame: k.rows.finish(), replaces: k.replaces}
	k.replaces = nil
	return p
}

// A Part is some rows in a few hundred bytes each, in the columns of the store.
// It does not change, so that any number of batches may share it.
type Part struct {
	frame    frame
	replaces []replacement
}

// Len returns the number of its rows.
func (p *Part) Len() int { return p.frame.to }

// behind returns the first row whose sequence is above the one given.
func (p *Part) behind(sequence uint64) int {
	column := &p.frame.columns[sequenceColumn]
	low, high := 0, p.Len()
	for low < high {
		if middle := (low + high) / 2; column.wordAt(middle) > sequence {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// A PackedRow is a row of a [Part].
type PackedRow struct {
	frame *frame
	row   int
}

// Where the columns stand that the store itself reads.
var (
	timeColumn     = columnOf(eventColumns, "time")
	sourceColumn   = columnOf(eventColumns, "source")
	sequenceColumn = columnOf(eventColumns, "sequence")
)

// columnOf returns where the column of that name stands; -1 for none.
func columnOf[R any](columns []column[R], name string) int {
	return slices.IndexFunc(columns, func(c column[R]) bool { return c.name == name })
}

// Time returns when the event happened, to the microsecond.
func (r PackedRow) Time() time.Time { return r.frame.columns[timeColumn].timeAt(r.row) }

func (r PackedRow) sequence() uint64 { return r.frame.columns[sequenceColumn].wordAt(r.row) }

// Text returns the text of the column of that name in table events; empty when
// it is absent.
func (r PackedRow) Text(name string) string {
	return string(r.frame.columns[columnOf(eventColumns, name)].textAt(r.row))
}

// Tag returns what was decided about the event.
func (r PackedRow) Tag() classify.Tag {
	retryable := &r.frame.columns[columnOf(eventColumns, "retryable")]
	return classify.Tag{
		Taxonomy: classify.Taxonomy(r.Text("taxonomy")), Category: classify.Category(r.Text("category")),
		Retryable: retryable.is(r.row) && retryable.truthAt(r.row),
		Rule:      r.Text("rule"), Resolution: classify.Resolution(r.Text("resolution")), Fingerprint: r.Text("fingerprint"),
	}
}

// Resolution returns what the source wrote as resolution, or the tag where it
// wrote that or nothing.
func (r PackedRow) Resolution() string {
	return cmp.Or(r.Text("resolution_text"), r.Text("resolution"))
}

// AppendEvent appends the event as one JSON object, as [ingest.Event.AppendJSON]
// does, without its resolution.
func (r PackedRow) AppendEvent(dst []byte) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for i := range eventColumns {
		c, p := &eventColumns[i], &r.frame.columns[i]
		switch {
		case c.name == "taxonomy":
			return append(dst, '}') // what follows is not the event's
		case !p.is(r.row) || c.name == "resolution" || c.name == "resolution_text":
			continue
		case len(dst) > first:
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), c.name...), '"', ':')
		switch c.kind() {
		case kindText:
			if c.name == "attrs" {
				dst = append(dst, p.textAt(r.row)...)
				continue
			}
			dst = ingest.AppendQuote(dst, string(p.textAt(r.row)))
		case kindWhole:
			dst = strconv.AppendInt(dst, int64(p.wordAt(r.row)), 10)
		case kindReal:
			dst = strconv.AppendFloat(dst, p.realAt(r.row), 'g', -1, 64)
		case kindMoment:
			dst = ingest.AppendQuote(dst, p.timeAt(r.row).Format(time.RFC3339Nano))
		}
	}
	return append(dst, '}')
}
