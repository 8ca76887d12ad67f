package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// answerTold tells what is stored of requests to APIs that agents tell of on
// several ways.
func answerTold(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	var sessions []string
	if err := json.Unmarshal([]byte(values.Get("sessions")), &sessions); err != nil {
		return usageError{fmt.Errorf("sessions: %v", err)}
	}
	var ends [2]time.Time
	for i, name := range []string{"from", "to"} {
		t, err := time.Parse(time.RFC3339Nano, values.Get(name))
		if err != nil {
			return usageError{fmt.Errorf("%s: %v", name, err)}
		}
		ends[i] = t
	}
	if err := p.catchUp(ctx); err != nil { // what was acked a moment ago counts too
		return err
	}
	rows, err := queries.Told(ctx, p.store.Reader(), sessions, ends[0], ends[1])
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(rows)
}

// toldEvents makes events of what is stored of them.
func toldEvents(rows []queries.ToldEvent) []ingest.Event {
	events := make([]ingest.Event, len(rows))
	for i, row := range rows {
		events[i] = ingest.Event{
			ID: row.ID, Incident: row.Incident, Time: row.Time, Kind: ingest.Kind(row.Kind), Agent: row.Agent, Session: row.Session,
			Operation: row.Operation, Source: row.Source, Status: row.Status, Resolution: row.Resolution,
			Attrs: map[string]string{"told_by": row.ToldBy, "request_id": row.RequestID, "prompt_id": row.Prompt, "query_source": row.Part},
		}
		if row.Attempt.Valid {
			events[i].Attempt = ingest.Some(row.Attempt.V)
		}
	}
	return events
}

// A joiner holds back what an agent may have told on another way too, until
// what is stored of it is known. It asks once for many files, since the answer
// waits until everything that was sent is stored.
type joiner struct {
	b      backend
	twins  ingest.Twins
	files  [][]*ingest.Event // held, of each file
	held   int
	recent []ingest.Event // of the files before, which may not be stored yet
}

// Bounds of a joiner's memory: a session of a day has some hundred failures of
// requests, and files of one session stand together.
const (
	maxHeld   = 4096
	maxRecent = 16384
)

// begin says that what follows is of another file.
func (j *joiner) begin() { j.files = append(j.files, nil) }

// hold keeps e, and reports whether it is time to release.
func (j *joiner) hold(e *ingest.Event) (full bool) {
	held := *e
	last := len(j.files) - 1
	j.files[last] = append(j.files[last], &held)
	j.held++
	return j.held >= maxHeld
}

// release joins what is held, and returns it to be published.
func (j *joiner) release(ctx context.Context) ([]*ingest.Event, error) {
	all := slices.Concat(j.files...)
	files := j.files
	j.files, j.held = [][]*ingest.Event{nil}, 0
	if len(all) == 0 {
		return nil, nil
	}
	rows, err := j.told(ctx, all)
	if err != nil {
		return nil, fmt.Errorf("ask what was told of these sessions before: %w", err)
	}
	stored := toldEvents(rows)
	for _, held := range files {
		j.twins.Join(held, slices.Concat(stored, j.recent))
		if len(j.recent)+len(held) > maxRecent {
			j.recent = nil
		}
		for _, e := range held {
			j.recent = append(j.recent, *e)
		}
	}
	return all, nil
}

// told asks what is stored of the sessions of events.
func (j *joiner) told(ctx context.Context, events []*ingest.Event) (rows []queries.ToldEvent, err error) {
	sessions, from, to := ingest.Around(events)
	list, err := json.Marshal(sessions)
	if err != nil {
		return nil, err
	}
	var answer bytes.Buffer
	values := url.Values{"sessions": {string(list)}, "from": {from.Format(time.RFC3339Nano)}, "to": {to.Format(time.RFC3339Nano)}}
	if err := j.b.get(ctx, "told", values, &answer); err != nil {
		return nil, err
	}
	return rows, json.Unmarshal(answer.Bytes(), &rows)
}
