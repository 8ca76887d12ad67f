package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Policies is the key-value bucket of the policies in force, which agents can
// read and watch. A key names a cell, see [PolicyKey]; a value is the policy as
// JSON. The most specific key that holds for a cell wins, as in the policy file.
const Policies = "HANSEI_POLICIES"

// policyHistory is how many values of a key are kept: the most that NATS allows.
const policyHistory = 64

// PolicyKey is the key of a cell's policy: agent, operation and category, each
// a token as in subjects, but with = where those have %, which a key may not
// hold; _ stands for all.
func PolicyKey(agent, operation, category string) string {
	return strings.ReplaceAll(Token(agent)+"."+Token(operation)+"."+Token(category), "%", "=")
}

// EnsurePolicies makes the bucket of policies, if it is missing.
func (c *Client) EnsurePolicies(ctx context.Context) error {
	_, err := c.policies(ctx)
	return err
}

func (c *Client) policies(ctx context.Context) (jetstream.KeyValue, error) {
	bucket, err := c.js.KeyValue(ctx, Policies)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		bucket, err = c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: Policies, Description: "Retry policies in force, by agent, operation and category", History: policyHistory, Storage: jetstream.FileStorage,
		})
		if errors.Is(err, jetstream.ErrBucketExists) { // somebody else made it at this moment
			bucket, err = c.js.KeyValue(ctx, Policies)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w; the NATS server needs JetStream and the right to make streams", Policies, err)
	}
	return bucket, nil
}

// PolicyValues returns what the bucket of policies holds, by key. It is made if
// it is missing.
func (c *Client) PolicyValues(ctx context.Context) (map[string][]byte, error) {
	bucket, err := c.policies(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := bucket.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, fmt.Errorf("bucket %s: list its keys: %w", Policies, err)
	}
	out := map[string][]byte{}
	for _, key := range keys {
		entry, err := bucket.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // somebody deleted it at this moment
		}
		if err != nil {
			return nil, fmt.Errorf("bucket %s: read %s: %w", Policies, key, err)
		}
		out[key] = entry.Value()
	}
	return out, nil
}

// SetPolicies makes the bucket hold exactly the values, by key. What is so
// already is left alone, so that whoever watches hears of changes only. It
// returns the keys that changed, in order.
func (c *Client) SetPolicies(ctx context.Context, values map[string][]byte) (changed []string, err error) {
	bucket, err := c.policies(ctx)
	if err != nil {
		return nil, err
	}
	there, err := c.PolicyValues(ctx)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(there)) {
		if _, wanted := values[key]; wanted {
			continue
		}
		if err := bucket.Delete(ctx, key); err != nil {
			return changed, fmt.Errorf("bucket %s: delete %s: %w", Policies, key, err)
		}
		changed = append(changed, key)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if now, is := there[key]; is && bytes.Equal(now, values[key]) {
			continue
		}
		if _, err := bucket.Put(ctx, key, values[key]); err != nil {
			return changed, fmt.Errorf("bucket %s: put %s: %w", Policies, key, err)
		}
		changed = append(changed, key)
	}
	slices.Sort(changed)
	return changed, nil
}
