package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// acks are the answers of a stream to numbered messages, which all come to one
// inbox. JetStream's own client makes a future, a timer and an entry of a table
// for each message, and decodes its ack as any JSON: a third of the time that
// publishing takes, the server's part included.
type acks struct {
	inbox    string // what is before a message's number
	number   uint64 // of the next message
	arrived  chan *nats.Msg
	listener *nats.Subscription
}

// idleAcks is how many are kept for the next publishers: as many as requests of
// HTTP are usually under way at once. Each needs 64 KiB.
const idleAcks = 8

// takeAcks returns acks that nobody uses.
func (c *Client) takeAcks() (*acks, error) {
	c.idle.Lock()
	defer c.idle.Unlock()
	if n := len(c.idle.acks); n > 0 {
		a := c.idle.acks[n-1]
		c.idle.acks = c.idle.acks[:n-1]
		return a, nil
	}
	a := &acks{inbox: c.nc.NewInbox() + ".", arrived: make(chan *nats.Msg, 2*maxUnderWay)} // those of a second sending, too
	var err error
	a.listener, err = c.nc.ChanSubscribe(a.inbox+"*", a.arrived)
	return a, err
}

// leaveAcks gives acks back; what still comes to them is told by its number.
func (c *Client) leaveAcks(a *acks) {
	c.idle.Lock()
	defer c.idle.Unlock()
	if len(c.idle.acks) < idleAcks {
		c.idle.acks = append(c.idle.acks, a)
		return
	}
	_ = a.listener.Unsubscribe() // its error says that the connection is gone
}

// send sends m, whose answer will bear the next number.
func (a *acks) send(nc *nats.Conn, m *nats.Msg) error {
	m.Reply = a.inbox + strconv.FormatUint(a.number, 10)
	a.number++
	return nc.PublishMsg(m)
}

// next returns an answer; nil when none came for a while.
func (a *acks) next(ctx context.Context) (*nats.Msg, error) {
	select {
	case m := <-a.arrived:
		return m, nil
	default:
	}
	patience := time.NewTimer(retryPause)
	defer patience.Stop()
	select {
	case m := <-a.arrived:
		return m, nil
	case <-patience.C:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// An answer is what became of a message.
type answer struct {
	known     bool // false: it is to be sent again
	sequence  uint64
	duplicate bool  // the stream had it before, and dropped it
	refused   error // why the server would refuse it every time; nil: it is on file
}

// plainAck begins the ack of a message that the stream of events has on file, in
// the form in which servers write it; its sequence and a brace follow.
var plainAck = []byte(`{"stream":"` + Events + `","seq":`)

// read returns the number of the message that m answers, and what it says.
func (a *acks) read(m *nats.Msg) (number uint64, said answer, err error) {
	if number, err = strconv.ParseUint(m.Subject[len(a.inbox):], 10, 64); err != nil {
		return 0, said, err
	}
	if digits, ok := bytes.CutPrefix(m.Data, plainAck); ok {
		digits, _ = bytes.CutSuffix(digits, []byte("}"))
		if said.sequence, _ = strconv.ParseUint(string(digits), 10, 64); said.sequence > 0 {
			said.known = true
			return number, said, nil
		}
	}
	var ack struct {
		jetstream.PubAck
		Error *jetstream.APIError `json:"error"`
	}
	if json.Unmarshal(m.Data, &ack) != nil || ack.Error == nil && ack.Sequence == 0 {
		return number, said, nil // no stream hears the subject, or none of ours
	}
	if ack.Error == nil {
		return number, answer{known: true, sequence: ack.Sequence, duplicate: ack.Duplicate}, nil
	}
	if refused(ack.Error) {
		said = answer{known: true, refused: ack.Error}
	}
	return number, said, nil
}
