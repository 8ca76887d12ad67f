package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Deliveries is the name of the register of what was delivered.
const Deliveries = "HANSEI_DELIVERIES"

// PolicyFile is the name of the register of the policy file in force, from which
// the bucket [Policies] is made.
const PolicyFile = "HANSEI_POLICY_FILE"

// registerAge is how long an entry of deliveries stays after its last change: over
// a year, so that the report of the same month last year is still known.
const registerAge = 400 * 24 * time.Hour

// A Register holds small values by key, which everyone on the same NATS server
// sees: a key-value bucket of JetStream, that any server with JetStream has. An
// entry is only replaced by who has seen the one before, so of several that
// want the same thing exactly one gets it. It is safe for concurrent use.
type Register struct {
	c    *Client
	name string
}

// An Entry is a value of a [Register]. Its revision grows with every change.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64 // 0: there is no such entry
}

// ErrTaken says that somebody else changed an entry first.
var ErrTaken = errors.New("somebody else changed it first")

// Register returns the register of that name, which the first [Register.Set] makes.
func (c *Client) Register(name string) *Register { return &Register{c, name} }

// Entry returns the entry of key as it is now.
func (r *Register) Entry(ctx context.Context, key string) (Entry, error) {
	kv, err := r.c.js.KeyValue(ctx, r.name)
	if err == nil {
		var e jetstream.KeyValueEntry
		if e, err = kv.Get(ctx, key); err == nil {
			return Entry{key, e.Value(), e.Revision()}, nil
		}
	}
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrKeyNotFound) {
		return Entry{Key: key}, nil
	}
	return Entry{Key: key}, fmt.Errorf("read %s of the register %s: %w", key, r.name, err)
}

// Entries returns all entries, in no order.
func (r *Register) Entries(ctx context.Context) (entries []Entry, err error) {
	kv, err := r.c.js.KeyValue(ctx, r.name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the register %s: %w", r.name, err)
	}
	watcher, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, fmt.Errorf("read the register %s: %w", r.name, err)
	}
	defer watcher.Stop() // its error says that the connection is gone, which the next call tells
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, open := <-watcher.Updates():
			if e == nil || !open {
				return entries, nil
			}
			entries = append(entries, Entry{e.Key(), e.Value(), e.Revision()})
		}
	}
}

// Set writes the entry of key, when its revision is still the one that the
// caller has seen (0: there was none), and returns the new revision. Otherwise
// the error is [ErrTaken].
func (r *Register) Set(ctx context.Context, key string, value []byte, seen uint64) (uint64, error) {
	kv, err := r.c.js.KeyValue(ctx, r.name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = r.make(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("register %s: %w; the NATS server needs JetStream and the right to make streams", r.name, err)
	}
	revision, err := kv.Update(ctx, key, value, seen)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return 0, ErrTaken
	}
	if err != nil {
		return 0, fmt.Errorf("write %s of the register %s: %w", key, r.name, err)
	}
	return revision, nil
}

func (r *Register) make(ctx context.Context) (jetstream.KeyValue, error) {
	config := jetstream.KeyValueConfig{Bucket: r.name, Description: "Which reports Hansei delivered to whom", TTL: registerAge, Storage: jetstream.FileStorage}
	if r.name == PolicyFile { // in force until another one is
		config.Description, config.TTL = "Which policy file is in force", 0
	}
	kv, err := r.c.js.CreateKeyValue(ctx, config)
	if errors.Is(err, jetstream.ErrBucketExists) {
		return r.c.js.KeyValue(ctx, r.name) // somebody else made it at this moment
	}
	return kv, err
}
