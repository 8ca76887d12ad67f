package stream

import (
	"bytes"
	"context"
	"errors"
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

// Of large messages few are asked for at once, of small ones as many as may be.
func TestFeedAsksByTheSizeOfMessages(t *testing.T) {
	f := &feed{size: feedFirst}
	for _, size := range []int{300, 33 << 10, 8 << 20, 300, 0} {
		for range 20 * feedMemory {
			f.took(&arrival{data: make([]byte, size)})
		}
		want := feedMessages
		if size > 300 {
			want = max(feedBytes/size, 1)
		}
		if got := f.batch(); got < want || got > want+want/10 {
			t.Errorf("after messages of %d bytes %d are asked for, want about %d", size, got, want)
		}
	}
}

// After a position there may be messages to come, none, or none any more.
func TestHoldsAfter(t *testing.T) {
	c := open(t, Options{})
	holdsAfter := func(after ingest.Position) bool {
		t.Helper()
		holds, err := c.HoldsAfter(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		return holds
	}
	if holdsAfter(ingest.Position{}) {
		t.Error("an empty stream holds a message")
	}
	for i := range 3 {
		if err := c.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	tip, err := c.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !holdsAfter(ingest.Position{}) || holdsAfter(tip) {
		t.Error("of three messages the first or one after the last")
	}
	if err := c.Publish(t.Context(), event("e3")); err != nil {
		t.Fatal(err)
	}
	if !holdsAfter(tip) {
		t.Error("the fourth message is not held")
	}
	s, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if holdsAfter(tip) {
		t.Error("a deleted message is held")
	}
	if old := (ingest.Position{Stream: Events, Created: tip.Created.Add(-time.Hour), Sequence: 9}); !holdsAfter(old) {
		t.Error("the position of a stream that was made anew is its end")
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
	err := Run(ctx, c.NewSource("test", ingest.Position{}, 0), messages(func(ctx context.Context, m []Message, _ Batch[[]Message]) error {
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
// it, and takes what is published then; who reads it is told.
func TestDeletedStream(t *testing.T) {
	c := open(t, Options{MaxAge: 48 * time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.Publish(ctx, event("before")); err != nil {
		t.Fatal(err)
	}
	var got []string
	var publishing sync.WaitGroup
	source := c.NewSource("test", ingest.Position{}, 0)
	handler := messages(func(_ context.Context, m []Message, _ Batch[[]Message]) error {
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
	})
	err := Run(ctx, source, handler)
	if !errors.Is(err, ErrBehind) {
		t.Errorf("got %v, want that the stream is another one", err)
	}
	source.Rewind(ingest.Position{}, 0)
	err = Run(ctx, source, handler)
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
