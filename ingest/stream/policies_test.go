package stream

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An agent that watches the bucket with its own client hears of each change,
// and of nothing else.
func TestPoliciesAreWatched(t *testing.T) {
	c := open(t, Options{Listen: "127.0.0.1:0"})
	if err := c.EnsurePolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bucket, err := js.KeyValue(ctx, Policies)
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := bucket.WatchAll(ctx, jetstream.UpdatesOnly())
	if err != nil {
		t.Fatal(err)
	}
	next := func() string {
		t.Helper()
		select {
		case e := <-watcher.Updates():
			return fmt.Sprint(e.Key(), " ", e.Operation(), " ", string(e.Value()))
		case <-ctx.Done():
			t.Fatal("no change was heard of")
			return ""
		}
	}
	all := PolicyKey("monadic", "", "")
	odd := PolicyKey("a.b", "社内 検索", "rate_limit")
	if all != "monadic._._" || odd != "a=2Eb.=E7=A4=BE=E5=86=85=20=E6=A4=9C=E7=B4=A2.rate_limit" {
		t.Errorf("keys %s and %s", all, odd)
	}
	for _, step := range []struct {
		values map[string][]byte
		heard  []string
	}{
		{map[string][]byte{all: []byte("1"), odd: []byte("2")}, []string{odd + " KeyValuePutOp 2", all + " KeyValuePutOp 1"}},
		{map[string][]byte{all: []byte("1"), odd: []byte("3")}, []string{odd + " KeyValuePutOp 3"}},
		{map[string][]byte{all: []byte("1")}, []string{odd + " KeyValueDeleteOp "}},
		{map[string][]byte{all: []byte("1"), odd: []byte("4")}, []string{odd + " KeyValuePutOp 4"}},
	} {
		changed, err := c.SetPolicies(ctx, step.values)
		if err != nil || len(changed) != len(step.heard) {
			t.Fatalf("changed %v, %v", changed, err)
		}
		var heard []string
		for range step.heard {
			heard = append(heard, next())
		}
		if !slices.Equal(heard, step.heard) {
			t.Errorf("heard %q, want %q", heard, step.heard)
		}
	}
}
