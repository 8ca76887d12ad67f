package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"hansei/analyze"
	"hansei/ingest/stream"
)

// offerPolicies puts the policy file in force at the start of serve, so that
// agents that watch the bucket see what is in force from the start on. Without a
// file the bucket stays as it is, and so it does where another file is in force
// that this one does not know of, see [policyPut]. What changes is kept, as that
// of tune --apply is.
func (p *pipeline) offerPolicies(ctx context.Context, path string, log *slog.Logger) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p.client.EnsurePolicies(ctx)
	}
	if err != nil {
		return err
	}
	file, err := analyze.ParsePolicies(text)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), p.client.EnsurePolicies(ctx))
	}
	before, err := p.policiesInForce(ctx)
	if err != nil {
		return err
	}
	put := policyPut{text: string(text), base: string(text), modified: writtenAt(path), who: "serve", path: placeOf(path)}
	changed, err := p.putPolicyFile(ctx, put)
	if err != nil || len(changed) == 0 {
		return err
	}
	log.Info("policies put into the bucket", "bucket", stream.Policies, "file", path, "keys", changed)
	changes := analyze.ChangesBetween(analyze.PoliciesOf(before), file)
	for i := range changes {
		changes[i].Since, changes[i].Who, changes[i].Reason = time.Now(), "serve", "serve started with "+path
	}
	return p.store.Decide(ctx, nil, time.Time{}, changes)
}

// policiesInForce returns what the bucket holds.
func (p *pipeline) policiesInForce(ctx context.Context) (out []analyze.Policy, err error) {
	there, err := p.client.PolicyValues(ctx)
	if err != nil {
		return nil, err
	}
	for key, value := range there {
		var e analyze.Policy
		if err := json.Unmarshal(value, &e); err != nil {
			return nil, fmt.Errorf("bucket %s: %s: %w; nats kv del %s %s removes it", stream.Policies, key, err, stream.Policies, key)
		}
		out = append(out, e)
	}
	return out, nil
}
