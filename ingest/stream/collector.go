package stream

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"hansei/ingest"
)

// A delivery is a batch on its way to the handler.
type delivery[P any] struct {
	batch   Batch[P]
	parts   []*P
	working sync.WaitGroup // on parts
	pending []Message      // not given to Prepare yet
	waiting int            // estimate of the events in pending
	last    string         // where to acknowledge it: at its last message
	count   int            // its messages
	rows    int            // estimate of its events
	size    int            // bytes of its messages
	due     time.Time      // when it need not grow any more
	behind  bool           // the stream holds enough to fill it
	latest  time.Time      // when it is handed over all the same
}

func (d *delivery[P]) full() bool { return d.rows >= maxBatch || d.size >= maxBatchBytes }

// wanted is until when it grows while the handler waits: from a backlog until
// it is full, so that the store is given whole row groups.
func (d *delivery[P]) wanted() time.Time {
	if d.behind {
		return d.latest
	}
	return d.due
}

// ready makes the last part, waits for the others and returns the batch.
func (d *delivery[P]) ready(prepare func([]Message) P) Batch[P] {
	if len(d.pending) > 0 {
		last := prepare(d.pending)
		d.pending, d.parts = nil, append(d.parts, &last)
	}
	d.working.Wait()
	d.batch.Parts = make([]P, len(d.parts))
	for i, part := range d.parts {
		d.batch.Parts[i] = *part
	}
	d.parts = nil
	return d.batch
}

// A collector gathers messages into batches and hands them over in order.
type collector[P any] struct {
	messages *feed
	prepare  func([]Message) P
	free     chan struct{} // a place for each Prepare that may run
	out      chan<- *delivery[P]
	position ingest.Position // of the last message that was gathered
	fresh    bool            // nothing came from this consumer yet
	subject  string          // of the last message, mostly the next one's too
	lastPart int             // its messages, mostly as many as those of the next one
}

// partSize is how many events make a part: as many as the store handles best
// at once, and some fifty milliseconds of work.
const partSize = 8192

// dispatch gives what is pending to Prepare. It waits while all processors are
// busy with that, so that messages do not pile up.
func (c *collector[P]) dispatch(d *delivery[P]) {
	messages, part := d.pending, new(P)
	c.lastPart = len(messages)
	d.pending, d.waiting, d.parts = nil, 0, append(d.parts, part)
	c.free <- struct{}{}
	d.working.Go(func() {
		*part = c.prepare(messages)
		<-c.free
	})
}

// pollBusy is how often a batch that is due is offered to a busy handler.
const pollBusy = 20 * time.Millisecond

// run collects until ctx ends or the consumer is lost. At a gap it hands over
// what is before it and ends with errGap.
func (c *collector[P]) run(ctx context.Context) error {
	for {
		d := &delivery[P]{batch: Batch[P]{Position: c.position}}
		err := c.fill(ctx, d)
		c.position = d.batch.Position
		if d.count > 0 && !errors.Is(err, errOffered) {
			select {
			case c.out <- d:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err != nil && !errors.Is(err, errOffered) {
			return err
		}
	}
}

// errOffered says that a batch was handed over before it was full.
var errOffered = errors.New("batch handed over")

// errSilent says that the server gave no sign of life, so that the consumer is
// to be made anew.
var errSilent = errors.New("the consumer is silent")

// fill takes messages until the batch is full (nil), or due and handed over to
// a handler that waits for it (errOffered).
func (c *collector[P]) fill(ctx context.Context, d *delivery[P]) error {
	patience := feedSilence // for the first message as long as it takes
	for !d.full() {
		m, err := c.messages.next(ctx, patience)
		switch {
		case err == nil:
			if err := c.take(d, m); err != nil {
				return err
			}
		case !errors.Is(err, errNone):
			return err
		case d.count == 0:
			return errSilent
		}
		switch {
		case d.count == 0: // all that came was handled before
		case time.Now().Before(d.wanted()):
			patience = time.Until(d.wanted()) + time.Millisecond
		default:
			select {
			case c.out <- d:
				return errOffered
			default: // the handler is busy: grow on
			}
			patience = pollBusy
		}
	}
	return nil
}

// take adds m to the batch, unless it was handled before. A gap before it is a
// loss of the stream when a fresh consumer tells of it first, else errGap.
func (c *collector[P]) take(d *delivery[P], m arrival) error {
	at, err := placeOf(m.reply)
	if err != nil {
		return err
	}
	missing := int64(at.sequence) - int64(d.batch.Position.Sequence) - 1
	switch {
	case missing < 0:
		return nil
	case missing > 0 && !c.fresh:
		return errGap
	case missing > 0:
		d.batch.Missing, d.batch.MissingAt = uint64(missing), at.arrived
	}
	c.fresh = false
	if d.count == 0 {
		d.due, d.latest = time.Now().Add(batchWait), time.Now().Add(backlogWait)
	}
	d.last = m.reply
	d.size += len(m.data)
	d.batch.Position.Sequence = at.sequence
	message := c.message(m, at)
	events := message.Events()
	if d.waiting > 0 && d.waiting+events > partSize {
		c.dispatch(d)
		d.pending = make([]Message, 0, c.lastPart)
	}
	d.pending, d.waiting = append(d.pending, message), d.waiting+events
	d.rows += events
	d.count++
	d.behind = int(at.pending)*d.rows/d.count >= maxBatch-d.rows
	return nil
}

// message keeps of m what is read later.
func (c *collector[P]) message(m arrival, at place) Message {
	if m.subject != c.subject {
		c.subject = strings.Clone(m.subject)
	}
	return Message{Sequence: at.sequence, Subject: c.subject, Arrived: at.arrived, ID: m.id, Data: m.data, header: m.header}
}
