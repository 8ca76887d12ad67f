package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// acks are the answers of a stream to messages, which all come to one inbox.
// JetStream's own client makes a future, a timer and an entry of a table for
// each message, and decodes its ack as any JSON: a third of the time that
// publishing takes, the server's part included. Another fifth goes when the
// addresses of answers come again: the server keeps its way to a few hundred.
type acks struct {
	inbox     string
	round     uint64   // of the addresses: what comes to an earlier round's is late
	addresses []string // of this round, made when they are needed
	room      int      // how many there are, and so how many messages may be under way; a power of two
	number    uint64   // of the next message
	arrived   chan *nats.Msg
	listener  *nats.Subscription
}

// How many messages wait for their acks: at a server that answers within
// nearRoundTrip few enough for its caches, which hold 512 addresses, and still
// 128,000 a second; from one that is further away as many as fill the way.
const (
	nearRoom      = 256
	farRoom       = 4096
	nearRoundTrip = 2 * time.Millisecond
)

// ackRoom returns how many acks to wait for at once from the server at hand.
func (c *Client) ackRoom() int {
	if c.server != nil {
		return nearRoom
	}
	if trip, err := c.nc.RTT(); err != nil || trip > nearRoundTrip {
		return farRoom
	}
	return nearRoom
}

// idleAcks is how many are kept for the next publishers: as many as requests of
// HTTP are usually under way at once.
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
	a := newAcks(c.nc.NewInbox(), c.room)
	var err error
	a.listener, err = c.nc.ChanSubscribe(a.inbox+".>", a.arrived)
	return a, err
}

func newAcks(inbox string, room int) *acks {
	return &acks{
		inbox: inbox, room: room, round: 1,
		addresses: make([]string, room),
		arrived:   make(chan *nats.Msg, 2*room), // and those of a round before
	}
}

// leaveAcks gives acks back. Answers that are still to come need a new round.
func (c *Client) leaveAcks(a *acks) {
	c.idle.Lock()
	defer c.idle.Unlock()
	if len(c.idle.acks) < idleAcks {
		c.idle.acks = append(c.idle.acks, a)
		return
	}
	_ = a.listener.Unsubscribe() // its error says that the connection is gone
}

// renew begins a new round. It is due when a message is given up whose answer
// may still come, so that the next one at its address does not get that.
func (a *acks) renew() {
	a.round++
	clear(a.addresses)
}

// send sends s, whose answer will come to the next address of this round.
func (a *acks) send(nc *nats.Conn, s *sent) error {
	s.message.Reply = a.address(a.number % uint64(a.room))
	a.number++
	if len(s.before) > 0 {
		s.mark(a.inbox + "." + strconv.FormatUint(a.number, 10))
	}
	for _, m := range s.before {
		if err := nc.PublishMsg(m.message); err != nil {
			return err
		}
	}
	return nc.PublishMsg(s.message)
}

// address returns the address of a place.
func (a *acks) address(place uint64) string {
	if a.addresses[place] == "" {
		a.addresses[place] = a.inbox + "." + strconv.FormatUint(a.round, 10) + "." + strconv.FormatUint(place, 10)
	}
	return a.addresses[place]
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

// An address is where the answer to a message comes.
type address struct{ round, place uint64 }

// read returns the address to which m came, and what it says.
func (a *acks) read(m *nats.Msg) (at address, said answer, err error) {
	round, place, _ := strings.Cut(m.Subject[len(a.inbox)+1:], ".")
	if at.round, err = strconv.ParseUint(round, 10, 64); err != nil {
		return at, said, err
	}
	if at.place, err = strconv.ParseUint(place, 10, 64); err != nil {
		return at, said, err
	}
	if digits, ok := bytes.CutPrefix(m.Data, plainAck); ok {
		digits, _ = bytes.CutSuffix(digits, []byte("}"))
		if said.sequence, _ = strconv.ParseUint(string(digits), 10, 64); said.sequence > 0 {
			said.known = true
			return at, said, nil
		}
	}
	var ack struct {
		jetstream.PubAck
		Error *jetstream.APIError `json:"error"`
	}
	if json.Unmarshal(m.Data, &ack) != nil || ack.Error == nil && ack.Sequence == 0 {
		return at, said, nil // no stream hears the subject, or none of ours
	}
	if ack.Error == nil {
		return at, answer{known: true, sequence: ack.Sequence, duplicate: ack.Duplicate}, nil
	}
	if refused(ack.Error) {
		said = answer{known: true, refused: ack.Error}
	}
	return at, said, nil
}
