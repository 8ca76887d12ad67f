package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"hansei/analyze"
)

type tuneReplayCmd struct {
	tuneSpan
	Policy  string `help:"The policy file to try." required:"" placeholder:"FILE"`
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
	return replayTable(w, rows, analyze.NotReplayed(policy, against))
}

// replayTable writes a line for each cell that changes, and the sum; then which
// thresholds it left alone.
func replayTable(w io.Writer, rows []analyze.Replayed, left []string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "cell\tincidents\tmax_retries\tresolved (incidents)\tretries\twaiting (s)\ttokens\tUSD\t")
	for _, r := range rows {
		name := r.Scope.Agent + " × " + r.Scope.Operation + " × " + r.Scope.Category
		if r.Scope == (analyze.Scope{}) {
			name = "all"
		}
		mark := ""
		if r.Extrapolated {
			mark = "extrapolated"
		}
		e, i := r.Effect, r.Effect.Interval
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, r.Incidents, retryCaps(r),
			between(e.Resolved, i.Resolved), between(e.Retries, i.Retries), between(e.WaitS, i.WaitS), between(e.Tokens, i.Tokens), between(e.CostUSD, i.CostUSD), mark)
	}
	if err := tw.Flush(); err != nil || len(left) == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "Not replayed, since incidents do not tell of them: %s.\n", strings.Join(left, ", "))
	return err
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
