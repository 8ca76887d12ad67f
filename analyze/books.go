package analyze

import (
	"time"

	"hansei/queries"
)

// books count a batch, per hour and source.
type books map[bookKey]*queries.BookPage

type bookKey struct {
	hour   int64 // Unix time of its start
	source string
}

// newBooks books all of b as stored or quarantined, and what the stream lost.
func newBooks(b Batch) books {
	k := books{}
	for i := range b.Rows {
		p := k.ofEvent(&b.Rows[i])
		p.Published++
		p.Stored++
	}
	for i := range b.Bad {
		p := k.ofBad(&b.Bad[i])
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

func (k books) of(at time.Time, source string) *queries.BookPage {
	hour := at.UTC().Truncate(time.Hour)
	key := bookKey{hour.Unix(), source}
	p := k[key]
	if p == nil {
		p = &queries.BookPage{Hour: hour, Source: source}
		k[key] = p
	}
	return p
}

func (k books) ofEvent(r *Row) *queries.BookPage { return k.of(r.Event.Time, r.Event.Source) }
func (k books) ofBad(b *Bad) *queries.BookPage   { return k.of(b.hour(), text(b.Source)) }

// eventAgain books r as one that is stored already.
func (k books) eventAgain(r *Row) {
	p := k.ofEvent(r)
	p.Stored--
	p.Deduplicated++
}

// badAgain books b as bad input that is in quarantine already.
func (k books) badAgain(b *Bad) {
	p := k.ofBad(b)
	p.Quarantined--
	p.Deduplicated++
}

func (k books) pages() []queries.BookPage {
	out := make([]queries.BookPage, 0, len(k))
	for _, p := range k {
		out = append(out, *p)
	}
	return out
}
