package stream

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hansei/ingest"
)

func TestPlaceOf(t *testing.T) {
	want := place{sequence: 345, pending: 7, arrived: time.Unix(1768478400, 123456789).UTC()}
	for _, reply := range []string{
		"$JS.ACK.HANSEI_EVENTS.hansei-x.1.345.12.1768478400123456789.7",
		"$JS.ACK.hub.ABCDEF.HANSEI_EVENTS.hansei-x.1.345.12.1768478400123456789.7",
		"$JS.ACK.hub.ABCDEF.HANSEI_EVENTS.hansei-x.1.345.12.1768478400123456789.7.r4nd0m",
	} {
		if got, err := placeOf(reply); err != nil || got != want {
			t.Errorf("%s: %+v, %v", reply, got, err)
		}
	}
	for _, reply := range []string{"_INBOX.x", "$JS.ACK.HANSEI_EVENTS.hansei-x.1.345.12.1768478400123456789", "$JS.ACK.HANSEI_EVENTS.hansei-x.1.345.12.x.7"} {
		if got, err := placeOf(reply); err == nil {
			t.Errorf("%s: %+v", reply, got)
		}
	}
}

// Messages of any size come, however a request for them ends; and whatever
// headers of theirs say, they are messages.
func TestFeedOfLargeMessages(t *testing.T) {
	var said bytes.Buffer
	c := open(t, Options{Log: slog.New(slog.NewTextHandler(&said, nil))})
	p := c.NewPublisher()
	const messages = 24
	for i := range messages {
		m := nats.NewMsg(EventSubject("bot"))
		m.Data = make([]byte, 1<<20*(i%8))
		m.Header.Set("Status", "503")
		m.Header.Set("Nats-Pending-Messages", "1")
		if err := p.send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids, _ := read(t, c, ingest.Position{}, messages); len(ids) != messages || said.Len() > 0 {
		t.Errorf("%d of %d messages; %s", len(ids), messages, &said)
	}
}

// A source is idle when all that the stream holds is kept, not when it is on its way.
func TestIdle(t *testing.T) {
	c := open(t, Options{})
	for i := range 3 {
		if err := c.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	source := c.NewSource("test", ingest.Position{})
	idle := func() bool {
		t.Helper()
		is, err := source.Idle(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	runUntilKept(t, source, func() {
		if idle() {
			t.Error("idle before the batch is kept")
		}
	})
	if !idle() {
		t.Error("not idle after all is kept")
	}
	s, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Publish(t.Context(), event("e3")); err != nil {
		t.Fatal(err)
	}
	if idle() {
		t.Error("idle while a message waits")
	}
	if err := s.DeleteMsg(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if !idle() {
		t.Error("not idle though the stream has lost its end")
	}
}

// runUntilKept runs s for one batch, of which keep is told.
func runUntilKept(t *testing.T, s *Source, keep func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := Run(ctx, s, messages(func(context.Context, []Message, Batch[[]Message]) error {
		keep()
		cancel()
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// Whoever deletes the consumer, which a person can, only makes it be made anew.
func TestDeletedConsumer(t *testing.T) {
	c := open(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.Publish(ctx, event("before")); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := Run(ctx, c.NewSource("test", ingest.Position{}), messages(func(ctx context.Context, m []Message, _ Batch[[]Message]) error {
		for i := range m {
			got = append(got, m[i].ID)
		}
		if len(got) == 2 {
			cancel()
			return nil
		}
		if err := c.js.DeleteConsumer(ctx, Events, consumerName("test")); err != nil {
			return err
		}
		return c.Publish(ctx, event("after"))
	}))
	if err != nil || len(got) != 2 || got[1] != "after" {
		t.Errorf("got %v, %v", got, err)
	}
}

// Nor is it the end when the stream is deleted: it is made anew as Open makes
// it, and takes what is published then.
func TestDeletedStream(t *testing.T) {
	c := open(t, Options{MaxAge: 48 * time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.Publish(ctx, event("before")); err != nil {
		t.Fatal(err)
	}
	var got []string
	var publishing sync.WaitGroup
	err := Run(ctx, c.NewSource("test", ingest.Position{}), messages(func(_ context.Context, m []Message, _ Batch[[]Message]) error {
		for i := range m {
			got = append(got, m[i].ID)
		}
		if len(got) == 2 {
			cancel()
			return nil
		}
		err := c.js.DeleteStream(ctx, Events)
		publishing.Go(func() {
			for ctx.Err() == nil && c.Publish(ctx, event("after")) != nil { // until there is a stream
			}
		})
		return err
	}))
	publishing.Wait()
	if err != nil || len(got) != 2 || got[1] != "after" {
		t.Errorf("got %v, %v", got, err)
	}
	stream, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	if age := stream.CachedInfo().Config.MaxAge; age != 48*time.Hour {
		t.Errorf("the new stream keeps %v", age)
	}
}
