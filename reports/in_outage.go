package reports

import (
	"context"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// A codeOutage is the outage that most incidents of the code of the first
// screen came from.
type codeOutage struct {
	analyze.ProviderOutage
	incidents int64 // of that code; 0: there is no such outage
}

// askOutage looks for the outage of what stands out. It asks only for outages
// that can hold most of the code's incidents: seldom more than one.
func (r *Report) askOutage(ctx context.Context, db queries.DB) error {
	g, ok := r.standout()
	if !ok || g.Key == "" {
		return nil
	}
	for _, o := range r.Outages {
		if !mostOf(int64(o.Incidents), g) {
			continue
		}
		span := r.Span
		span.Filter.Provider, span.Filter.Category = o.Provider, o.Category
		span.From, span.To = later(span.From, o.From), earlier(span.To, o.To)
		groups, err := queries.Breakdown(ctx, db, span)
		if err != nil {
			return err
		}
		for _, in := range groups[queries.ByCode] {
			if in.Key == g.Key && mostOf(in.Incidents, g) {
				r.outage = codeOutage{o, in.Incidents}
				return nil
			}
		}
	}
	return nil
}

// mostOf reports whether n of g's incidents are most of them, and enough to
// speak of.
func mostOf(n int64, g queries.Group) bool { return n >= fewIncidents && 2*n > g.Incidents }

// nearly is the share, in percent, from which on most are nearly all.
const nearly = 90

// fromOutage says which outage most incidents of g came from.
func (r *Report) fromOutage(g queries.Group) string {
	o := r.outage
	from, to := r.dayName(noon(o.From.In(r.Span.Location))), r.dayName(noon(o.To.Add(-time.Nanosecond).In(r.Span.Location)))
	if from != to {
		from = r.say(text{EN: "%s to %s", JA: "%s〜%s"}, from, to)
	}
	var share string
	switch {
	case o.incidents == g.Incidents:
		share = r.say(text{EN: "all of them", JA: "すべて"})
	case 100*o.incidents >= nearly*g.Incidents:
		share = r.say(text{EN: "nearly all of them (%s)", JA: "ほぼすべて（%s件）"}, group(o.incidents))
	default:
		share = r.say(text{EN: "%s of them", JA: "うち%s件"}, group(o.incidents))
	}
	return r.say(text{EN: "%s from one outage of %s on %s", JA: "%[1]sが%[3]sの%[2]sの障害によるもの"}, share, clean(o.Provider), from)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
