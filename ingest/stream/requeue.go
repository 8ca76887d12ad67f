package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// headerReplaces names the quarantined input that a message stands for: the
// store lets go of that when it keeps the message.
const headerReplaces = "Hansei-Replaces"

// requeueBytes bounds a message of requeued events: half of the smallest
// payload that NATS servers are commonly set to.
const requeueBytes = 512 << 10

// Replaces returns the id of the quarantined input that m stands for; empty
// when it is a message like most. The header alone is not believed, since every
// publisher can set it and knows the id of what it sent: the message must be named
// as a requeue names it.
func (m *Message) Replaces() string {
	id := m.header.Get(headerReplaces)
	if id == "" || !strings.HasPrefix(m.ID, requeuePrefix+id+"-") || !strings.HasSuffix(m.ID, "-"+requeueSum(m.Data)) {
		return ""
	}
	return id
}

// requeuePrefix begins the ids of messages of requeued input.
const requeuePrefix = "requeue-"

// requeueSum ends the id of a message of requeued input.
func requeueSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// A Requeue is quarantined input that was read again.
type Requeue struct {
	ID      string // of the quarantined input
	Turn    uint64 // tells this time from an earlier one
	Source  string // the format it was read as
	Records []ingest.Record
}

// Requeue publishes what was read again from quarantined input. Its last
// message makes the store let go of the input, so that an end in between loses
// nothing; records that are bad again come back into quarantine. Doing it
// again is harmless. Like Publish it may wait for earlier acks only.
func (p *Publisher) Requeue(ctx context.Context, q Requeue) error {
	messages, err := p.c.requeueMessages(q)
	if err != nil {
		return err
	}
	for i, m := range messages {
		m.Header.Set(jetstream.MsgIDHeader, fmt.Sprintf("%s%s-%d-%d-%s", requeuePrefix, q.ID, q.Turn, i, requeueSum(m.Data)))
		if i == len(messages)-1 {
			m.Header.Set(headerReplaces, q.ID)
		}
		if err := p.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// requeueMessages packs the events into arrays; bad records follow, each a message.
func (c *Client) requeueMessages(q Requeue) ([]*nats.Msg, error) {
	var messages, bad []*nats.Msg
	var open *nats.Msg
	events := 0
	for i := range q.Records {
		r := &q.Records[i]
		if r.Err != nil {
			bad = append(bad, c.badMessage(q.Source, r))
			continue
		}
		text := r.Event.AppendJSON(nil)
		if open == nil || events == ingest.MaxArray || len(open.Data)+len(text) > requeueBytes {
			open, events = nats.NewMsg(EventSubject(r.Event.Agent)), 0
			open.Data = []byte("[]")
			messages = append(messages, open)
		}
		open.Data = open.Data[:len(open.Data)-1] // its closing bracket
		if events++; events > 1 {
			open.Data = append(open.Data, ',')
		}
		open.Data = append(append(open.Data, text...), ']')
	}
	if len(messages)+len(bad) == 0 {
		return nil, errors.New("the text holds no event: correct it with --edit, or drop it")
	}
	return append(messages, bad...), nil
}
