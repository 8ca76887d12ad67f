package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/deliver"
	"hansei/queries"
)

// apply writes the suggested changes into the policy file, shows the
// difference first, keeps each change in the store and tells the way back.
func (c *tuneSuggestCmd) apply(a *app, values url.Values) (err error) {
	if _, err := spanOf(values); err != nil {
		return err
	}
	if _, err := filterOf(values); err != nil {
		return err
	}
	old, err := readPolicies(c.Policy)
	if err != nil {
		return err
	}
	policies, err := analyze.ParsePolicies(old)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Policy, err)
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	tuning, err := tuned(a, b, values)
	if err != nil {
		return err
	}
	for _, line := range tuning.Unknown {
		fmt.Fprintln(a.err, line)
	}
	c.leaveOut(a, tuning, policies)
	changes, ids, err := change(policies, tuning, whoOr(c.Who))
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		fmt.Fprintln(a.out, "nothing to change")
		return nil
	}
	text, err := policies.Bytes()
	if err != nil {
		return err
	}
	put := policyForm(c.Policy, text, old, writtenAt(c.Policy), whoOr(c.Who))
	if err := checkPolicies(a, b, put); err != nil {
		return err
	}
	fmt.Fprint(a.out, lineDiff(string(old), string(text)))
	if err := c.write(a, old, text); err != nil {
		return err
	}
	if err := c.keep(a, b, values, ids, changes); err != nil {
		return errors.Join(fmt.Errorf("nothing is applied, and %s is as it was: %w", c.Policy, err), deliver.WriteWhole(c.Policy, old))
	}
	return putPolicies(a, b, put, nil)
}

// keep tells the store of the changes that were applied, by the suggestions that
// values ask for.
func (c *tuneSuggestCmd) keep(a *app, b backend, values url.Values, ids []string, changes []queries.PolicyChange) error {
	kept, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	for _, name := range []string{"format", "agent", "operation", "category"} {
		values.Del(name)
	}
	values.Set("ids", strings.Join(ids, ","))
	values.Set("decision", analyze.Applied)
	values.Set("who", whoOr(c.Who))
	values.Set("changes", string(kept))
	return b.get(a.ctx, "decide", values, a.err)
}

// leaveOut takes out of a tuning the changes that reach further than what is asked
// for, as a timeout does that holds for all categories, and those that would loosen
// what the file sets since, and names them.
func (c *tuneSuggestCmd) leaveOut(a *app, t *analyze.Tuning, policies *analyze.Policies) {
	wider := func(asked, of string) bool { return asked != "" && of == "" }
	t.Suggestions = slices.DeleteFunc(t.Suggestions, func(s analyze.Suggestion) bool {
		out := wider(c.Agent, s.Scope.Agent) || wider(c.Operation, s.Scope.Operation) || wider(c.Category, s.Scope.Category)
		if out && s.Changes() {
			fmt.Fprintf(a.err, "left out: %s, %s of %s, which holds for more than is asked for\n", s.ID, s.Knob, strings.Trim(s.Scope.Agent+" "+s.Scope.Operation, " "))
		}
		if !out && s.Apart() {
			fmt.Fprintf(a.err, "left out: %s, %s of %s: a policy file has no threshold for it\n", s.ID, s.InWords(), s.Scope.Words())
		}
		if setting, beyond := policies.Beyond(&s); !out && s.Changes() && beyond {
			out = true
			fmt.Fprintf(a.err, "left out: %s, %s to %s: %s has %s, which is not what the record shows\n", s.ID, s.Knob, s.Setting(), c.Policy, setting)
		}
		return out
	})
}

// tuned returns what the tuner says of what values ask for.
func tuned(a *app, b backend, values url.Values) (*analyze.Tuning, error) {
	values.Set("format", "json")
	var answer bytes.Buffer
	if err := b.get(a.ctx, "tune", values, &answer); err != nil {
		return nil, err
	}
	var tuning analyze.Tuning
	return &tuning, json.Unmarshal(answer.Bytes(), &tuning)
}

// readPolicies reads a policy file, or begins one when there is none.
func readPolicies(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return analyze.StartPolicies(), nil
	}
	return text, err
}

// change sets all suggested changes, and returns what differs then, as the store
// keeps it, and the ids of the suggestions that are not in the file yet.
func change(policies *analyze.Policies, tuning *analyze.Tuning, who string) (changes []queries.PolicyChange, ids []string, err error) {
	was := analyze.PoliciesOf(policies.Entries())
	for i := range tuning.Suggestions {
		s := &tuning.Suggestions[i]
		if !s.Changes() {
			continue
		}
		before, after, err := policies.Set(s)
		if err != nil {
			return nil, nil, err
		}
		if before != after { // else applied before, and not in force yet
			ids = append(ids, s.ID)
		}
	}
	changes = analyze.ChangesBetween(was, policies)
	for i := range changes {
		c := &changes[i]
		c.Since, c.Who, c.Reason = time.Now(), who, "no more waits than retries"
		for _, s := range tuning.Suggestions {
			switch {
			case s.Scope != (analyze.Scope{Agent: c.Agent, Operation: c.Operation, Category: c.Category}) || !s.Changes():
			case s.Knob == c.Knob:
				c.Value, c.Reason, c.Suggestion = float64(*s.Suggested), s.Reason.EN, s.ID
			case c.Suggestion == "":
				c.Suggestion = s.ID // that the waits follow
			}
		}
	}
	return changes, ids, nil
}

// write writes the policy file beside a copy of the one before: one that sets
// nothing where there was none.
func (c *tuneSuggestCmd) write(a *app, old, text []byte) error {
	if err := deliver.WriteWhole(c.Policy+beforeEnding, old); err != nil {
		return err
	}
	if err := deliver.WriteWhole(c.Policy, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "wrote %s; the way back: hansei tune rollback --policy %s --reason TEXT\n", c.Policy, c.Policy)
	return err
}

// lineDiff shows which lines come and go, with one line around them. The
// common lines are the longest common subsequence.
func lineDiff(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	var text strings.Builder
	for i, line := range out {
		near := line[0] != ' ' || i > 0 && out[i-1][0] != ' ' || i+1 < len(out) && out[i+1][0] != ' '
		if near && strings.TrimSpace(line) != "" {
			text.WriteString(line)
		}
	}
	return text.String()
}
