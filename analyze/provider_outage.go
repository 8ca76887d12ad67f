package analyze

import (
	"cmp"
	"context"
	"slices"

	"hansei/queries"
)

// A ProviderOutage is an [Outage] of one provider.
type ProviderOutage struct {
	Provider string
	Outage
	Usual int // incidents of a busy hour without an outage
}

// ProviderOutages returns the outages of providers in span, by time. The rule is that of the tuner, asked of
// one provider at a time: an hour belongs to an outage when so many incidents
// of one category, from at least three agents, would be rarer than one in a
// million under a Poisson law of the usual number; hours next to each other
// are one, with an hour between them too.
func ProviderOutages(ctx context.Context, db queries.DB, span queries.Span) ([]ProviderOutage, error) {
	hours, err := queries.BurstHours(ctx, db, span, outageAgents)
	if err != nil {
		return nil, err
	}
	var out []ProviderOutage
	for _, h := range hours {
		if poissonAtLeast(int(h.Incidents), float64(h.Usual)) >= outageChance {
			continue
		}
		end := h.Hour.Add(outageHours)
		if n := len(out); n > 0 {
			last := &out[n-1]
			if last.Provider == h.Provider && last.Category == h.Category && !last.To.Add(outageHours).Before(h.Hour) {
				last.To = end
				last.Incidents += int(h.Incidents)
				last.Agents = max(last.Agents, int(h.Agents))
				continue
			}
		}
		out = append(out, ProviderOutage{h.Provider, Outage{h.Category, h.Hour, end, int(h.Incidents), int(h.Agents)}, int(h.Usual)})
	}
	slices.SortFunc(out, func(a, b ProviderOutage) int {
		return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Category, b.Category))
	})
	return out, nil
}
