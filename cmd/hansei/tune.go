package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/user"
	"time"

	"hansei/analyze"
	"hansei/queries"
	"hansei/reports"
)

// tuneCmd suggests thresholds, tries policies and keeps what was decided.
type tuneCmd struct {
	Suggest tuneSuggestCmd `cmd:"" default:"withargs" help:"Suggest thresholds from what happened (what tune does by itself)."`
	Replay  tuneReplayCmd  `cmd:"" help:"Run the recorded incidents under the policies of a file, and tell what would have come of them."`
	Accept  tuneAcceptCmd  `cmd:"" help:"Keep that a suggestion was taken up; later months are held against what it predicted."`
	Dismiss tuneDismissCmd `cmd:"" help:"Keep that a suggestion was turned down, and why."`

	Policies tunePoliciesCmd `cmd:"" help:"Print the policy file in force on the NATS server, or put another one in force."`
	Rollback tuneRollbackCmd `cmd:"" help:"Put the policies back as they were before the last --apply: the file, and the bucket that agents watch. A second rollback takes the first one back."`
}

// tuneSpan is what the subcommands of tune learn from.
type tuneSpan struct {
	Month string `help:"Month to learn from, such as 2026-01. Default: the month that ended last." placeholder:"YYYY-MM" xor:"month"`
	From  string `help:"First day to learn from, with --to." placeholder:"YYYY-MM-DD" xor:"month"`
	To    string `help:"Last day to learn from." placeholder:"YYYY-MM-DD"`
	prices
}

// prices are what a retry is weighed with.
type prices struct {
	Worth       string `help:"What a resolution is worth, in seconds (default 600)." placeholder:"SECONDS"`
	TokenPrice  string `help:"What a thousand tokens cost, in seconds (default 0.1; 0: nothing)." placeholder:"SECONDS"`
	DollarPrice string `help:"What a dollar of cost_usd costs, in seconds (default 36: 100 dollars an hour; 0: nothing). Of tokens and dollars the dearer counts, since they tell of the same." placeholder:"SECONDS"`
}

// into sets the parameters of the prices.
func (p *prices) into(values url.Values) {
	values.Set("worth_s", p.Worth)
	values.Set("token_price_s", p.TokenPrice)
	values.Set("dollar_price_s", p.DollarPrice)
}

func (c *tuneSpan) values(a *app) url.Values {
	values := url.Values{"timezone": {a.Timezone}}
	c.into(values)
	if c.From != "" || c.To != "" {
		values.Set("from", c.From)
		values.Set("to", c.To)
	} else {
		values.Set("month", a.monthOr(c.Month))
	}
	return values
}

type tuneSuggestCmd struct {
	tuneSpan
	Format string `help:"md, json, or yaml: the changes as a policy file (default ${default})." default:"md" placeholder:"FORMAT"`
	Lang   string `help:"en or ja, for md (default ${default})." default:"en" placeholder:"LANG"`
	Emit   string `help:"Print the changes in the terms of another system: ${systems}." placeholder:"SYSTEM"`
	Apply  bool   `help:"Write the changes into the policy file, after showing what changes, and into the JetStream key-value bucket HANSEI_POLICIES, which agents can watch: a key for each cell, agent.operation.category with _ for all, and its thresholds as JSON. hansei tune rollback is the way back."`
	Policy string `help:"The policy file of --apply; made when it is not there, with the documents' defaults as comments (default ${default})." default:"policies.yaml" placeholder:"FILE"`
	Who    string `help:"Who applies. Default: the user's name." placeholder:"NAME"`

	Agent     string `help:"Only suggestions that concern this agent." placeholder:"NAME"`
	Operation string `help:"Only suggestions that concern this operation." placeholder:"NAME"`
	Category  string `help:"Only suggestions that concern this category." placeholder:"NAME"`
}

// Run prints the suggestions.
func (c *tuneSuggestCmd) Run(a *app) error {
	values := c.values(a)
	for name, value := range map[string]string{"agent": c.Agent, "operation": c.Operation, "category": c.Category} {
		values.Set(name, value)
	}
	if c.Apply {
		return c.apply(a, values)
	}
	values.Set("format", c.Format)
	values.Set("lang", c.Lang)
	values.Set("emit", c.Emit)
	if c.Emit != "" {
		if _, err := reports.EmitterNamed(c.Emit); err != nil {
			return usageError{err}
		}
	}
	return a.ask("tune", values, "")
}

// whoOr returns the name given, or that of the user; services and containers
// often set no USER.
func whoOr(name string) string {
	if name = cmp.Or(name, os.Getenv("USER"), os.Getenv("USERNAME")); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "unknown"
}

func tuneMedia(values url.Values) string {
	switch values.Get("format") {
	case "json":
		return "application/json"
	case "yaml":
		return "application/yaml"
	}
	return "text/markdown; charset=utf-8"
}

func answerTune(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span, err := spanOf(values)
	if err != nil {
		return err
	}
	lang, err := reports.ParseLang(cmp.Or(values.Get("lang"), "en"))
	if err != nil {
		return usageError{err}
	}
	format, err := reports.ParseTuningFormat(cmp.Or(values.Get("format"), "md"))
	if err != nil {
		return usageError{err}
	}
	tuning, err := tuningOf(ctx, p, span, values, analyze.TuneOptions{})
	if err != nil {
		return err
	}
	p.keepSuggestions(ctx, tuning)
	filter, err := filterOf(values)
	if err != nil {
		return err
	}
	db := p.store.Reader()
	if filter != (queries.Filter{}) {
		names, err := queries.KnownNames(ctx, db, filter)
		if err != nil {
			return err
		}
		tuning.Unknown = reports.UnknownNames(filter, names, lang)
	}
	if name := values.Get("emit"); name != "" {
		emitter, err := reports.EmitterNamed(name)
		if err != nil {
			return usageError{err}
		}
		return emitter.Emit(w, tuning, filter)
	}
	tuning = reports.Concerning(filter, tuning)
	var months []string
	if len(tuning.Suggestions) == 0 && format == reports.Markdown {
		if months, err = queries.Months(ctx, db, span.Location); err != nil {
			return err
		}
	}
	return reports.RenderTuning(w, tuning, months, format, lang)
}

// keepSuggestions keeps what is suggested, so that later months can tell what
// became of it. An answer does not fail for it.
func (p *pipeline) keepSuggestions(ctx context.Context, t *analyze.Tuning) {
	if err := p.store.KeepSuggestions(ctx, t, time.Now()); err != nil {
		p.log.Warn("the suggestions are not kept; the next hansei tune of this time tries again", "err", err)
	}
}

// suggestionNamed finds a suggestion by its id.
func suggestionNamed(t *analyze.Tuning, id string) (*analyze.Suggestion, error) {
	for i := range t.Suggestions {
		if t.Suggestions[i].ID == id {
			return &t.Suggestions[i], nil
		}
	}
	return nil, usageError{fmt.Errorf("no suggestion %s from %s to %s; name the month that it is from, as in --month 2026-01: hansei tune --month lists its suggestions with their ids",
		id, t.From.Format("2006-01-02"), t.To.AddDate(0, 0, -1).Format("2006-01-02"))}
}
