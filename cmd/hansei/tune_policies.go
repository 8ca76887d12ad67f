package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"hansei/analyze"
)

// tunePoliciesCmd prints the policy file in force, or puts another one in force.
type tunePoliciesCmd struct {
	Put    string `help:"Put this policy file in force, whatever is in force now." placeholder:"FILE"`
	Reason string `help:"Why, with --put." placeholder:"TEXT"`
	Who    string `help:"Who does. Default: the user's name." placeholder:"NAME"`
}

// Run prints or puts.
func (c *tunePoliciesCmd) Run(a *app) (err error) {
	if c.Put == "" {
		return a.ask("policies/file", url.Values{}, "")
	}
	if c.Reason == "" {
		return usageError{errors.New("--put needs --reason: next month's reader will ask why")}
	}
	text, err := os.ReadFile(c.Put)
	if err != nil {
		return err
	}
	if _, err := analyze.ParsePolicies(text); err != nil {
		return fmt.Errorf("%s: %w", c.Put, err)
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	values := policyForm(c.Put, text, text, time.Time{}, whoOr(c.Who))
	values.Set("reason", c.Reason)
	values.Set("force", "true")
	return b.get(a.ctx, "policies", values, a.out)
}

// policyForm are the parameters of putting a policy file in force that was made
// from base, last written at modified.
func policyForm(path string, text, base []byte, modified time.Time, who string) url.Values {
	return url.Values{"policies": {string(text)}, "base": {string(base)}, "modified": {modified.Format(time.RFC3339Nano)}, "who": {who}, "path": {placeOf(path)}}
}

// placeOf names a file so that a reader at another machine knows where it lies.
func placeOf(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if host, err := os.Hostname(); err == nil {
		return host + ":" + path
	}
	return path
}

// writtenAt is when a file was last written; zero: it is not there.
func writtenAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// answerPolicyFile writes the policy file in force.
func answerPolicyFile(ctx context.Context, p *pipeline, _ url.Values, w io.Writer) error {
	now, revision, err := p.policyFile(ctx)
	if err != nil {
		return err
	}
	if revision == 0 {
		return errors.New("no policy file is in force yet; hansei tune --apply makes one, and serve puts that of --policy in force")
	}
	_, err = io.WriteString(w, now.Text)
	return err
}
