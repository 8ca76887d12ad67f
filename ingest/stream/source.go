package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// How a Source batches. 122,880 rows are DuckDB's row group, the unit that it
// writes without its log; a quarter of a second keeps an event's way to a query
// under one; the bytes bound the memory of one batch.
const (
	maxBatch      = 122_880
	maxBatchBytes = 48 << 20
	batchWait     = 250 * time.Millisecond
	backlogWait   = 5 * time.Second // from a backlog, whose events are late anyway
)

// A Message is a message of the stream.
type Message struct {
	Sequence uint64
	Subject  string
	Arrived  time.Time
	ID       string // the Nats-Msg-Id
	Data     []byte // not to be written to: the texts of its events are parts of it
	header   nats.Header
}

// A Batch is what was made of the messages after the position before it, in the
// order of the stream.
type Batch[P any] struct {
	Parts    []P
	Position ingest.Position // of its last message
	// Missing counts messages between the position before and the last message
	// that the stream no longer holds: its caps or a person removed them.
	Missing   uint64
	MissingAt time.Time // when the message behind them arrived
}

// A Handler says what becomes of messages.
type Handler[P any] struct {
	// Prepare makes a part of some messages that follow each other. It is called
	// while a batch is still growing, by several goroutines at once.
	Prepare func([]Message) P
	// Keep keeps a batch before it returns nil; its error ends [Run]. Batches
	// come one after the other.
	Keep func(context.Context, Batch[P]) error
}

// Records returns what m holds: events, and bad input with the reason.
func (m *Message) Records() []ingest.Record { return m.AppendRecords(nil) }

// AppendRecords appends what m holds to records, whose memory a caller of many
// messages uses again.
func (m *Message) AppendRecords(records []ingest.Record) []ingest.Record {
	reason := m.header.Get(headerReason)
	in := ingest.Message{ID: m.ID, Arrived: m.Arrived, Data: m.Data, Lasting: true}
	switch {
	case reason == "" && m.header.Get(cloudHeader+"specversion") != "":
		return append(records, ingest.CloudEvent(in, func(name string) string { return unescaped(m.header.Get(cloudHeader + name)) })...)
	case reason == "":
		if structured, ok := ingest.StructuredCloudEvents(in, m.header.Get("Content-Type")); ok {
			return append(records, structured...)
		}
		return ingest.AppendRecords(records, in)
	}
	r := ingest.Record{Err: errors.New(strings.ToValidUTF8(reason, "\uFFFD")), Raw: m.Data, Position: m.header.Get(headerPosition)}
	r.Near, _ = time.Parse(time.RFC3339, m.header.Get(headerNear)) // zero: nobody knows
	return append(records, r)
}

// eventsSample is how much of an array is looked at to estimate its events:
// some twenty of them. Looking at all took 1.3 µs an event.
const eventsSample = 8 << 10

// Events estimates how many events m holds, without decoding it.
func (m *Message) Events() int {
	if len(m.Data) == 0 || m.Data[0] != '[' {
		return 1
	}
	sample := m.Data[:min(len(m.Data), eventsSample)]
	return max(1, bytes.Count(sample, []byte(`"time"`))*len(m.Data)/len(sample))
}

// cloudHeader begins the names of the headers that carry the attributes of a
// CloudEvent in binary mode, as its binding to NATS says.
const cloudHeader = "ce-"

// unescaped reads a header's text, in which that binding escapes bytes by percent.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// Source returns the name of the format that m's bad input was read as.
func (m *Message) Source() string {
	format, err := ingest.FormatNamed(m.header.Get(headerSource))
	if err != nil {
		return ingest.Native
	}
	return format.Name
}

// A Source delivers the messages of [Events] that a store does not have yet.
type Source struct {
	c        *Client
	name     string
	position ingest.Position
	damaged  uint64 // bytes of the stream that whoever asks knows to be damaged
}

// Tip returns the stream's identity and its last sequence now. Its birth is cut to
// microseconds, which is what the store keeps.
func (c *Client) Tip(ctx context.Context) (ingest.Position, error) {
	_, tip, err := c.tip(ctx)
	return tip, err
}

// tipPatience is how long a server may take to tell of a stream: it has a lock to
// wait for and nothing to read. One that is away does not answer at all.
const tipPatience = 15 * time.Second

func (c *Client) tip(ctx context.Context) (jetstream.Stream, ingest.Position, error) {
	ctx, cancel := context.WithTimeout(ctx, tipPatience)
	defer cancel()
	s, err := c.js.Stream(ctx, Events)
	if err != nil {
		return nil, ingest.Position{}, fmt.Errorf("stream %s: %w", Events, err)
	}
	info := s.CachedInfo()
	return s, ingest.Position{Stream: Events, Created: info.Created.UTC().Truncate(time.Microsecond), Sequence: info.State.LastSeq}, nil
}

// HoldsAfter reports whether the stream holds a message after a position: it can
// end in messages that it no longer holds. It asks the stream, since a consumer
// hears of a message a moment after its publisher got the ack. Of a stream that
// was made anew it says true, until a position of the new one is given.
func (c *Client) HoldsAfter(ctx context.Context, after ingest.Position) (bool, error) {
	s, tip, err := c.tip(ctx)
	if err != nil {
		return false, err
	}
	if after.Sequence > 0 && !tip.Created.Equal(after.Created) {
		return true, nil
	}
	_, err = s.GetMsg(ctx, after.Sequence+1, jetstream.WithGetMsgSubject(eventSubjects))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("message %d or a later one of the stream %s: %w", after.Sequence+1, Events, err)
	}
	return true, nil
}

// NewSource returns a source that continues behind position; the zero one is the
// beginning of the stream, wherever that lies. name tells this store's consumer
// from those of other stores, damaged is [State.Damaged] as the store knows it.
func (c *Client) NewSource(name string, position ingest.Position, damaged uint64) *Source {
	return &Source{c: c, name: name, position: position, damaged: damaged}
}

// Rewind makes the next [Run] continue behind position: after [ErrBehind], once
// the store has met the stream again.
func (s *Source) Rewind(position ingest.Position, damaged uint64) {
	s.position, s.damaged = position, damaged
}

// Run passes batches of s to h until ctx ends, which is no error. A batch is
// acknowledged when Keep has returned nil. When ctx ends, a batch that Keep has
// begun is finished: it gets a context that outlives ctx. The error is one of
// Keep, of the connection, or [ErrBehind].
func Run[P any](ctx context.Context, s *Source, h Handler[P]) error {
	for ctx.Err() == nil {
		err := follow(ctx, s, h)
		var failed *handleError
		switch {
		case errors.As(err, &failed):
			return failed.err
		case errors.Is(err, errGap): // made anew at once
		case ctx.Err() == nil && s.c.nc.IsClosed():
			return fmt.Errorf("NATS connection closed: %w", err)
		case err != nil && ctx.Err() == nil:
			s.c.log.Warn("consumer lost, making it anew", "err", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return nil
}

// ErrBehind says that the stream is not as the store knows it: it has lost its
// end since, as a copy of an earlier day was put back or the machine lost power; it
// was made anew; or its files were damaged.
var ErrBehind = errors.New("the stream is behind the store")

// A handleError tells an error of the handler from one of the stream.
type handleError struct{ err error }

func (e *handleError) Error() string { return e.err.Error() }

// follow consumes until the consumer is lost. While the handler keeps one
// batch the next one grows, so batches are as large as the store is slow.
func follow[P any](ctx context.Context, s *Source, h Handler[P]) error {
	name, err := s.consumer(ctx)
	if err != nil {
		return err
	}
	messages, err := s.c.openFeed(name)
	if err != nil {
		return err
	}
	defer messages.close()
	collecting, stop := context.WithCancel(ctx)
	defer stop()
	deliveries, collected := make(chan *delivery[P]), make(chan error, 1)
	c := collector[P]{messages: messages, prepare: h.Prepare, free: make(chan struct{}, runtime.GOMAXPROCS(0)),
		out: deliveries, position: s.position, fresh: true}
	go func() {
		defer close(deliveries)
		collected <- c.run(collecting)
	}()
	var failed error
	for d := range deliveries {
		if failed != nil {
			continue // what was collected before the collector noticed
		}
		if err := h.Keep(context.WithoutCancel(ctx), d.ready(h.Prepare)); err != nil {
			failed = &handleError{err}
			stop()
			continue
		}
		s.position = d.batch.Position
		if err := s.c.nc.Publish(d.last, nil); err != nil { // an empty answer is an ack
			s.c.log.Warn("ack", "err", err) // the store's position decides, not the ack
		}
	}
	if err := <-collected; failed == nil {
		failed = err
	}
	return failed
}

// consumer makes the durable consumer anew behind the position and returns its
// name: what was delivered but not acknowledged before a crash comes again at
// once, without sitting out the ack wait, because the store's position alone says
// what is due.
func (s *Source) consumer(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	state, err := s.c.State(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) { // a person deleted it
		s.c.log.Error("the stream was deleted, making it anew: what it held and was not stored yet is lost", "stream", Events)
		if err = s.c.ensureStreams(ctx); err == nil {
			state, err = s.c.State(ctx)
		}
	}
	if err != nil {
		return "", err
	}
	switch tip := state.Tip; {
	case s.position.Created.IsZero():
		s.position = ingest.Position{Stream: Events, Created: tip.Created, Sequence: state.First - 1}
	case !tip.Created.Equal(s.position.Created):
		return "", &handleError{fmt.Errorf("%w: it was made anew", ErrBehind)}
	case tip.Sequence < s.position.Sequence:
		return "", &handleError{fmt.Errorf("%w: the store has message %d, the stream ends at %d", ErrBehind, s.position.Sequence, tip.Sequence)}
	case state.Damaged != s.damaged:
		return "", &handleError{fmt.Errorf("%w: %d bytes of it are damaged", ErrBehind, state.Damaged)}
	}
	name := consumerName(s.name)
	if err := s.c.js.DeleteConsumer(ctx, Events, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return "", err
	}
	_, err = s.c.js.CreateConsumer(ctx, Events, jetstream.ConsumerConfig{
		Durable:       name,
		Description:   "Hansei worker; made anew at every start behind what the store has",
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:   s.position.Sequence + 1,
		AckPolicy:     jetstream.AckAllPolicy, // one ack a batch
		MaxAckPending: -1,
		MemoryStorage: true, // it is made anew at every start; writing down what is under way costs a twentieth of the time
		// A batch that the store cannot take yet is held and tried again here, so
		// redelivery is only a safety net, and a slow one.
		MaxDeliver: 100,
		BackOff:    []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour},
	})
	return name, err
}

// PublishQuarantine keeps bad input in the stream of that name, with the
// reason; id makes a second sending harmless. Like Publish it may wait for
// earlier acks only.
func (p *Publisher) PublishQuarantine(ctx context.Context, id, source string, r *ingest.Record) error {
	m := p.c.badMessage(source, r)
	m.Subject = QuarantineSubject(source)
	m.Header.Set(jetstream.MsgIDHeader, id)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.receipt.Published++
	return p.dispatch(ctx, sent{part: part{m, 1}}) // never in a batch, which is of one stream
}

func consumerName(store string) string { return "hansei-" + Token(store) }
