package reports

import (
	"context"
	"time"

	"hansei/queries"
)

// Before is what the report compares with: the month before a month, the same
// number of days before any other span.
type Before struct {
	Span     queries.Span
	Totals   queries.Totals
	Groups   map[queries.Dimension][]queries.Group
	Coverage []queries.SourceCoverage
	period   string // for people
	index    map[groupKey]queries.Group
}

type groupKey struct {
	dimension  queries.Dimension
	key, agent string
}

func keyOf(g queries.Group) groupKey { return groupKey{g.Dimension, g.Key, g.Agent} }

// group is the one of g's name, all zero where there was none.
func (b *Before) group(g queries.Group) queries.Group { return b.index[keyOf(g)] }

// name names the time before in a language.
func (b *Before) name(lang Lang) {
	past := &Report{Options: Options{Span: b.Span, Lang: lang}}
	b.period = past.period()
}

func (r *Report) askBefore(ctx context.Context, db queries.DB) (err error) {
	b := &r.Before
	b.Span = r.spanBefore()
	b.name(r.Lang)
	if b.Totals, err = queries.MonthTotals(ctx, db, b.Span); err != nil {
		return err
	}
	if b.Coverage, err = queries.Coverage(ctx, db, b.Span); err != nil {
		return err
	}
	if b.Groups, err = queries.Breakdown(ctx, db, b.Span); err != nil {
		return err
	}
	b.index = map[groupKey]queries.Group{}
	for _, groups := range b.Groups {
		for _, g := range groups {
			b.index[keyOf(g)] = g
		}
	}
	return nil
}

func (r *Report) spanBefore() queries.Span {
	s := r.Span
	from := s.From.In(s.Location)
	s.To = s.From
	if r.wholeMonth() {
		s.From = from.AddDate(0, -1, 0)
		return s
	}
	days := int(r.lastDay().Sub(r.firstDay())/(24*time.Hour)) + 1
	s.From = from.AddDate(0, 0, -days)
	return s
}
