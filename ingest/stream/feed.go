package stream

import (
	"context"
	"errors"
	"fmt"
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
type feed struct {
	nc       *nats.Conn
	subject  string // at which the consumer takes requests
	most     int    // bytes that one request may bring
	size     int    // of a message, as the last ones were
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
	if f.listener, err = c.nc.ChanSubscribe(f.inbox, f.arrived); err != nil {
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
	_ = f.listener.Unsubscribe() // its error says that the connection is gone
	f.nc.RemoveStatusListener(f.changed)
	f.timer.Stop()
}

// ask asks for as much as may be under way.
func (f *feed) ask() error {
	for batch := f.batch(); f.due <= batch; f.due += batch {
		wish := fmt.Appendf(nil, `{"batch":%d,"max_bytes":%d,"expires":%d,"idle_heartbeat":%d}`, batch, f.most, feedExpiry, feedHeartbeat)
		if err := f.nc.PublishRequest(f.subject, f.inbox, wish); err != nil {
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

// took notes that m has come, which was asked for.
func (f *feed) took(m *nats.Msg) {
	f.due--
	f.size += (len(m.Data) - f.size) / feedMemory
}

// errNone says that no message came in time.
var errNone = errors.New("no message")

// errGap says that messages between two that came are still to come: a
// connection broke while they were under way. A consumer made anew delivers
// them at once; what it does not deliver either is lost.
var errGap = errors.New("messages are missing")

// next returns the next message; errNone when none came in the time given.
func (f *feed) next(ctx context.Context, patience time.Duration) (*nats.Msg, error) {
	for {
		var m *nats.Msg
		select {
		case m = <-f.arrived:
		default:
			f.timer.Reset(patience)
			select {
			case m = <-f.arrived:
			case <-f.timer.C:
				return nil, errNone
			case <-f.changed:
				return nil, errGap // the server has forgotten what was asked for
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if m.Reply != "" {
			f.took(m)
			return m, f.ask()
		}
		if err := f.told(m); err != nil {
			return nil, err
		}
	}
}

// told reads what the server says of a request: that it goes on, that it has
// ended before its last message came, or that nothing will come.
func (f *feed) told(m *nats.Msg) error {
	const goesOn = "100"
	status := m.Header.Get("Status")
	if left, err := strconv.Atoi(m.Header.Get("Nats-Pending-Messages")); err == nil {
		f.due -= left
		return f.ask()
	}
	if status == goesOn {
		return nil
	}
	return fmt.Errorf("the consumer answers %s %s", status, m.Header.Get("Description"))
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
