package stream

import (
	"context"
	"fmt"
	"time"
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
	s, err := c.js.Stream(ctx, Events)
	if err != nil {
		return Reach{}, fmt.Errorf("stream %s: %w", Events, err)
	}
	state := s.CachedInfo().State
	return Reach{state.FirstSeq, state.LastSeq, state.FirstTime.UTC(), state.LastTime.UTC(), state.Msgs, state.Bytes}, nil
}
