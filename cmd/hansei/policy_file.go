package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"hansei/analyze"
	"hansei/ingest/stream"
)

// A policyFile is the policy file in force, as every serve on one NATS server
// sees it. The bucket of policies is made from it.
type policyFile struct {
	Text    string    `json:"text"`
	Changed time.Time `json:"changed"`
	Who     string    `json:"who"`
	Path    string    `json:"path"`   // where it came from
	Before  []string  `json:"before"` // hashes of the files that were in force before, the latest first
}

// maxBefore is how many earlier files are known: a change a week for some years.
const maxBefore = 200

// policyKey is the entry of the register.
const policyKey = "file"

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A policyPut asks for a policy file to be put in force.
type policyPut struct {
	text     string
	base     string    // the file that it was made from: itself, when a person wrote it
	modified time.Time // when base was last written; zero: there was none
	who      string
	path     string
	force    bool // whatever is in force
}

// errNotInForce says that somebody else's policy file is in force. It is told as
// a conflict.
type errNotInForce struct {
	path  string
	now   policyFile
	older bool // the file was in force before
}

func (e *errNotInForce) Error() string {
	how := "is not the file in force"
	if e.older {
		how = "is an earlier version of the file in force"
	}
	return fmt.Sprintf("%s %s, which %s put there from %s at %s; nothing was changed. To take over what is in force: hansei tune policies > FILE. To put yours in force all the same: hansei tune policies --put FILE --reason WHY",
		e.path, how, e.now.Who, e.now.Path, e.now.Changed.UTC().Format(time.RFC3339))
}

// conflict tells why a file must not take the place of the one in force; nil:
// it may. It may when it was made from that one, or was written since and is no
// version of before: a stale copy never wins over a newer decision.
func (put *policyPut) conflict(now policyFile) error {
	base := hashOf(put.base)
	older := slices.Contains(now.Before, base)
	switch {
	case put.force || now.Text == "" || base == hashOf(now.Text):
		return nil
	case !older && put.modified.After(now.Changed):
		return nil
	}
	return &errNotInForce{put.path, now, older}
}

// policyFile returns the file in force and its revision; an empty one: none.
func (p *pipeline) policyFile(ctx context.Context) (policyFile, uint64, error) {
	var now policyFile
	entry, err := p.client.Register(stream.PolicyFile).Entry(ctx, policyKey)
	if err != nil || entry.Revision == 0 {
		return now, 0, err
	}
	if err := json.Unmarshal(entry.Value, &now); err != nil {
		return now, 0, fmt.Errorf("register %s: %w", stream.PolicyFile, err)
	}
	return now, entry.Revision, nil
}

// putPolicyFile puts a file in force, unless another one is in force that it does
// not know of, and makes the bucket hold it. It returns the keys that changed.
func (p *pipeline) putPolicyFile(ctx context.Context, put policyPut) ([]string, error) {
	for {
		now, revision, err := p.policyFile(ctx)
		if err != nil {
			return nil, err
		}
		if err := put.conflict(now); err != nil {
			return nil, err
		}
		if now.Text == put.text && revision > 0 {
			return p.settlePolicies(ctx, now, revision)
		}
		next := policyFile{Text: put.text, Changed: time.Now(), Who: put.who, Path: put.path}
		if now.Text != "" {
			next.Before = append([]string{hashOf(now.Text)}, now.Before[:min(len(now.Before), maxBefore-1)]...)
		}
		next.Before = slices.DeleteFunc(next.Before, func(h string) bool { return h == hashOf(put.text) }) // it went back
		value, err := json.Marshal(next)
		if err != nil {
			return nil, err
		}
		revision, err = p.client.Register(stream.PolicyFile).Set(ctx, policyKey, value, revision)
		if errors.Is(err, stream.ErrTaken) {
			continue // somebody was faster: see what they put
		}
		if err != nil {
			return nil, err
		}
		return p.settlePolicies(ctx, next, revision)
	}
}

// settlePolicies makes the bucket hold the file in force, and looks again
// afterwards: who put another one meanwhile does the same, so that the bucket
// ends with the last.
func (p *pipeline) settlePolicies(ctx context.Context, now policyFile, revision uint64) (changed []string, err error) {
	for {
		policies, err := analyze.ParsePolicies([]byte(now.Text))
		if err != nil {
			return changed, fmt.Errorf("the policy file in force: %w", err)
		}
		values, err := policyValues(policies)
		if err != nil {
			return changed, err
		}
		keys, err := p.client.SetPolicies(ctx, values)
		changed = append(changed, keys...)
		if err != nil {
			return changed, err
		}
		latest, at, err := p.policyFile(ctx)
		if err != nil || at == revision {
			slices.Sort(changed)
			return slices.Compact(changed), err
		}
		now, revision = latest, at
	}
}
