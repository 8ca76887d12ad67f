package analyze

import (
	"time"

	"hansei/queries"
)

// books count a batch, per hour and source.
type books struct {
	open map[bookKey]*queries.BookPage
	last *queries.BookPage // mostly the next event's too
}

type bookKey struct {
	hour   int64 // Unix time of its start
	source string
}

// newBooks books all of b as stored or quarantined, and what the stream lost.
func newBooks(b Batch) *books {
	k := &books{open: map[bookKey]*queries.BookPage{}, last: new(queries.BookPage)}
	for r := range b.Rows() {
		p := k.ofEvent(r)
		p.Published++
		p.Stored++
	}
	for i := range b.Bad {
		p := k.of(b.Bad[i].hour(), storable(b.Bad[i].Source))
		p.Published++
		p.Quarantined++
	}
	if b.Missing > 0 {
		p := k.of(b.MissingAt, "") // nobody knows whose they were
		p.Published += b.Missing
		p.Expired += b.Missing
	}
	return k
}

func (k *books) of(at time.Time, source string) *queries.BookPage {
	hour := at.UTC().Truncate(time.Hour)
	key := bookKey{hour.Unix(), source}
	p := k.open[key]
	if p == nil {
		p = &queries.BookPage{Hour: hour, Source: source}
		k.open[key] = p
	}
	return p
}

func (k *books) ofEvent(r PackedRow) *queries.BookPage {
	at, source := r.Time(), r.frame.columns[sourceColumn].textAt(r.row)
	if after := at.Sub(k.last.Hour); after < 0 || after >= time.Hour || k.last.Source != string(source) {
		k.last = k.of(at, string(source))
	}
	return k.last
}

// earliest is the earliest hour that is booked; never where none is.
func (k *books) earliest() time.Time {
	earliest := never
	for _, p := range k.open {
		if p.Hour.Before(earliest) {
			earliest = p.Hour
		}
	}
	return earliest
}

// eventAgain books r as one that is stored already.
func (k *books) eventAgain(r PackedRow) {
	p := k.ofEvent(r)
	p.Stored--
	p.Deduplicated++
}

// badAgain books r, bad input, as one that is in quarantine already.
func (k *books) badAgain(r PackedRow, _ *original) {
	p := k.of(r.frame.columns[badHourColumn].timeAt(r.row), string(r.frame.columns[badSourceColumn].textAt(r.row)))
	p.Quarantined--
	p.Deduplicated++
}

// Where the columns stand that the books read of bad input.
var (
	badHourColumn   = columnOf(quarantineColumns, "hour")
	badSourceColumn = columnOf(quarantineColumns, "source")
)

func (k *books) pages() []queries.BookPage {
	out := make([]queries.BookPage, 0, len(k.open))
	for _, p := range k.open {
		out = append(out, *p)
	}
	return out
}
