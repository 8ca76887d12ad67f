package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// Bounds of what a Publisher has under way: enough to keep the server busy over
// the round trip of an ack, and little enough memory to lose none of it.
const (
	maxUnderWay      = 4096
	maxUnderWayBytes = 32 << 20
)

// A Publisher sends many events without waiting for each ack. Messages that
// got no ack are sent again; their ids make that harmless. It is not safe for
// concurrent use.
type Publisher struct {
	c       *Client
	waiting []sent
	bytes   int
	receipt Receipt
	refused error // why the first message that the server refused was
}

type sent struct {
	message *nats.Msg
	ack     jetstream.PubAckFuture
	events  int
}

// A Receipt counts what became of the events given to a Publisher.
type Receipt struct {
	Published  int     // events and bad records given to it
	Acked      int     // of those, the ones that the stream has on file
	Duplicates int     // of those, the ones that the stream had before and dropped
	Sequences  []Range // of the stream, where the others lie
}

// A Range is an inclusive range of sequences of a stream.
type Range struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// NewPublisher returns a Publisher over c.
func (c *Client) NewPublisher() *Publisher { return &Publisher{c: c} }

// Publish sends one event, see [Client.Publish], and may wait for earlier acks.
func (p *Publisher) Publish(ctx context.Context, e *ingest.Event, options ...Option) error {
	m, err := eventMessage(e, options)
	if err != nil {
		return err
	}
	return p.send(ctx, m)
}

// PublishBad sends bad input of a source to quarantine.
func (p *Publisher) PublishBad(ctx context.Context, source string, r *ingest.Record) error {
	return p.send(ctx, p.c.badMessage(source, r))
}

func (p *Publisher) send(ctx context.Context, m *nats.Msg) error { return p.sendSome(ctx, m, 1) }

func (p *Publisher) sendSome(ctx context.Context, m *nats.Msg, events int) error {
	p.receipt.Published += events
	for len(p.waiting) > 0 && (len(p.waiting) >= maxUnderWay || p.bytes+len(m.Data) > maxUnderWayBytes) {
		if err := p.settle(ctx, p.waiting[0]); err != nil {
			return err
		}
	}
	ack, err := p.c.js.PublishMsgAsync(m)
	if err != nil { // the connection's buffer is full: the server is away
		ack = nil
	}
	p.waiting = append(p.waiting, sent{m, ack, events})
	p.bytes += len(m.Data)
	return nil
}

// settle waits for the oldest message's ack, and sends it again without one.
// A message that the server refuses for good is left out, so that the others
// are still counted; Flush tells of it.
func (p *Publisher) settle(ctx context.Context, s sent) error {
	ack, err := s.wait(ctx)
	if err == nil && ack == nil {
		ack, err = p.c.send(ctx, again(s.message))
	}
	if err != nil && !refused(err) {
		return err
	}
	p.waiting = p.waiting[1:]
	p.bytes -= len(s.message.Data)
	if err != nil {
		p.refused = cmp.Or(p.refused, err)
		return nil
	}
	p.receipt.add(ack, s.events)
	return nil
}

// again copies a message without the reply address of its first sending.
func again(m *nats.Msg) *nats.Msg {
	return &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}
}

// wait returns the ack, or nil when there was none and the message is to be sent again.
func (s sent) wait(ctx context.Context) (*jetstream.PubAck, error) {
	if s.ack == nil {
		return nil, nil
	}
	patience := time.NewTimer(ackWait)
	defer patience.Stop()
	select {
	case ack := <-s.ack.Ok():
		return ack, nil
	case err := <-s.ack.Err():
		if refused(err) {
			return nil, fmt.Errorf("publish to %s: %w", s.message.Subject, err)
		}
		return nil, nil
	case <-patience.C:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *Receipt) add(ack *jetstream.PubAck, events int) {
	r.Acked += events
	if ack.Duplicate {
		r.Duplicates += events
		return
	}
	if n := len(r.Sequences); n > 0 && r.Sequences[n-1].Last+1 == ack.Sequence {
		r.Sequences[n-1].Last++
		return
	}
	r.Sequences = append(r.Sequences, Range{ack.Sequence, ack.Sequence})
}

// Flush waits until every event is acked. On an error the receipt says how far
// it came; the events that are not acked may or may not be in the stream, and
// publishing them again is harmless.
func (p *Publisher) Flush(ctx context.Context) (Receipt, error) {
	var err error
	for len(p.waiting) > 0 && err == nil {
		err = p.settle(ctx, p.waiting[0])
	}
	if err = errors.Join(p.refused, err); err != nil {
		return p.receipt, fmt.Errorf("%d of %d events acked: %w", p.receipt.Acked, p.receipt.Published, err)
	}
	return p.receipt, nil
}

// Receipt tells how far the publisher is.
func (p *Publisher) Receipt() Receipt { return p.receipt }

// PublishJSON sends the JSON of events of one agent: one event, or an array of
// so many. id is the message's; nothing is checked here, what is wrong with
// the JSON is found by whoever reads the stream. It may wait for earlier acks.
func (p *Publisher) PublishJSON(ctx context.Context, agent, id string, data []byte, events int) error {
	m := nats.NewMsg(EventSubject(agent))
	m.Data = data
	m.Header.Set(jetstream.MsgIDHeader, id)
	return p.sendSome(ctx, m, events)
}
