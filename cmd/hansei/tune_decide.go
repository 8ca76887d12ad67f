package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

type tuneAcceptCmd struct {
	tuneSpan
	ID     string `arg:"" help:"The suggestion's id, as tune --format json prints it."`
	Reason string `help:"Why." placeholder:"TEXT"`
	Who    string `help:"Who decides. Default: the user's name." placeholder:"NAME"`
}

// Run keeps that a suggestion was taken up.
func (c *tuneAcceptCmd) Run(a *app) error {
	return a.decide(&c.tuneSpan, c.ID, "accepted", c.Who, c.Reason)
}

type tuneDismissCmd struct {
	tuneSpan
	ID     string `arg:"" help:"The suggestion's id, as tune --format json prints it."`
	Reason string `help:"Why." required:"" placeholder:"TEXT"`
	Who    string `help:"Who decides. Default: the user's name." placeholder:"NAME"`
}

// Run keeps that a suggestion was turned down.
func (c *tuneDismissCmd) Run(a *app) error {
	return a.decide(&c.tuneSpan, c.ID, analyze.Dismissed, c.Who, c.Reason)
}

func (a *app) decide(span *tuneSpan, id, decision, who, reason string) error {
	values := span.values(a)
	if _, err := spanOf(values); err != nil {
		return err // before anything is opened
	}
	values.Set("ids", id)
	values.Set("decision", decision)
	values.Set("who", whoOr(who))
	values.Set("reason", reason)
	return a.ask("decide", values, "")
}

// maxTold bounds what is kept of who decided and why: a long paragraph.
const maxTold = 4 << 10

// answerDecide keeps a decision on suggestions of a span.
func answerDecide(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span, err := spanOf(values)
	if err != nil {
		return err
	}
	decision := values.Get("decision")
	if decision != "accepted" && decision != "applied" && decision != analyze.Dismissed {
		return usageError{fmt.Errorf("decision %q: want accepted, applied or dismissed", decision)}
	}
	if decision == analyze.Dismissed && values.Get("reason") == "" {
		return usageError{errors.New("dismissing needs a reason: next month's reader will ask why")}
	}
	if told := len(values.Get("who")) + len(values.Get("reason")); told > maxTold {
		return usageError{fmt.Errorf("who and why have %d bytes: at most %d are kept, every page of suggestions reads them", told, maxTold)}
	}
	tuning, err := tuningOf(ctx, p, span, values, analyze.TuneOptions{Anew: decision != "applied"})
	if err != nil {
		return err
	}
	var decisions []queries.Decision
	for id := range strings.SplitSeq(values.Get("ids"), ",") {
		s, err := suggestionNamed(tuning, id)
		if err != nil {
			return err
		}
		body, err := json.Marshal(s)
		if err != nil {
			return err
		}
		decisions = append(decisions, queries.Decision{ID: id, Made: time.Now(), Decision: decision, Who: values.Get("who"), Reason: values.Get("reason"), Body: string(body)})
	}
	var changes []queries.PolicyChange
	if text := values.Get("changes"); text != "" {
		if err := json.Unmarshal([]byte(text), &changes); err != nil {
			return usageError{fmt.Errorf("changes: %v", err)}
		}
	}
	if err := p.store.Decide(ctx, decisions, changes); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s by %s\n", decision, values.Get("ids"), values.Get("who"))
	return err
}
