package analyze

import (
	"context"
	"fmt"

	"hansei/queries"
)

// pastYears is how far back retries are remembered: the causes of what came
// earlier are likely others, and of most stores it has expired.
const pastYears = 1

// pastOf counts what the retries of each cell achieved before span, as far as the
// store has it: whether anybody asked the tuner then makes no difference.
func pastOf(ctx context.Context, db queries.DB, span queries.Span) (map[Scope][]Evidence, error) {
	before := queries.Span{From: span.From.AddDate(-pastYears, 0, 0), To: span.From, Location: span.Location}
	rows, err := queries.PastRetries(ctx, db, before, maxChain)
	if err != nil {
		return nil, fmt.Errorf("count the retries of the year before: %w", err)
	}
	counts := map[Scope]*counted{}
	for _, r := range rows {
		scope := Scope{Agent: r.Agent, Operation: r.Operation, Category: r.Category}
		of := counts[scope]
		if of == nil {
			of = &counted{}
			counts[scope] = of
		}
		into := &of.told
		if blind(r.Source) {
			into = &of.blind
		}
		into.addTimes(int(r.Retries), int(r.Incidents), int(r.Won))
	}
	past := make(map[Scope][]Evidence, len(counts))
	for scope, of := range counts {
		past[scope] = evidenceOf(of.sighted().tallies())
	}
	return past, nil
}

// evidenceOf are the counts of retries, by retry.
func evidenceOf(of []tally) (out []Evidence) {
	for k, t := range of {
		out = append(out, Evidence{Retry: k + 1, Won: t.won, AtRisk: t.n})
	}
	return out
}
