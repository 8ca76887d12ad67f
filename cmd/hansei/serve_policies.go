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

// offerPolicies makes the bucket hold the policy file, so that agents that watch
// it see what is in force from the start on. Without a file the bucket stays as
// it is. What changes is kept, as that of tune --apply is.
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
	there, err := p.client.PolicyValues(ctx)
	if err != nil {
		return err
	}
	var before []analyze.Policy
	for key, value := range there {
		var e analyze.Policy
		if err := json.Unmarshal(value, &e); err != nil {
			return fmt.Errorf("bucket %s: %s: %w; nats kv del %s %s removes it", stream.Policies, key, err, stream.Policies, key)
		}
		before = append(before, e)
	}
	changes := analyze.ChangesBetween(analyze.PoliciesOf(before), file)
	for i := range changes {
		changes[i].Since, changes[i].Who, changes[i].Reason = time.Now(), "serve", "serve started with "+path
	}
	values, err := policyValues(file)
	if err != nil {
		return err
	}
	if err := p.store.Decide(ctx, nil, time.Time{}, changes); err != nil {
		return err
	}
	changed, err := p.client.SetPolicies(ctx, values)
	if err == nil && len(changed) > 0 {
		log.Info("policies put into the bucket", "bucket", stream.Policies, "file", path, "keys", changed)
	}
	return err
}
