package stream

import (
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// Only what a requeue publishes takes quarantined input away; a publisher that
// sets the header does not.
func TestReplaces(t *testing.T) {
	c := open(t, Options{})
	p := c.NewPublisher()
	if err := p.Requeue(t.Context(), Requeue{ID: "q-1", Turn: 7, Records: []ingest.Record{{Event: *event("a")}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "a", "requeue-q-1-7-0-0123456789abcdef"} {
		m := nats.NewMsg(EventSubject("bot"))
		m.Data = event("b").AppendJSON(nil)
		m.Header.Set(headerReplaces, "q-1")
		if id != "" {
			m.Header.Set(jetstream.MsgIDHeader, id)
		}
		if _, err := c.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	for sequence, want := range []string{"", "q-1", "", "", ""} {
		if sequence == 0 {
			continue
		}
		raw, err := s.GetMsg(t.Context(), uint64(sequence))
		if err != nil {
			t.Fatal(err)
		}
		m := Message{ID: raw.Header.Get(jetstream.MsgIDHeader), Data: raw.Data, header: raw.Header}
		if got := m.Replaces(); got != want {
			t.Errorf("message %d, %q: replaces %q, want %q", sequence, m.ID, got, want)
		}
	}
}
