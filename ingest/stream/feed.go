package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What a consumer is asked for ahead of the batch under way: two requests of so
// many messages, since one is on its way while the other is delivered; of large
// messages as many as come to so many bytes. What is under way is in memory
// twice, with the server and with the client.
const (
	feedMessages = 4096
	feedBytes    = 2 << 20
	feedRoom     = 16 << 10 // for what comes with the payload of a message
	feedFirst    = 32 << 10 // the size of a message as long as none has come: a hundred events
)

// A request ends after feedExpiry at the latest, and before that the server
// gives signs of life. When nothing came for feedSilence, nothing will.
const (
	feedExpiry    = 30 * time.Second
	feedHeartbeat = 10 * time.Second
	feedSilence   = 25 * time.Second
)

// A feed takes the messages of a consumer that wants an ack for many. JetStream's
// own client watches over each message, which costs as much as the message itself.
// From our own server messages come through a pipe.
type feed struct {
	nc       *nats.Conn
	pipe     *pipe          // nil: another server
	piped    chan []arrival // of the pipe; nil without one
	ready    []arrival      // that came through it
	subject  string         // at which the consumer takes requests
	most     int            // bytes that one request may bring
	size     int            // of a message, as the last ones were
	arrived  chan *nats.Msg
	inbox    string
	listener *nats.Subscription
	changed  chan nats.Status // told when the connection is restored or closed
	due      int              // messages that were asked for and have not come
	timer    *time.Timer
}

// openFeed asks for the messages of a consumer of [Events]. The caller closes
// the feed.
func (c *Client) openFeed(consumer string) (_ *feed, err error) {
	f := &feed{
		nc:      c.nc,
		subject: jetstream.DefaultAPIPrefix + "CONSUMER.MSG.NEXT." + Events + "." + consumer,
		arrived: make(chan *nats.Msg, 3*feedMessages), // and what is said about requests
		size:    feedFirst,
		inbox:   c.nc.NewInbox(),
		timer:   time.NewTimer(0),
	}
	f.most = max(feedBytes, int(c.nc.MaxPayload())+feedRoom) // a larger message would never come
	if c.server != nil {
		if f.pipe, err = openPipe(c.server, f.inbox, cap(f.arrived)); err == nil {
			f.piped = f.pipe.arrived
		}
	} else {
		f.listener, err = c.nc.ChanSubscribe(f.inbox, f.arrived)
	}
	if err != nil {
		return nil, fmt.Errorf("listen to the consumer %s: %w", consumer, err)
	}
	f.changed = c.nc.StatusChanged(nats.CONNECTED, nats.CLOSED)
	if err := f.ask(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *feed) close() {
	if f.pipe != nil {
		f.pipe.close()
	} else {
		_ = f.listener.Unsubscribe() // its error says that the connection is gone
	}
	f.nc.RemoveStatusListener(f.changed)
	f.timer.Stop()
}

// publish sends a request.
func (f *feed) publish(wish []byte) error {
	if f.pipe == nil {
		return f.nc.PublishRequest(f.subject, f.inbox, wish)
	}
	err := f.pipe.publish(f.subject, f.inbox, wish)
	if errors.Is(err, io.ErrClosedPipe) {
		return errGap // as take says
	}
	return err
}

// ask asks for as much as may be under way.
func (f *feed) ask() error {
	for batch := f.batch(); f.due <= batch; f.due += batch {
		wish := fmt.Appendf(nil, `{"batch":%d,"max_bytes":%d,"expires":%d,"idle_heartbeat":%d}`, batch, f.most, feedExpiry, feedHeartbeat)
		if err := f.publish(wish); err != nil {
			return fmt.Errorf("ask the consumer for messages: %w", err)
		}
	}
	return nil
}

// batch returns how many messages to ask for at once.
func (f *feed) batch() int { return min(max(feedBytes/max(f.size, 1), 1), feedMessages) }

// feedMemory is of how many messages a feed knows the size, roughly: few, so
// that it soon notices larger ones.
const feedMemory = 16

// took notes that a has come, which was asked for.
func (f *feed) took(a *arrival) {
	f.due--
	f.size += (len(a.data) - f.size) / feedMemory
}

// errNone says that no message came in time.
var errNone = errors.New("no message")

// errGap says that messages between two that came are still to come: a
// connection broke while they were under way. A consumer made anew delivers
// them at once; what it does not deliver either is lost.
var errGap = errors.New("messages are missing")

// next returns the next message; errNone when none came in the time given.
func (f *feed) next(ctx context.Context, patience time.Duration) (a arrival, err error) {
	for {
		if a, err = f.receive(ctx, patience); err != nil {
			return a, err
		}
		if a.reply != "" {
			f.took(&a)
			return a, f.ask()
		}
		if err = f.told(&a); err != nil {
			return a, err
		}
	}
}

// receive returns what came next.
func (f *feed) receive(ctx context.Context, patience time.Duration) (arrival, error) {
	if len(f.ready) > 0 {
		return f.take(f.ready, true)
	}
	select {
	case m := <-f.arrived:
		return arrivalOf(m), nil
	case list, ok := <-f.piped:
		return f.take(list, ok)
	default:
	}
	f.timer.Reset(patience)
	select {
	case m := <-f.arrived:
		return arrivalOf(m), nil
	case list, ok := <-f.piped:
		return f.take(list, ok)
	case <-f.timer.C:
		return arrival{}, errNone
	case <-f.changed:
		return arrival{}, errGap // the server has forgotten what was asked for
	case <-ctx.Done():
		return arrival{}, ctx.Err()
	}
}

// take returns the first of what came through the pipe, unless that has ended.
func (f *feed) take(list []arrival, ok bool) (arrival, error) {
	switch {
	case ok:
		f.ready = list[1:]
		return list[0], nil
	case errors.Is(f.pipe.err, io.EOF):
		return arrival{}, errGap // the server ended, and is started anew
	}
	return arrival{}, f.pipe.err
}

// told reads what the server says of a request: that it goes on, that it has
// ended before its last message came, or that nothing will come.
func (f *feed) told(a *arrival) error {
	const goesOn = "100"
	status := a.header.Get("Status")
	if left, err := strconv.Atoi(a.header.Get("Nats-Pending-Messages")); err == nil {
		f.due -= left
		return f.ask()
	}
	if status == goesOn {
		return nil
	}
	return fmt.Errorf("the consumer answers %s %s", status, a.header.Get("Description"))
}

// A place says where a message that a consumer delivered stands.
type place struct {
	sequence uint64 // in the stream
	pending  uint64 // messages behind it
	arrived  time.Time
}

// placeOf reads the address at which a delivered message would be acknowledged:
//
//	$JS.ACK.<stream>.<consumer>.<times>.<sequence>.<delivery>.<arrived>.<pending>
//
// in newer form with domain and account behind ACK, and more at its end.
func placeOf(reply string) (p place, err error) {
	words := 5 // before the sequence
	if strings.Count(reply, ".") > 8 {
		words = 7
	}
	rest := reply
	for range words {
		_, rest, _ = strings.Cut(rest, ".")
	}
	var arrived uint64
	var delivery uint64 // of the consumer
	for _, into := range []*uint64{&p.sequence, &delivery, &arrived, &p.pending} {
		var word string
		word, rest, _ = strings.Cut(rest, ".")
		if *into, err = strconv.ParseUint(word, 10, 64); err != nil {
			return p, fmt.Errorf("the address %q of a message tells no place: %w", reply, err)
		}
	}
	p.arrived = time.Unix(0, int64(arrived)).UTC()
	return p, nil
}
