package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hansei/ingest"
)

// Where each message is forced to disk, publishers send batches, also those of
// other processes; the stream holds their messages in order, each once.
func TestBatches(t *testing.T) {
	server := open(t, Options{SyncAlways: true, Listen: "127.0.0.1:0"})
	client := open(t, Options{URL: server.URL()})
	publish := func(p *Publisher, from, to int) Receipt {
		t.Helper()
		for i := from; i < to; i++ {
			if err := p.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
				t.Fatal(err)
			}
		}
		receipt, err := p.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return receipt
	}
	const n = 2*batchMessages + 10
	if r := publish(client.NewPublisher(), 0, n); r.Published != n || r.Acked != n || r.Duplicates != 0 || !slices.Equal(r.Sequences, []Range{{1, n}}) {
		t.Errorf("receipt %+v", r)
	}
	s, err := client.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	for _, sequence := range []uint64{1, batchMessages, n} {
		if m, err := s.GetMsg(t.Context(), sequence); err != nil || m.Header.Get(headerBatch) == "" {
			t.Errorf("message %d is of no batch: %v, %v", sequence, m, err)
		}
	}
	// Some of it is there already: the batch is refused, its messages are not.
	again := client.NewPublisher()
	if r := publish(again, n-5, n+5); r.Acked != 10 || r.Duplicates != 5 || !slices.Equal(r.Sequences, []Range{{n + 1, n + 5}}) {
		t.Errorf("again: receipt %+v", r)
	}
	const all = n + 5 + batchMessages + 5 // so much later batches are tried again
	publish(again, n+5, all)
	if m, err := s.GetMsg(t.Context(), all); err != nil || m.Header.Get(headerBatch) == "" {
		t.Errorf("the last message is of no batch: %v, %v", m, err)
	}
	ids, _ := read(t, client, ingest.Position{}, all)
	for i, id := range ids {
		if id != fmt.Sprint("e", i) {
			t.Fatalf("message %d is %s", i, id)
		}
	}
	if len(ids) != all {
		t.Errorf("%d messages", len(ids))
	}
}

// The stream says what its server does now, not what it did before.
func TestSyncIsToldByTheStream(t *testing.T) {
	dir := t.TempDir()
	for _, always := range []bool{false, true, false} {
		c, err := Open(t.Context(), Options{Dir: dir, SyncAlways: always})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.js.Stream(t.Context(), Events)
		if err != nil {
			t.Fatal(err)
		}
		config := s.CachedInfo().Config
		if told := config.Metadata[syncKey] == "always"; told != always || c.syncs != always || !config.AllowAtomicPublish {
			t.Errorf("always %v: told %v, batches %v, allowed %v", always, told, c.syncs, config.AllowAtomicPublish)
		}
		c.Close()
	}
}

// A batch does not wait for ever for what fills it: its source may be a pipe in
// which nothing comes for hours.
func TestBatchIsSentWhenLittleComes(t *testing.T) {
	c := open(t, Options{SyncAlways: true})
	p := c.NewPublisher()
	for i := range 2 {
		for _, id := range []string{"a", "b"} {
			if err := p.Publish(t.Context(), event(fmt.Sprint(id, i))); err != nil {
				t.Fatal(err)
			}
		}
		for end := time.Now().Add(10 * time.Second); ; time.Sleep(batchPatience / 10) {
			tip, err := c.Tip(t.Context())
			if err == nil && tip.Sequence == uint64(2*i+2) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("the stream ends at %d, %v", tip.Sequence, err)
			}
		}
	}
	if r, err := p.Flush(t.Context()); err != nil || r.Acked != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

// What a batch holds is not forgotten when it could not be sent.
func TestBatchOutlivesAnError(t *testing.T) {
	c := open(t, Options{SyncAlways: true})
	p := c.NewPublisher()
	ended, end := context.WithCancel(t.Context())
	end()
	for i := range c.room { // as many under way as may be, so that the batch waits for room
		p.batch.alone = 1
		if err := p.Publish(t.Context(), event(fmt.Sprint("alone", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Publish(t.Context(), event("a")); err != nil {
		t.Fatal(err)
	}
	for i := range p.waiting {
		p.waiting[i].answer, p.waiting[i].round = answer{}, 0 // the answers are not heard
	}
	if _, err := p.Flush(ended); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if r, err := p.Flush(t.Context()); err != nil || r.Acked != c.room+1 {
		t.Errorf("%+v, %v", r, err)
	}
}
