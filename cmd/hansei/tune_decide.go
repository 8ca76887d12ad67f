package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// tuneDecision is what accept and dismiss have in common.
type tuneDecision struct {
	tuneSpan
	ID    string `arg:"" help:"The suggestion's id, as tune --format json prints it."`
	Who   string `help:"Who decides. Default: the user's name." placeholder:"NAME"`
	Again bool   `help:"Decide although somebody has decided on it before; without this the first decision holds."`
}

type tuneAcceptCmd struct {
	tuneDecision
	Reason string `help:"Why." placeholder:"TEXT"`
}

// Run keeps that a suggestion was taken up.
func (c *tuneAcceptCmd) Run(a *app) error {
	return a.decide(&c.tuneDecision, analyze.Accepted, c.Reason)
}

type tuneDismissCmd struct {
	tuneDecision
	Reason string `help:"Why." required:"" placeholder:"TEXT"`
}

// Run keeps that a suggestion was turned down.
func (c *tuneDismissCmd) Run(a *app) error {
	return a.decide(&c.tuneDecision, analyze.Dismissed, c.Reason)
}

func (a *app) decide(c *tuneDecision, decision, reason string) error {
	values := c.values(a)
	if _, err := spanOf(values); err != nil {
		return err // before anything is opened
	}
	values.Set("ids", c.ID)
	values.Set("decision", decision)
	values.Set("who", whoOr(c.Who))
	values.Set("reason", reason)
	if c.Again {
		values.Set("known", time.Now().Format(time.RFC3339Nano))
	}
	return a.ask("decide", values, "")
}

// Bounds of what is kept of a decision, which every page of suggestions reads.
const (
	maxWho    = 100     // characters: a name
	maxReason = 4 << 10 // bytes: a long paragraph
)

// A decision is what a request asks to keep.
type decision struct {
	ids                   []string
	decision, who, reason string
	known                 time.Time // decisions up to it were seen
	changes               []queries.PolicyChange
}

// decisionFields are the parameters of a decision.
var decisionFields = []string{"ids", "decision", "who", "reason", "known", "changes", "month", "from", "to", "timezone", "worth_s", "token_price_s", "dollar_price_s"}

// suggestionIDRE is the form of a suggestion's id.
var suggestionIDRE = regexp.MustCompile(`^s-[0-9a-f]{12}$`)

// decisionOf reads a decision strictly: it is kept for good, so nothing of it
// is guessed.
func decisionOf(values url.Values) (d decision, err error) {
	if err := onlyFields(values, decisionFields); err != nil {
		return d, usageError{err}
	}
	d = decision{ids: strings.Split(values.Get("ids"), ","), decision: values.Get("decision"), who: strings.TrimSpace(values.Get("who")), reason: strings.TrimSpace(values.Get("reason"))}
	for i, id := range d.ids {
		if !suggestionIDRE.MatchString(id) {
			return d, usageError{fmt.Errorf("suggestion %.40q: an id is written like s-0123456789ab; hansei tune --format json lists them", id)}
		}
		if slices.Contains(d.ids[:i], id) {
			return d, usageError{fmt.Errorf("suggestion %s is named twice", id)}
		}
	}
	switch {
	case !slices.Contains([]string{analyze.Accepted, analyze.Applied, analyze.Dismissed}, d.decision):
		err = fmt.Errorf("decision %.40q: want %s, %s or %s", d.decision, analyze.Accepted, analyze.Applied, analyze.Dismissed)
	case d.who == "":
		err = errors.New("a decision needs who decides: give a name")
	case len([]rune(d.who)) > maxWho:
		err = fmt.Errorf("who decides has %d characters: at most %d are kept", len([]rune(d.who)), maxWho)
	case d.reason == "" && d.decision == analyze.Dismissed:
		err = errors.New("dismissing needs a reason: next month's reader will ask why")
	case len(d.reason) > maxReason:
		err = fmt.Errorf("the reason has %d bytes: at most %d are kept", len(d.reason), maxReason)
	}
	if err != nil {
		return d, usageError{err}
	}
	if text := values.Get("known"); text != "" {
		if d.known, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return d, usageError{fmt.Errorf("known %.40q is not a time like 2026-01-31T09:30:00Z", text)}
		}
	}
	if text := values.Get("changes"); text != "" {
		if err := json.Unmarshal([]byte(text), &d.changes); err != nil {
			return d, usageError{fmt.Errorf("changes: %v", err)}
		}
	}
	return d, nil
}

// answerDecide keeps a decision on suggestions of a span.
func answerDecide(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	d, err := decisionOf(values)
	if err != nil {
		return err
	}
	span, err := spanOf(values)
	if err != nil {
		return err
	}
	tuning, err := tuningOf(ctx, p, span, values, analyze.TuneOptions{Anew: d.decision != analyze.Applied})
	if err != nil {
		return err
	}
	var decisions []queries.Decision
	for _, id := range d.ids {
		s, err := suggestionNamed(tuning, id)
		if err != nil {
			return err
		}
		if s.Verdict != analyze.Raise && s.Verdict != analyze.Lower {
			return usageError{fmt.Errorf("suggestion %s, %s, asks for no change now (%s): there is nothing to decide", id, s.Knob, s.Verdict)}
		}
		body, err := json.Marshal(s)
		if err != nil {
			return err
		}
		decisions = append(decisions, queries.Decision{ID: id, Made: time.Now(), Decision: d.decision, Who: d.who, Reason: d.reason, Body: string(body)})
	}
	if err := p.store.Decide(ctx, decisions, d.known, d.changes); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s by %s\n", d.decision, values.Get("ids"), d.who)
	return err
}
