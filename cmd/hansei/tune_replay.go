package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"

	"hansei/analyze"
	"hansei/queries"
	"hansei/reports"
)

type tuneReplayCmd struct {
	tuneSpan
	Policy  string `help:"The policy file to try: all of its thresholds. What it forbids is exact; what it allows beyond the record is marked as extrapolated, and what no record tells is said below the table." required:"" placeholder:"FILE"`
	Against string `help:"Compare with this policy file instead of with what was recorded." placeholder:"FILE"`
	Format  string `help:"md or json (default ${default})." default:"md" placeholder:"FORMAT"`
	Lang    string `help:"en or ja, for md (default ${default})." default:"en" placeholder:"LANG"`

	Agent     string `help:"Only incidents of this agent." placeholder:"NAME"`
	Operation string `help:"Only incidents of this operation." placeholder:"NAME"`
	Category  string `help:"Only incidents of this category." placeholder:"NAME"`
}

// Run replays the recorded incidents.
func (c *tuneReplayCmd) Run(a *app) error {
	values := c.values(a)
	for name, value := range map[string]string{"format": c.Format, "lang": c.Lang, "agent": c.Agent, "operation": c.Operation, "category": c.Category} {
		values.Set(name, value)
	}
	for name, path := range map[string]string{"policy": c.Policy, "against": c.Against} {
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := analyze.ParsePolicies(text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		values.Set(name, string(text))
	}
	return a.ask("replay", values, "")
}

// answerReplay tells what policies would have come to.
func answerReplay(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span, err := spanOf(values)
	if err != nil {
		return err
	}
	if format := cmp.Or(values.Get("format"), "md"); format != "md" && format != "json" {
		return usageError{fmt.Errorf("format %.40q is not known; known are md, json", format)}
	}
	policy, against, err := candidates(values)
	if err != nil {
		return err
	}
	lang, err := reports.ParseLang(cmp.Or(values.Get("lang"), "en"))
	if err != nil {
		return usageError{err}
	}
	prices, err := pricesOf(values, analyze.TuneOptions{})
	if err != nil {
		return err
	}
	filter, err := filterOf(values)
	if err != nil {
		return err
	}
	db, err := p.chains(ctx, span)
	if err != nil {
		return err
	}
	span.Filter = filter
	rows, err := analyze.Replay(ctx, db, span, policy, against)
	if err != nil {
		return err
	}
	if values.Get("format") == "json" {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(rows)
	}
	totals, err := queries.MonthTotals(ctx, db, span)
	if err != nil {
		return err
	}
	replay := reports.Replay{Rows: rows, Set: analyze.Thresholds(policy, against), Options: prices.Priced()}
	replay.Cancelled = totals.Cancelled
	replay.Untold = max(0, totals.Incidents-totals.Cancelled-int64(rows[len(rows)-1].Incidents))
	if err := reports.RenderReplay(w, replay, lang); err != nil {
		return err
	}
	for _, agent := range agentsOf(policy, against) {
		if err := tellUnknown(ctx, db, queries.Filter{Agent: agent}, w, lang); err != nil {
			return err
		}
	}
	return nil
}

// candidates reads the policies to replay, and those to hold them against; nil:
// the record.
func candidates(values url.Values) (policy, against *analyze.Policies, err error) {
	if policy, err = analyze.ParsePolicies([]byte(values.Get("policy"))); err != nil {
		return nil, nil, usageError{fmt.Errorf("policy: %v", err)}
	}
	if text := values.Get("against"); text != "" {
		if against, err = analyze.ParsePolicies([]byte(text)); err != nil {
			return nil, nil, usageError{fmt.Errorf("against: %v", err)}
		}
	}
	return policy, against, nil
}

// agentsOf returns the agents that policies name, each once.
func agentsOf(policies ...*analyze.Policies) (names []string) {
	for _, p := range policies {
		if p == nil {
			continue
		}
		for _, e := range p.Entries() {
			if e.Agent != "" {
				names = append(names, e.Agent)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// tellUnknown names what of a filter no stored incident has, and the closest names.
func tellUnknown(ctx context.Context, db queries.DB, f queries.Filter, w io.Writer, lang reports.Lang) error {
	names, err := queries.KnownNames(ctx, db, f)
	if err != nil {
		return err
	}
	for _, line := range reports.UnknownNames(f, names, lang) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
