// Package stream carries events over NATS JetStream: it is the Go client that
// agents publish with, and the source that the worker reads from.
//
// A [Client] connects to a NATS server, its own inside the process or an
// existing one, and makes sure that the two streams exist: [Events] holds what
// agents published, [Quarantine] what could not be read. [Client.Publish] and
// a [Publisher] send events; a [Source] delivers them in order, in batches, and
// acknowledges a batch only after its handler has kept it.
//
// It is the only package that imports nats.go.
package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// Names of the streams.
const (
	Events     = "HANSEI_EVENTS"
	Quarantine = "HANSEI_QUARANTINE"
)

// Limits of the streams, so that neither grows without bound. 30 days cover a
// month's report being made anew from the stream; quarantine waits longer for
// a person. The window of JetStream's own deduplication is a publisher's
// longest retry; the store recognises later copies.
const (
	eventsAge       = 30 * 24 * time.Hour
	eventsBytes     = 8 << 30
	quarantineAge   = 90 * 24 * time.Hour
	quarantineBytes = 1 << 30
	dedupeWindow    = 10 * time.Minute
)

// Options say how to connect. The zero value with Dir set runs a server inside
// the process that listens to nobody else.
type Options struct {
	Dir     string        // data folder of the embedded server; used when URL and Context are empty
	Listen  string        // host:port on which the embedded server also takes other clients; empty: none
	Token   string        // asked of those clients, or shown to the server at URL; empty: none
	URL     string        // of an existing NATS server or cluster
	Context string        // name of a context of the nats command line, instead of URL
	Wait    time.Duration // how long to wait for a server at URL that does not answer; 0: one try
	Name    string        // of this connection, for the server's list
	// Caps of [Events]. Zero: the default for a new stream, and one that is there is left as it is.
	MaxAge   time.Duration
	MaxBytes int64
	// SyncAlways makes the embedded server force each message to disk before its
	// ack, so that a loss of power costs nothing; else that is done every second.
	SyncAlways bool
	Log        *slog.Logger // told of lost and restored connections; nil: silent
}

// A Client is a connection to the streams. It is safe for concurrent use.
type Client struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	asked  Options       // what Open was asked for
	server *server       // nil when it is not ours
	room   int           // acks that a publisher waits for at once
	syncs  bool          // the stream of events is forced to disk before each ack
	era    atomic.Uint64 // counts how often the connection was restored
	log    *slog.Logger

	idle struct { // what publishers use one after the other
		sync.Mutex
		acks []*acks
	}
}

// Open connects as o says and makes the streams that are missing. The caller
// closes the client.
func Open(ctx context.Context, o Options) (*Client, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Client{log: o.Log, asked: o}
	if err := c.connect(ctx, o); err != nil {
		c.Close()
		return nil, err
	}
	if err := c.ensureStreams(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) connect(ctx context.Context, o Options) (err error) {
	options := []nats.Option{
		nats.Name(o.Name),
		nats.MaxReconnects(-1), // a server may be away for any time; what is not acked is sent again
		nats.ReconnectWait(retryPause),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				c.log.Warn("NATS connection lost", "err", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			c.era.Add(1)
			c.log.Info("NATS connection restored", "url", cmp.Or(c.URL(), "in this process"))
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.log.Warn("NATS", "err", err) }),
	}
	url := o.URL
	switch {
	case o.Context != "":
		var more []nats.Option
		if url, more, err = contextOptions(o.Context); err != nil {
			return err
		}
		options = append(options, more...)
	case url == "":
		if c.server, err = startServer(o); err != nil {
			return err
		}
		options = append(options, nats.InProcessServer(c.server))
	}
	if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if c.nc, err = dial(ctx, url, o.Wait, options, o.Log); err != nil {
		return err
	}
	c.room = c.ackRoom()
	c.js, err = jetstream.New(c.nc)
	return err
}

// dial connects, and tries again for as long as wait says.
func dial(ctx context.Context, url string, wait time.Duration, options []nats.Option, log *slog.Logger) (*nats.Conn, error) {
	const pause = time.Second
	deadline := time.Now().Add(wait)
	for told := false; ; told = true {
		nc, err := nats.Connect(url, options...)
		if err == nil {
			return nc, nil
		}
		if time.Now().After(deadline) || errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
			return nil, fmt.Errorf("connect to NATS at %s: %w\nstart a NATS server there, correct --nats-url, or leave it out to use the embedded server", url, err)
		}
		if !told {
			log.Warn("NATS does not answer, waiting for it", "url", url, "err", err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (c *Client) ensureStreams(ctx context.Context) error {
	o := c.asked
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // a cluster may be electing its leader
	defer cancel()
	for _, config := range []jetstream.StreamConfig{
		{Name: Events, Subjects: []string{eventSubjects}, MaxAge: cmp.Or(o.MaxAge, eventsAge), MaxBytes: cmp.Or(o.MaxBytes, eventsBytes),
			Description: "What agents published to Hansei"},
		{Name: Quarantine, Subjects: []string{quarantineSubjects}, MaxAge: quarantineAge, MaxBytes: quarantineBytes,
			Description: "What Hansei could not read, with the reason"},
	} {
		config.Storage = jetstream.FileStorage
		config.Compression = jetstream.S2Compression
		config.Duplicates = min(dedupeWindow, config.MaxAge)
		config.AllowAtomicPublish = true // servers before 2.12 leave it out
		if err := c.ensureStream(ctx, config); err != nil {
			return err
		}
	}
	return c.settleEvents(ctx, o)
}

// syncKey is the name under which the stream's metadata say that each message is
// forced to disk before its ack, for the publishers of other processes.
const syncKey = "hansei.sync"

// settleEvents gives the stream that is there the caps that were asked for, and
// that of our own server what it can do.
func (c *Client) settleEvents(ctx context.Context, o Options) error {
	s, err := c.js.Stream(ctx, Events)
	if err != nil {
		return fmt.Errorf("stream %s: %w", Events, err)
	}
	config := s.CachedInfo().Config
	wanted := config
	wanted.MaxAge, wanted.MaxBytes = cmp.Or(o.MaxAge, config.MaxAge), cmp.Or(o.MaxBytes, config.MaxBytes)
	if wanted.MaxAge > 0 {
		wanted.Duplicates = min(wanted.Duplicates, wanted.MaxAge)
	}
	if c.server != nil {
		wanted.AllowAtomicPublish = true
		wanted.Metadata = map[string]string{}
		maps.Copy(wanted.Metadata, config.Metadata)
		delete(wanted.Metadata, syncKey)
		if o.SyncAlways {
			wanted.Metadata[syncKey] = "always"
		}
	}
	c.syncs = wanted.Metadata[syncKey] == "always" && wanted.AllowAtomicPublish
	if wanted.MaxAge == config.MaxAge && wanted.MaxBytes == config.MaxBytes &&
		wanted.AllowAtomicPublish == config.AllowAtomicPublish && wanted.Metadata[syncKey] == config.Metadata[syncKey] {
		return nil
	}
	if _, err := c.js.UpdateStream(ctx, wanted); err != nil {
		return fmt.Errorf("stream %s: set its age to %v and its size to %d bytes: %w", Events, wanted.MaxAge, wanted.MaxBytes, err)
	}
	return nil
}

// ensureStream makes a stream that is missing; one that is there keeps the
// settings of whoever runs that server.
func (c *Client) ensureStream(ctx context.Context, config jetstream.StreamConfig) error {
	_, err := c.js.Stream(ctx, config.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = c.js.CreateStream(ctx, config)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			err = nil // somebody else made it at this moment
		}
	}
	if err != nil {
		return fmt.Errorf("stream %s: %w; the NATS server needs JetStream (nats-server -js) and the right to make streams", config.Name, err)
	}
	return nil
}

// URL returns the address at which other clients reach the server; empty when
// it is embedded and listens to nobody.
func (c *Client) URL() string {
	if c.server != nil {
		return c.server.url()
	}
	return c.nc.ConnectedUrlRedacted()
}

// Healthy returns why nothing can be published now; nil when it can.
func (c *Client) Healthy() error {
	if !c.nc.IsConnected() {
		return errors.New("NATS is not connected")
	}
	if c.server != nil {
		return c.server.healthy()
	}
	return nil
}

// Heard reports whether anybody listens to subject; of a server that is not
// ours nobody knows, and it is true.
func (c *Client) Heard(subject string) bool { return c.server == nil || c.server.heard(subject) }

// Emit publishes data on subject for whoever listens, without an ack: for the
// tagged and signal subjects.
func (c *Client) Emit(subject string, data []byte) error { return c.nc.Publish(subject, data) }

// Close ends the connection and the embedded server. What was published with
// an ack is on disk; what was not is lost.
func (c *Client) Close() {
	var end ingest.Position
	if c.server != nil && c.js != nil {
		if s, err := c.State(context.Background()); err == nil {
			end = s.Tip
		}
	}
	if c.nc != nil {
		c.nc.Close()
	}
	if c.server != nil {
		c.server.close()
		c.closeEnds(end)
	}
}
