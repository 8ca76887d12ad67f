package stream

import (
	"context"
	"strconv"
	"time"
)

// Headers of an atomic batch, which servers from 2.12 on take (ADR-50 of NATS).
const (
	headerBatch       = "Nats-Batch-Id"
	headerBatchNumber = "Nats-Batch-Sequence" // of a message, from 1
	headerBatchCommit = "Nats-Batch-Commit"   // of the last message
)

// Limits of an atomic batch: as many messages as servers take by default, and as
// many bytes as they hold twice without harm.
const (
	batchMessages = 1000
	batchBytes    = 4 << 20
)

// batchPatience is how long a batch waits for more, as from a pipe in which little
// comes: as long as a batch of the store.
const batchPatience = batchWait

// A batch is what a Publisher sends at once to a stream that is forced to disk
// before each ack: the messages of an atomic batch are forced to disk together,
// so that a thousand of them take about as long as one.
type batch struct {
	parts []part
	bytes int
	alone int // how many messages are still sent one by one, since a batch was not taken as a whole
	late  *time.Timer
}

// batches reports whether the next message goes into a batch.
func (p *Publisher) batches() bool {
	if p.batch.alone > 0 {
		p.batch.alone--
		return false
	}
	return p.c.syncs
}

// collect adds m to the batch, and sends it when it is full or batchPatience old.
func (p *Publisher) collect(ctx context.Context, m part) error {
	if len(p.batch.parts) == 0 {
		p.batch.late = time.AfterFunc(batchPatience, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			_ = p.sendBatch(ctx) // what is not sent is tried again by Publish or Flush, which tell why
		})
	}
	p.batch.parts = append(p.batch.parts, m)
	p.batch.bytes += len(m.message.Data)
	if len(p.batch.parts) < batchMessages && p.batch.bytes < batchBytes {
		return nil
	}
	return p.sendBatch(ctx)
}

// sendBatch sends what the batch holds. On an error it holds that still.
func (p *Publisher) sendBatch(ctx context.Context) error {
	n := len(p.batch.parts)
	if n == 0 {
		return nil
	}
	p.batch.late.Stop()
	if err := p.dispatch(ctx, sent{part: p.batch.parts[n-1], before: p.batch.parts[:n-1]}); err != nil {
		return err
	}
	p.batch.parts, p.batch.bytes = nil, 0
	return nil
}

// mark makes the messages of s one batch called id, at most 64 bytes.
func (s *sent) mark(id string) {
	for i, m := range s.before {
		m.message.Header.Set(headerBatch, id)
		m.message.Header.Set(headerBatchNumber, strconv.Itoa(i+1))
	}
	s.message.Header.Set(headerBatch, id)
	s.message.Header.Set(headerBatchNumber, strconv.Itoa(len(s.before)+1))
	s.message.Header.Set(headerBatchCommit, "1")
}

// split has the messages of the oldest batch sent one by one, since the stream did
// not take it as a whole: it has some of them already, one is refused, or the
// server was gone. Then nothing of it is on file, or all of it; their ids make
// both harmless. What follows next is likely of the same kind.
func (p *Publisher) split() {
	s := p.waiting[0]
	if !s.answer.known {
		p.acks.renew()
	}
	p.leave()
	p.batch.alone = batchMessages
	for _, m := range append(s.before, s.part) {
		for _, name := range []string{headerBatch, headerBatchNumber, headerBatchCommit} {
			m.message.Header.Del(name)
		}
		p.waiting = append(p.waiting, sent{part: m})
		p.bytes += len(m.message.Data)
		p.acks.number++
	}
}
