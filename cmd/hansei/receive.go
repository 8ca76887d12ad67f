package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hansei/ingest"
	"hansei/ingest/otlp"
	"hansei/queries"
)

// Limits of what is received over HTTP.
const (
	maxReceived  = 32 << 20        // bytes of a body, and of what it unpacks to: a batch of an exporter has a few hundred KiB
	maxReceiving = 64              // requests at once; more are asked to come again
	ackPatience  = 5 * time.Second // for the stream's acks; an exporter gives up after 10 s
	comeAgain    = 5               // seconds, for a sender when the stream is slow
)

// A receiver takes what agents send over HTTP to the stream, and answers only
// once the stream has it on file.
type receiver struct {
	p       *pipeline
	agents  *ingest.Receiver
	request chan struct{} // a place for each request under way
}

func newReceiver(p *pipeline) *receiver {
	r := &receiver{p: p, request: make(chan struct{}, maxReceiving)}
	r.agents = ingest.NewReceiver(r.known)
	p.meters.agents.Store(r.agents)
	return r
}

// known asks the store what was told of sessions. Without an answer, what comes
// is stored all the same, and a failure may be counted twice.
func (r *receiver) known(sessions []string, from, to time.Time) []ingest.Event {
	ctx, cancel := context.WithTimeout(context.Background(), ackPatience)
	defer cancel()
	rows, err := queries.Told(ctx, r.p.store.Reader(), sessions, from, to)
	if err != nil {
		r.p.log.Warn("the store does not say what was told of a session before", "err", err)
	}
	return toldEvents(rows)
}

// register adds the endpoints.
func (r *receiver) register(mux *http.ServeMux) {
	mux.HandleFunc("POST /v1/logs", func(w http.ResponseWriter, q *http.Request) { r.otlp(w, q, otlp.Logs) })
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, q *http.Request) { r.otlp(w, q, otlp.Traces) })
	mux.HandleFunc("POST /hooks/claude-code", r.hook)
	mux.HandleFunc("POST /v1/events", r.events)
}

// A refusal is an answer other than success.
type refusal struct {
	status int
	err    error
}

func (e *refusal) Error() string { return e.err.Error() }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Errorf(format, args...)}
}

// body reads a request, unpacked.
func body(w http.ResponseWriter, q *http.Request) ([]byte, error) {
	var in io.Reader = http.MaxBytesReader(w, q.Body, maxReceived)
	switch encoding := q.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "not gzip: %v", err)
		}
		in = unpacked
	default:
		return nil, refuse(http.StatusUnsupportedMediaType, "Content-Encoding %s is not known; send gzip or none", encoding)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxReceived+1))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large) || len(data) > maxReceived:
		return nil, refuse(http.StatusRequestEntityTooLarge, "a body of more than %d bytes: send smaller batches", maxReceived)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "read the body: %v", err)
	}
	return data, nil
}

// mediaType is the type of a body without its parameters.
func mediaType(q *http.Request) string {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// otlp receives log records or spans as OTLP/HTTP does.
func (r *receiver) otlp(w http.ResponseWriter, q *http.Request, signal otlp.Signal) {
	kind := mediaType(q)
	inJSON := kind == "application/json"
	if !inJSON && kind != "application/x-protobuf" {
		http.Error(w, "send application/x-protobuf or application/json", http.StatusUnsupportedMediaType)
		return
	}
	bad, err := r.takeOTLP(w, q, signal, inJSON)
	w.Header().Set("Content-Type", kind)
	if err != nil {
		status := r.setStatus(w, err)
		answer := otlp.Status(err.Error())
		if inJSON {
			answer, _ = json.Marshal(map[string]string{"message": err.Error()}) // text always marshals
		}
		w.WriteHeader(status)
		r.write(w, answer)
		return
	}
	message := ""
	if bad != nil {
		message = bad[0] + "; they are in quarantine"
	}
	if inJSON {
		r.write(w, otlp.AnswerJSON(len(bad), message, signal))
		return
	}
	r.write(w, otlp.Answer(len(bad), message))
}

// takeOTLP returns what is wrong with the records that were rejected.
func (r *receiver) takeOTLP(w http.ResponseWriter, q *http.Request, signal otlp.Signal, inJSON bool) ([]string, error) {
	data, err := body(w, q)
	if err != nil {
		return nil, err
	}
	var records []otlp.Record
	if inJSON {
		records, err = otlp.JSON(data)
	} else {
		records, err = otlp.Protobuf(data, signal)
	}
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "%v", err)
	}
	now := time.Now()
	_, bad, err := r.keep(q.Context(), func() []ingest.Received { return r.agents.OTLP(records, now) })
	return bad, err
}

// hook receives a hook of Claude Code. An empty answer lets it go on.
func (r *receiver) hook(w http.ResponseWriter, q *http.Request) {
	data, err := body(w, q)
	var bad []string
	if err == nil {
		now := time.Now()
		_, bad, err = r.keep(q.Context(), func() []ingest.Received { return r.agents.Hook(data, now) })
	}
	if err == nil && bad != nil {
		err = refuse(http.StatusBadRequest, "%s; it is in quarantine", bad[0])
	}
	if err != nil {
		http.Error(w, err.Error(), r.setStatus(w, err))
	}
}

// events receives events of ours, one or a list, and CloudEvents.
func (r *receiver) events(w http.ResponseWriter, q *http.Request) {
	data, err := body(w, q)
	var acked int
	var bad []string
	if err == nil {
		acked, bad, err = r.keep(q.Context(), func() []ingest.Received { return r.decode(q, data) })
	}
	status := http.StatusOK
	if err == nil && acked == 0 && bad != nil {
		status = http.StatusBadRequest
	}
	if err != nil {
		http.Error(w, err.Error(), r.setStatus(w, err))
		return
	}
	answer, err := json.Marshal(struct {
		Acked       int      `json:"acked"`
		Quarantined int      `json:"quarantined"`
		Errors      []string `json:"errors,omitempty"`
	}{acked, len(bad), bad})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	r.write(w, append(answer, '\n'))
}

func (r *receiver) decode(q *http.Request, data []byte) []ingest.Received {
	now := time.Now()
	if strings.HasPrefix(mediaType(q), "application/cloudevents") {
		return r.agents.CloudEvents(data, now)
	}
	m := ingest.Message{Arrived: now, Data: data}
	records, source := []ingest.Record(nil), ingest.Native
	if q.Header.Get("ce-specversion") != "" {
		records, source = ingest.CloudEvent(m, func(name string) string { return q.Header.Get("ce-" + name) }), "cloudevents"
	} else {
		records = ingest.Decode(m)
	}
	all := make([]ingest.Received, len(records))
	for i, record := range records {
		all[i] = ingest.Received{Record: record, Source: source}
	}
	return all
}

// keep publishes what read returns and waits for the acks. It returns how many
// events were acked, and what is wrong with the others.
func (r *receiver) keep(ctx context.Context, read func() []ingest.Received) (acked int, bad []string, err error) {
	select {
	case r.request <- struct{}{}:
		defer func() { <-r.request }()
	default:
		return 0, nil, refuse(http.StatusTooManyRequests, "%d requests are under way: come again", maxReceiving)
	}
	ctx, cancel := context.WithTimeout(ctx, ackPatience)
	defer cancel()
	publisher := r.p.client.NewPublisher()
	for _, record := range read() {
		if record.Err != nil {
			bad = append(bad, record.Position+": "+record.Err.Error())
			err = publisher.PublishBad(ctx, record.Source, &record.Record)
		} else {
			acked++
			err = publisher.Publish(ctx, &record.Event)
		}
		if err != nil {
			break
		}
	}
	if _, flushed := publisher.Flush(ctx); err != nil || flushed != nil {
		err = errors.Join(err, flushed)
		r.p.log.Warn("received, but the stream did not take it in time", "err", err)
		return 0, nil, refuse(http.StatusServiceUnavailable, "the stream is slow: %v", err)
	}
	return acked, bad, nil
}

// setStatus returns the status of an error, and says when to come again.
func (r *receiver) setStatus(w http.ResponseWriter, err error) int {
	status := http.StatusInternalServerError
	var refused *refusal
	if errors.As(err, &refused) {
		status = refused.status
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(comeAgain))
	}
	return status
}

func (r *receiver) write(w http.ResponseWriter, answer []byte) {
	if _, err := w.Write(answer); err != nil {
		r.p.log.Debug("answer not taken", "err", err)
	}
}
