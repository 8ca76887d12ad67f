package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"hansei/analyze"
)

type tuneReplayCmd struct {
	tuneSpan
	Policy  string `help:"The policy file to try: all of its thresholds. What it forbids is exact; what it allows beyond the record is marked as extrapolated, and what no record tells is said below the table." required:"" placeholder:"FILE"`
	Against string `help:"Compare with this policy file instead of with what was recorded." placeholder:"FILE"`
	Format  string `help:"md or json (default ${default})." default:"md" placeholder:"FORMAT"`
}

// Run replays the recorded incidents.
func (c *tuneReplayCmd) Run(a *app) error {
	values := c.values(a)
	values.Set("format", c.Format)
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
	policy, err := analyze.ParsePolicies([]byte(values.Get("policy")))
	if err != nil {
		return usageError{fmt.Errorf("policy: %v", err)}
	}
	var against *analyze.Policies
	if text := values.Get("against"); text != "" {
		if against, err = analyze.ParsePolicies([]byte(text)); err != nil {
			return usageError{fmt.Errorf("against: %v", err)}
		}
	}
	db, err := p.chains(ctx, span)
	if err != nil {
		return err
	}
	rows, err := analyze.Replay(ctx, db, span, policy, against)
	if err != nil {
		return err
	}
	if values.Get("format") == "json" {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(rows)
	}
	return replayTable(w, rows, analyze.Thresholds(policy, against))
}

// replayTable writes a line for each limit that changes something, and one for
// each cell whose incidents change, with their sum; then what no record tells of
// the thresholds that are set.
func replayTable(w io.Writer, rows []analyze.Replayed, set []string) error {
	limits := slices.IndexFunc(rows, func(r analyze.Replayed) bool { return r.Knob == "" }) // the first row of incidents
	if err := limitTable(w, rows[:limits]); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "cell\tincidents\tmax_retries\tresolved (incidents)\tretries\twaiting (s)\ttokens\tUSD\t")
	for _, r := range rows[limits:] {
		name := r.Scope.Agent + " × " + r.Scope.Operation + " × " + r.Scope.Category
		if r.Scope == (analyze.Scope{}) {
			name = "all"
		}
		e, i := r.Effect, r.Effect.Interval
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, r.Incidents, retryCaps(r),
			between(e.Resolved, i.Resolved), between(e.Retries, i.Retries), between(e.WaitS, i.WaitS), between(e.Tokens, i.Tokens), between(e.CostUSD, i.CostUSD), extrapolated(r))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, name := range set {
		if text := unknowable[name]; text != "" {
			fmt.Fprintf(w, "%s: %s\n", name, text)
		}
	}
	return nil
}

// limitTable writes a line for each limit of calls, turns or hours.
func limitTable(w io.Writer, rows []analyze.Replayed) error {
	if len(rows) == 0 {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "limit\tof\tset to\tchanged\tpassed\tretries\trunning (s)\tcalls\t")
	for _, r := range rows {
		name := r.Scope.Agent
		if r.Scope.Operation != "" {
			name += " × " + r.Scope.Operation
		}
		of := limitWords[r.Knob]
		set := limitOf(r.Limit, of.unit)
		if r.AgainstLimit != nil {
			set += " against " + limitOf(r.AgainstLimit, of.unit)
		}
		e, i := r.Effect, r.Effect.Interval
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d %s\t%s\t%s\t%s\t%s\t%s\n", r.Knob, name, set, r.Incidents, of.changes,
			between(e.Resolved, i.Resolved), between(e.Retries, i.Retries), between(e.WaitS, i.WaitS), between(r.Calls, r.CallsInterval), extrapolated(r))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// unknowable says of a threshold what the record cannot tell.
var unknowable = map[string]string{
	"call_depth":   "whether the work of a turn that is cut off would have been taken up again is not in the record. A turn that went on beyond a recorded limit is taken to end as often as those in the last fifth before it.",
	"delays":       "another wait may find another outcome; the recorded one is kept.",
	"retry_budget": "which retries of an hour it leaves out is open; they are taken to pass as often as the others of that hour. Retries that a recorded budget held back are in no record.",
	"score_bar":    "work that passed at once is no incident, so what a higher bar would have sent back of it is not in the record; an incident that falls short of a higher bar counts as not resolved, since later scores are not known.",
	"timeout":      "whether a call that is cut off would pass when tried again is not in the record. A call that went on beyond a recorded limit is taken to pass as often as those in the last fifth before it.",
}

// limitWords are what a limit is counted in, and what it changes.
var limitWords = map[string]struct{ unit, changes string }{
	"call_depth":   {"calls", "turns"},
	"retry_budget": {"%", "hours"},
	"timeout":      {"s", "calls"},
}

// limitOf writes a limit, or that it is as recorded.
func limitOf(v *float64, unit string) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64) + " " + unit
}

func extrapolated(r analyze.Replayed) string {
	if r.Extrapolated {
		return "extrapolated"
	}
	return ""
}

// retryCaps writes the caps of both sides.
func retryCaps(r analyze.Replayed) string {
	if r.Against < 0 {
		return retryCap(r.Cap)
	}
	return retryCap(r.Cap) + " against " + retryCap(r.Against)
}

func retryCap(n int) string {
	if n < 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// between writes a difference with its 95 % interval.
func between(v float64, interval [2]float64) string {
	if v == 0 && interval == [2]float64{} {
		return "0"
	}
	return fmt.Sprintf("%+.4g (%+.4g to %+.4g)", v, interval[0], interval[1])
}
