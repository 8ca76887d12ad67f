package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/deliver"
	"hansei/ingest/stream"
	"hansei/queries"
)

// tuneRollbackCmd is the way back of tune --apply.
type tuneRollbackCmd struct {
	Policy string `help:"The policy file (default ${default})." default:"policies.yaml" placeholder:"FILE"`
	Reason string `help:"Why." required:"" placeholder:"TEXT"`
	Who    string `help:"Who goes back. Default: the user's name." placeholder:"NAME"`
}

// Run puts back the policy file as it was before the last --apply, and the
// bucket of policies with it. What was in force is then the file before, so
// that a second rollback goes forward again.
func (c *tuneRollbackCmd) Run(a *app) error {
	before, err := os.ReadFile(c.Policy + beforeEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("%s%s is not there: nothing was applied to %s", c.Policy, beforeEnding, c.Policy)}
	}
	if err != nil {
		return err
	}
	now, err := os.ReadFile(c.Policy)
	if err != nil {
		return err
	}
	was, err := analyze.ParsePolicies(before)
	if err != nil {
		return fmt.Errorf("%s%s: %w", c.Policy, beforeEnding, err)
	}
	is, err := analyze.ParsePolicies(now)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Policy, err)
	}
	changes := analyze.ChangesBetween(is, was)
	for i := range changes {
		changes[i].Since, changes[i].Who, changes[i].Reason = time.Now(), whoOr(c.Who), c.Reason
	}
	b, err := a.openBackend() // before anything is written
	if err != nil {
		return err
	}
	fmt.Fprint(a.out, lineDiff(string(now), string(before)))
	err = deliver.WriteWhole(c.Policy, before) // first: until it is there, the copy is the way back
	if err == nil {
		err = deliver.WriteWhole(c.Policy+beforeEnding, now)
	}
	if err == nil {
		err = putPolicies(a, b, before, changes)
	}
	return errors.Join(err, b.Close())
}

// beforeEnding is that of the policy file as it was before the last change.
const beforeEnding = ".before"

// putPolicies keeps changes in the store and puts a policy file into the bucket.
func putPolicies(a *app, b backend, file []byte, changes []queries.PolicyChange) error {
	kept, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	if err := b.get(a.ctx, "policies", url.Values{"policies": {string(file)}, "changes": {string(kept)}}, &answer); err != nil {
		return fmt.Errorf("the policy file is written, but the bucket %s is not: %w", stream.Policies, err)
	}
	_, err = a.out.Write(answer.Bytes())
	return err
}

// answerPolicies keeps changes and makes the bucket hold the policies of a file.
func answerPolicies(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	policies, err := analyze.ParsePolicies([]byte(values.Get("policies")))
	if err != nil {
		return usageError{fmt.Errorf("policies: %v", err)}
	}
	var changes []queries.PolicyChange
	if text := values.Get("changes"); text != "" {
		if err := json.Unmarshal([]byte(text), &changes); err != nil {
			return usageError{fmt.Errorf("changes: %v", err)}
		}
	}
	entries, err := policyValues(policies)
	if err != nil {
		return err
	}
	if err := p.store.Decide(ctx, nil, time.Time{}, changes); err != nil {
		return err
	}
	changed, err := p.client.SetPolicies(ctx, entries)
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		_, err = fmt.Fprintf(w, "bucket %s: unchanged\n", stream.Policies)
		return err
	}
	_, err = fmt.Fprintf(w, "bucket %s: %s\n", stream.Policies, strings.Join(changed, ", "))
	return err
}

// policyValues are the entries of a policy file as the bucket holds them.
func policyValues(policies *analyze.Policies) (map[string][]byte, error) {
	values := map[string][]byte{}
	for _, e := range policies.Entries() {
		value, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		values[stream.PolicyKey(e.Agent, e.Operation, e.Category)] = value
	}
	return values, nil
}
