package stream

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hansei/ingest"
)

// Only what a stream says that it has is taken for stored.
func TestAcks(t *testing.T) {
	a := newAcks("_INBOX.x", nearRoom)
	for _, test := range []struct {
		data, want string
	}{
		{`{"stream":"HANSEI_EVENTS","seq":17}`, "stored at 17"},
		{`{"stream":"HANSEI_EVENTS","domain":"hub","seq":17}`, "stored at 17"},
		{`{"stream":"HANSEI_QUARANTINE", "seq":17}`, "stored at 17"},
		{`{"stream":"HANSEI_EVENTS","seq":17,"duplicate": true}`, "there already at 17"},
		{`{"stream":"HANSEI_EVENTS","seq":17x}`, "not known"},
		{`{"stream":"HANSEI_EVENTS","seq":}`, "not known"},
		{`{"stream":"HANSEI_EVENTS","seq":0}`, "not known"},
		{``, "not known"}, // nobody hears the subject
		{`{}`, "not known"},
		{`+OK`, "not known"},
		{`{"error":{"code":400,"err_code":10054,"description":"message size exceeds maximum allowed"}}`, "refused"},
		{`{"error":{"code":503,"err_code":10077,"description":"maximum bytes exceeded"},"stream":"HANSEI_EVENTS","seq":0}`, "not known"},
	} {
		at, said, err := a.read(&nats.Msg{Subject: "_INBOX.x.7.5", Data: []byte(test.data)})
		got := "not known"
		switch {
		case at != address{7, 5} || err != nil:
			got = fmt.Sprint("address ", at, err)
		case said.refused != nil:
			got = "refused"
		case said.duplicate:
			got = fmt.Sprint("there already at ", said.sequence)
		case said.known:
			got = fmt.Sprint("stored at ", said.sequence)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.data, got, test.want)
		}
	}
}

// A message that the stream refuses is told of at the end; those around it are
// stored, and counted where they are; so it is where they are sent as a batch.
func TestRefusedMessageAmongOthers(t *testing.T) {
	for _, always := range []bool{false, true} {
		refusedAmongOthers(t, open(t, Options{SyncAlways: always}))
	}
}

func refusedAmongOthers(t *testing.T, c *Client) {
	t.Helper()
	s, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	config := s.CachedInfo().Config
	config.MaxMsgSize = 1 << 10
	if _, err := c.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	p := c.NewPublisher()
	for i := range 10 {
		e := event(fmt.Sprint("e", i))
		if i == 4 {
			e.Message = strings.Repeat("long ", 1000)
		}
		if err := p.Publish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := p.Flush(t.Context())
	if err == nil || !strings.Contains(err.Error(), "9 of 10 events acked") || !strings.Contains(err.Error(), "exceeds maximum") {
		t.Errorf("got %v", err)
	}
	if receipt.Acked != 9 || len(receipt.Sequences) != 1 || receipt.Sequences[0] != (Range{1, 9}) {
		t.Errorf("receipt %+v", receipt)
	}
	if err := p.Publish(t.Context(), event("later")); err != nil {
		t.Fatal(err)
	}
	if receipt, _ = p.Flush(t.Context()); receipt.Acked != 10 { // the refused one is still told of
		t.Errorf("receipt %+v", receipt)
	}
	if ids, _ := read(t, c, ingest.Position{}, 10); len(ids) != 10 || ids[4] != "e5" || ids[9] != "later" {
		t.Errorf("read %v", ids)
	}
}

// Publishers use the same inbox one after the other; an ack that comes late is
// not taken for the next one's, and a Flush that failed can be made up for.
func TestPublishersShareAcks(t *testing.T) {
	c := open(t, Options{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	first, second := c.NewPublisher(), c.NewPublisher()
	for i := range 10 {
		if err := first.Publish(t.Context(), event(fmt.Sprint("first", i))); err != nil {
			t.Fatal(err)
		}
	}
	if receipt, err := first.Flush(gone); err == nil && receipt.Acked != 10 {
		t.Errorf("no error, and %+v", receipt)
	}
	for i := range 10 {
		if err := second.Publish(t.Context(), event(fmt.Sprint("second", i))); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := second.Flush(t.Context())
	if err != nil || receipt.Acked != 10 || len(receipt.Sequences) != 1 || receipt.Sequences[0] != (Range{11, 20}) {
		t.Errorf("second: %+v, %v", receipt, err)
	}
	if receipt, err := first.Flush(t.Context()); err != nil || receipt.Acked != 10 {
		t.Errorf("first: %+v, %v", receipt, err)
	}
	if ids, _ := read(t, c, ingest.Position{}, 20); len(ids) != 20 || ids[0] != "first0" || ids[19] != "second9" {
		t.Errorf("read %v", ids)
	}
	if n := len(c.idle.acks); n < 1 || n > 2 {
		t.Errorf("%d inboxes are kept", n)
	}
}

// The addresses of answers come again. An answer that comes late, to a message
// that was given up, is not taken for that of the next one at its address.
func TestLateAck(t *testing.T) {
	c := open(t, Options{})
	p := c.NewPublisher()
	publish := func(from, to int) {
		for i := from; i < to; i++ {
			if err := p.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	publish(0, 1)
	late := p.waiting[0].message.Reply
	p.waiting[0].at = time.Time{} // as when its ack did not come
	if err := p.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(1, nearRoom+1) // the last one has the first one's place
	same := p.waiting[len(p.waiting)-1]
	if err := c.nc.Publish(late, []byte(`{"stream":"`+Events+`","seq":9999}`)); err != nil {
		t.Fatal(err)
	}
	receipt, err := p.Flush(t.Context())
	if err != nil || receipt.Acked != nearRoom+1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if last := receipt.Sequences[len(receipt.Sequences)-1]; last.Last != nearRoom+1 {
		t.Errorf("sequences %v: the late ack to %s was taken for that to %s", receipt.Sequences, late, same.message.Reply)
	}
	publish(nearRoom+1, 4*nearRoom) // in further turns
	if receipt, err = p.Flush(t.Context()); err != nil || receipt.Acked != 4*nearRoom || receipt.Duplicates > 1 {
		t.Errorf("%+v, %v", receipt, err)
	}
}
