package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/ingest"
)

// A Reach is what the stream of events holds now.
type Reach struct {
	First, Last uint64    // sequences
	From, To    time.Time // when the first and the last message arrived
	Messages    uint64
	Bytes       uint64
}

// Reach returns what the stream of events holds now.
func (c *Client) Reach(ctx context.Context) (Reach, error) {
	s, _, err := c.tip(ctx)
	if err != nil {
		return Reach{}, err
	}
	state := s.CachedInfo().State
	return Reach{state.FirstSeq, state.LastSeq, state.FirstTime.UTC(), state.LastTime.UTC(), state.Msgs, state.Bytes}, nil
}

// A State is what tells whether a store can have missed something of the stream.
type State struct {
	Tip     ingest.Position // its identity and its last sequence
	First   uint64          // sequence; behind the last one where it holds no message
	From    time.Time       // when that message arrived; zero where there is none
	Damaged uint64          // bytes that its server could not read; 0: none
	Held    uint64          // the last message that stood in the damaged files; 0: nobody knows
	Aside   string          // folder with what was damaged; empty: none
	// Ended are the streams that our server closed before, each at its end; the one
	// that is open until that was told, see [Client.Told].
	Ended []ingest.Position
	Ours  []time.Time // of our server's stream: when all that it had were made; nil: it is another's
}

// State returns the state of the stream of events.
func (c *Client) State(ctx context.Context) (State, error) {
	info, err := streamInfo(ctx, c.nc)
	if err != nil {
		return State{}, err
	}
	s := State{
		Tip:   ingest.Position{Stream: Events, Created: info.Created.UTC().Truncate(time.Microsecond), Sequence: info.State.LastSeq},
		First: info.State.FirstSeq, From: info.State.FirstTime.UTC(), Damaged: info.lost(),
	}
	if info.State.Msgs == 0 {
		s.First, s.From = info.State.LastSeq+1, time.Time{}
	}
	ours, ended := had(c.asked.Dir)
	s.Ended = ended
	if c.server != nil {
		s.Ours = ours
		d := c.server.damaged()
		s.Damaged, s.Held, s.Aside = max(s.Damaged, d.Lost), d.Held, d.Aside
	}
	return s, nil
}

// A serverInfo is what a NATS server says of a stream.
type serverInfo struct {
	Created time.Time              `json:"created"`
	State   natsserver.StreamState `json:"state"`
	Error   *jetstream.APIError    `json:"error"`
}

// lost is how many bytes the server could not read.
func (i *serverInfo) lost() uint64 {
	if i.State.Lost == nil {
		return 0
	}
	return max(i.State.Lost.Bytes, 1)
}

// streamInfo asks in NATS's own words, since the client leaves out what the
// server could not read. That it tells only with the deleted messages, of which
// the stream has few: its caps take the oldest.
func streamInfo(ctx context.Context, nc *nats.Conn) (*serverInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, ackWait)
	defer cancel()
	info := new(serverInfo)
	answer, err := nc.RequestWithContext(ctx, jetstream.DefaultAPIPrefix+"STREAM.INFO."+Events, []byte(`{"deleted_details":true}`))
	if err == nil {
		err = json.Unmarshal(answer.Data, info)
	}
	if err == nil && info.Error != nil {
		err = info.Error
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", Events, err)
	}
	return info, nil
}
