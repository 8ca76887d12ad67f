package deliver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"hansei/ingest/stream"
)

// A State is how far a delivery is.
type State string

// The states.
const (
	Claimed State = "claimed" // a replica is at it
	Waiting State = "waiting" // it failed, and is tried again at Next
	Sent    State = "sent"
	Failed  State = "failed" // for good: until someone asks for it
)

// States are all states.
var States = []State{Claimed, Waiting, Sent, Failed}

// A Record is what became of delivering the edition of one period to one
// addressee. It is what the log of deliveries shows.
type Record struct {
	Kind   Kind      `json:"kind"`
	Period string    `json:"period"` // its name
	Way    string    `json:"way"`    // name of the deliverer
	To     string    `json:"to"`     // without secrets
	State  State     `json:"state"`
	By     string    `json:"by"`    // the replica that claimed it last
	At     time.Time `json:"at"`    // of the state
	Next   time.Time `json:"next"`  // when it is tried again; zero: it is not
	Copy   int       `json:"copy"`  // from 1; more when someone asked for it again
	Count  int       `json:"count"` // tries of this copy
	Tries  []Try     `json:"tries"` // the last ones of all copies, by time
}

// A Try is one attempt to deliver.
type Try struct {
	At    time.Time `json:"at"` // of its end
	By    string    `json:"by"`
	Copy  int       `json:"copy"`
	Error string    `json:"error"` // empty: it was delivered
}

// Error is what the last try said, empty where it went well.
func (r *Record) Error() string {
	if len(r.Tries) == 0 {
		return ""
	}
	return r.Tries[len(r.Tries)-1].Error
}

// recent is how long a failure is a problem that someone should look at: until
// the next month's report has come.
const recent = 40 * 24 * time.Hour

// Troubles reports whether r failed for good, not long before now.
func (r *Record) Troubles(now time.Time) bool {
	return r.State == Failed && now.Sub(r.At) < recent
}

// Records returns the log of deliveries, the newest first.
func Records(ctx context.Context, register *stream.Register) ([]Record, error) {
	entries, err := register.Entries(ctx)
	if err != nil {
		return nil, err
	}
	records := make([]Record, 0, len(entries))
	for _, e := range entries {
		r, err := parseRecord(e)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b Record) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Period, b.Period), cmp.Compare(a.Way, b.Way), cmp.Compare(a.To, b.To))
	})
	return records, nil
}

func parseRecord(e stream.Entry) (r Record, err error) {
	if err := json.Unmarshal(e.Value, &r); err != nil {
		return r, fmt.Errorf("record %s of the deliveries: %w", e.Key, err)
	}
	return r, nil
}

// text is the record as the register keeps it.
func (r *Record) text() []byte {
	text, err := json.Marshal(r)
	must(err)
	return text
}
