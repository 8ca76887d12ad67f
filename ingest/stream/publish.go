package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// Headers of a message that holds bad input on its way to quarantine.
const (
	headerReason   = "Hansei-Reason"   // why it is bad
	headerPosition = "Hansei-Position" // where it stood
	headerSource   = "Hansei-Source"   // the format it was read as
	headerNear     = "Hansei-Near"     // RFC 3339: time of the record before it
	headerCut      = "Hansei-Cut"      // its length, when only its beginning is kept
)

// How long a publisher tries again while the server is away, and how it paces
// that. A minute outlasts the restart of a server or the election of a leader.
const (
	ackWait    = 10 * time.Second
	retryPause = 250 * time.Millisecond
	retryFor   = time.Minute
)

// An Option adds to a message that is published.
type Option func(*nats.Msg)

// Header sets a header of the message, such as traceparent.
func Header(name, value string) Option {
	return func(m *nats.Msg) { m.Header.Set(name, value) }
}

// Publish sends one event and returns once the stream has it on file.
// Publishing the same event again is harmless. It fills and checks e as
// [ingest.Event.Finish] does.
func (c *Client) Publish(ctx context.Context, e *ingest.Event, options ...Option) error {
	m, err := eventMessage(e, options)
	if err != nil {
		return err
	}
	_, err = c.send(ctx, m)
	return err
}

func eventMessage(e *ingest.Event, options []Option) (*nats.Msg, error) {
	if err := e.Finish(time.Time{}); err != nil {
		return nil, fmt.Errorf("event not published: %w", err)
	}
	m := nats.NewMsg(EventSubject(e.Agent))
	m.Data = e.AppendJSON(nil)
	if len(m.Data) > ingest.MaxEvent {
		return nil, fmt.Errorf("event not published: %d bytes, at most %d: shorten message or detail", len(m.Data), ingest.MaxEvent)
	}
	m.Header.Set(jetstream.MsgIDHeader, e.ID)
	for _, option := range options {
		option(m)
	}
	return m, nil
}

// headerRoom is what the headers of bad input may take of a payload.
const headerRoom = 16 << 10

// badMessage carries bad input of a file to quarantine, on the way of all
// events. Of input over the server's payload the beginning is kept.
func (c *Client) badMessage(source string, r *ingest.Record) *nats.Msg {
	m := nats.NewMsg(EventSubject(source))
	m.Data = r.Raw
	if most := max(int(c.nc.MaxPayload())-headerRoom, 0); len(m.Data) > most {
		m.Data = m.Data[:min(most, ingest.MaxEvent)]
		m.Header.Set(headerCut, strconv.Itoa(len(r.Raw)))
	}
	m.Header.Set(headerReason, oneLine(r.Err.Error()))
	m.Header.Set(headerPosition, oneLine(r.Position))
	m.Header.Set(headerSource, source)
	if !r.Near.IsZero() {
		m.Header.Set(headerNear, r.Near.UTC().Format(time.RFC3339))
	}
	sum := sha256.Sum256(append([]byte(r.Position+"\n"), r.Raw...))
	m.Header.Set(jetstream.MsgIDHeader, "bad-"+hex.EncodeToString(sum[:16]))
	return m
}

// oneLine makes text fit for a header.
func oneLine(text string) string {
	const most = 1 << 10 // an error of ours is a line or two
	out := []byte(text[:min(len(text), most)])
	for i, c := range out {
		if c < ' ' {
			out[i] = ' '
		}
	}
	return string(out)
}

// send publishes m and tries again until the stream has it or the time is over.
func (c *Client) send(ctx context.Context, m *nats.Msg) (*jetstream.PubAck, error) {
	deadline := time.Now().Add(retryFor)
	for {
		attempt, cancel := context.WithTimeout(ctx, ackWait)
		ack, err := c.js.PublishMsg(attempt, m)
		cancel()
		if err == nil {
			return ack, nil
		}
		if refused(err) || c.nc.IsClosed() {
			return nil, fmt.Errorf("publish to %s: %w", m.Subject, err)
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("publish to %s: no ack in %s: the NATS server is away, or cannot write because its disk is full (hansei doctor tells); then run it again, nothing is counted twice: %w", m.Subject, retryFor, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("publish to %s: %w", m.Subject, errors.Join(ctx.Err(), err))
		case <-time.After(retryPause):
		}
	}
}

// refused tells an answer that another try would get again.
func refused(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrMaxPayload) ||
		errors.As(err, &api) && api.Code >= 400 && api.Code < 500
}
