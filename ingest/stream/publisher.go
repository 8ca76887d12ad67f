package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// maxUnderWayBytes bounds the memory of what a Publisher has under way.
const maxUnderWayBytes = 32 << 20

// A Publisher sends many events without waiting for each ack. Messages that
// got no ack are sent again; their ids make that harmless. [Publisher.Flush]
// ends it, after which it may be used anew. It is not safe for concurrent use.
type Publisher struct {
	c       *Client
	mu      sync.Mutex // held while anything below is used: a batch that is due is sent beside its user
	acks    *acks      // nil while nothing is under way
	waiting []sent
	first   uint64 // number of the first one that waits
	bytes   int
	receipt Receipt
	refused error // why the first message that the server refused was
	batch   batch // not sent yet
}

// A part is a message and how many events it holds.
type part struct {
	message *nats.Msg
	events  int
}

// A sent message waits for its ack.
type sent struct {
	part             // of a batch, the last one
	before []part    // of a batch, those that the stream takes together with it
	era    uint64    // of the connection
	round  uint64    // of the address of its answer; 0: none is heard
	at     time.Time // when it was sent; zero: it is to be sent again
	answer answer
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.receipt.Published += events
	if p.batches() {
		return p.collect(ctx, part{m, events})
	}
	return p.dispatch(ctx, sent{part: part{m, events}})
}

// dispatch sends s, whose ack is waited for later.
func (p *Publisher) dispatch(ctx context.Context, s sent) error {
	if err := p.listen(); err != nil {
		return err
	}
	bytes := s.bytes()
	if err := p.makeRoom(ctx, bytes); err != nil {
		return err
	}
	s.era, s.round, s.at = p.c.era.Load(), p.acks.round, time.Now()
	if p.acks.send(p.c.nc, &s) != nil {
		s.at = time.Time{} // the connection's buffer is full: the server is away
	}
	p.waiting = append(p.waiting, s)
	p.bytes += bytes
	return nil
}

// bytes returns how much data s holds.
func (s *sent) bytes() int {
	sum := len(s.message.Data)
	for _, m := range s.before {
		sum += len(m.message.Data)
	}
	return sum
}

// makeRoom settles half of what may be under way when so many bytes more would
// be too much: messages that are sent one for each ack go to the server one by one.
func (p *Publisher) makeRoom(ctx context.Context, more int) error {
	over := func(part int) bool {
		return len(p.waiting) > 0 && (len(p.waiting) >= p.acks.room/part || p.bytes+more > maxUnderWayBytes/part)
	}
	if !over(1) {
		return nil
	}
	for over(2) {
		if err := p.settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// listen makes sure that acks are heard. What waits since a Flush that failed
// is sent again.
func (p *Publisher) listen() (err error) {
	if p.acks != nil {
		return nil
	}
	if p.acks, err = p.c.takeAcks(); err != nil {
		p.acks = nil
		return fmt.Errorf("publish: listen to the acks: %w", err)
	}
	p.first = p.acks.number
	p.acks.number += uint64(len(p.waiting))
	for i := range p.waiting {
		p.waiting[i].at, p.waiting[i].round = time.Time{}, 0
	}
	return nil
}

// settle waits for the oldest message's ack, and sends it again without one.
// A message that the server refuses for good is left out, so that the others
// are still counted; Flush tells of it.
func (p *Publisher) settle(ctx context.Context) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	s := p.waiting[0]
	if len(s.before) > 0 && (!s.answer.known || s.answer.refused != nil) {
		p.split()
		return nil
	}
	if !s.answer.known {
		p.acks.renew()
		ack, err := p.c.send(ctx, again(s.message))
		if err == nil {
			s.answer = answer{sequence: ack.Sequence, duplicate: ack.Duplicate}
		} else if s.answer.refused = err; !refused(err) {
			return err
		}
	}
	p.leave()
	if s.answer.refused != nil {
		p.refused = cmp.Or(p.refused, s.answer.refused)
		return nil
	}
	for i, m := range s.before {
		p.receipt.add(answer{sequence: s.answer.sequence - uint64(len(s.before)-i)}, m.events)
	}
	p.receipt.add(s.answer, s.events)
	return nil
}

// leave lets go of the oldest message.
func (p *Publisher) leave() {
	p.bytes -= p.waiting[0].bytes()
	p.waiting[0] = sent{} // its memory
	p.waiting = p.waiting[1:]
	p.first++
}

// again copies a message without the reply address of its first sending.
func again(m *nats.Msg) *nats.Msg {
	return &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}
}

// wait returns when the oldest message has its answer, or is to be sent again.
func (p *Publisher) wait(ctx context.Context) error {
	if err := p.listen(); err != nil {
		return err
	}
	for !p.waiting[0].answer.known && !p.waiting[0].lost(p.c) {
		m, err := p.acks.next(ctx)
		if err != nil {
			return err
		}
		if m != nil {
			p.hear(m)
		}
	}
	return nil
}

// lost reports whether no answer is to be expected any more.
func (s *sent) lost(c *Client) bool {
	return s.at.IsZero() || s.era != c.era.Load() || time.Since(s.at) > ackWait
}

// hear notes an answer at the message that it is to.
func (p *Publisher) hear(m *nats.Msg) {
	at, a, err := p.acks.read(m)
	i := (at.place - p.first) % uint64(p.acks.room)
	if err != nil || i >= uint64(len(p.waiting)) || p.waiting[i].round != at.round {
		return // to one that was sent again since, or by nobody who is to be believed
	}
	s := &p.waiting[i]
	switch s.answer = a; {
	case !a.known:
		s.at = time.Time{}
	case a.refused != nil:
		s.answer.refused = fmt.Errorf("publish to %s: %w", s.message.Subject, a.refused)
	}
}

func (r *Receipt) add(a answer, events int) {
	r.Acked += events
	if a.duplicate {
		r.Duplicates += events
		return
	}
	if n := len(r.Sequences); n > 0 && r.Sequences[n-1].Last+1 == a.sequence {
		r.Sequences[n-1].Last++
		return
	}
	r.Sequences = append(r.Sequences, Range{a.sequence, a.sequence})
}

// Flush waits until every event is acked. On an error the receipt says how far
// it came; the events that are not acked may or may not be in the stream, and
// publishing them again is harmless.
func (p *Publisher) Flush(ctx context.Context) (Receipt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.sendBatch(ctx)
	for len(p.waiting) > 0 && err == nil {
		err = p.settle(ctx)
	}
	if p.acks != nil {
		if len(p.waiting) > 0 {
			p.acks.renew()
		}
		p.c.leaveAcks(p.acks)
		p.acks = nil
	}
	if err = errors.Join(p.refused, err); err != nil {
		return p.receipt, fmt.Errorf("%d of %d events acked: %w", p.receipt.Acked, p.receipt.Published, err)
	}
	return p.receipt, nil
}

// Receipt tells how far the publisher is.
func (p *Publisher) Receipt() Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.receipt
}

// PublishJSON sends the JSON of events of one agent: one event, or an array of
// so many. id is the message's; nothing is checked here, what is wrong with
// the JSON is found by whoever reads the stream. It may wait for earlier acks.
func (p *Publisher) PublishJSON(ctx context.Context, agent, id string, data []byte, events int) error {
	m := nats.NewMsg(EventSubject(agent))
	m.Data = data
	m.Header.Set(jetstream.MsgIDHeader, id)
	return p.sendSome(ctx, m, events)
}
