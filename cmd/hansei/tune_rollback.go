package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
		changes[i].Since, changes[i].Who, changes[i].Reason, changes[i].Suggestion = time.Now(), whoOr(c.Who), c.Reason, analyze.Rollback
	}
	b, err := a.openStored() // before anything is written
	if err != nil {
		return err
	}
	values := policyForm(c.Policy, before, now, writtenAt(c.Policy), whoOr(c.Who))
	if err := checkPolicies(a, b, values); err != nil {
		return errors.Join(err, b.Close())
	}
	fmt.Fprint(a.out, lineDiff(string(now), string(before)))
	err = deliver.WriteWhole(c.Policy, before) // first: until it is there, the copy is the way back
	if err == nil {
		err = deliver.WriteWhole(c.Policy+beforeEnding, now)
	}
	if err == nil {
		err = putPolicies(a, b, values, changes)
	}
	if err == nil {
		_, err = fmt.Fprintf(a.out, "%s is as it was before its last change; a second rollback takes this one back and puts in force again what it took out\n", c.Policy)
	}
	return errors.Join(err, b.Close())
}

// beforeEnding is that of the policy file as it was before the last change.
const beforeEnding = ".before"

// putPolicies keeps changes in the store and puts a policy file in force.
func putPolicies(a *app, b backend, values url.Values, changes []queries.PolicyChange) error {
	kept, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	values.Set("changes", string(kept))
	var answer bytes.Buffer
	if err := b.get(a.ctx, "policies", values, &answer); err != nil {
		return fmt.Errorf("the policy file is written, but the bucket %s is not: %w", stream.Policies, err)
	}
	_, err = a.out.Write(answer.Bytes())
	return err
}

// checkPolicies asks whether a policy file might be put in force.
func checkPolicies(a *app, b backend, values url.Values) error {
	check := maps.Clone(values)
	check.Set("check", "true")
	return b.get(a.ctx, "policies", check, io.Discard)
}

// policyFields are the parameters of putting a policy file in force.
var policyFields = []string{"policies", "base", "modified", "who", "path", "reason", "force", "check", "changes"}

// answerPolicies puts a policy file in force, unless it only checks whether it
// might be, and keeps changes.
func answerPolicies(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	put, changes, err := policyPutOf(values)
	if err != nil {
		return err
	}
	if values.Get("check") == "true" {
		now, _, err := p.policyFile(ctx)
		if err == nil {
			err = put.conflict(now)
		}
		return err
	}
	before, err := p.policiesInForce(ctx)
	if err != nil {
		return err
	}
	changed, err := p.putPolicyFile(ctx, put)
	if err != nil {
		return err
	}
	if put.force {
		file, err := analyze.ParsePolicies([]byte(put.text))
		if err != nil {
			return err
		}
		changes = analyze.ChangesBetween(analyze.PoliciesOf(before), file)
		for i := range changes {
			changes[i].Since, changes[i].Who, changes[i].Reason = time.Now(), put.who, values.Get("reason")
		}
	}
	if err := p.store.Decide(ctx, nil, time.Time{}, changes); err != nil {
		return err
	}
	if len(changed) == 0 {
		_, err = fmt.Fprintf(w, "bucket %s: unchanged\n", stream.Policies)
		return err
	}
	_, err = fmt.Fprintf(w, "bucket %s: %s\n", stream.Policies, keyWords(changed, put.text))
	return err
}

// keyWords lists the keys that changed as a policy file was put in force: those that
// it sets, and those that it no longer does.
func keyWords(changed []string, text string) string {
	var values map[string][]byte
	if file, err := analyze.ParsePolicies([]byte(text)); err == nil {
		values, _ = policyValues(file)
	}
	var set, deleted []string
	for _, key := range changed {
		if _, is := values[key]; is {
			set = append(set, key)
		} else {
			deleted = append(deleted, key)
		}
	}
	words := strings.Join(set, ", ")
	if len(deleted) == 0 {
		return words
	}
	if words != "" {
		words += "; "
	}
	return words + "deleted " + strings.Join(deleted, ", ")
}

// policyPutOf reads the parameters of putting a policy file in force.
func policyPutOf(values url.Values) (put policyPut, changes []queries.PolicyChange, err error) {
	if err := onlyFields(values, policyFields); err != nil {
		return put, nil, usageError{err}
	}
	put = policyPut{text: values.Get("policies"), base: values.Get("base"), who: values.Get("who"), path: values.Get("path"), force: values.Get("force") == "true"}
	if _, err := analyze.ParsePolicies([]byte(put.text)); err != nil {
		return put, nil, usageError{fmt.Errorf("policies: %v", err)}
	}
	if put.who == "" || put.path == "" || put.force && values.Get("reason") == "" {
		return put, nil, usageError{errors.New("policies: who puts them in force, the path that they come from, and with force the reason are needed")}
	}
	if put.modified, err = time.Parse(time.RFC3339Nano, values.Get("modified")); err != nil {
		return put, nil, usageError{fmt.Errorf("modified %.40q is not a time like 2026-01-31T09:30:00Z", values.Get("modified"))}
	}
	if text := values.Get("changes"); text != "" {
		if err := json.Unmarshal([]byte(text), &changes); err != nil {
			return put, nil, usageError{fmt.Errorf("changes: %v", err)}
		}
	}
	return put, changes, nil
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
