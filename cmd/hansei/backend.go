package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"hansei/ingest/stream"
)

// A backend answers what the commands ask: a pipeline of this process, or the
// serve that holds the data folder. Both answer through the same resources, so
// the same question gives the same bytes.
type backend interface {
	// get writes the answer of the resource called name.
	get(ctx context.Context, name string, values url.Values, w io.Writer) error
	// connect returns a connection to the stream, which Close closes.
	connect() (*stream.Client, error)
	Close() error
}

// openBackend opens the data folder, or reaches the serve that holds it.
func (a *app) openBackend() (backend, error) {
	if _, err := os.Stat(a.Data); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.err, "note: there was no data folder %s, so it is a new and empty one\n", a.Data)
	}
	f, err := lockFolder(a.ctx, a.Data)
	var busy *busyError
	if errors.As(err, &busy) {
		return &remote{app: a, server: busy.server}, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := a.openPipeline(f, pipelineOptions{log: a.log})
	if err != nil {
		return nil, err
	}
	return newLocal(a.ctx, p), nil
}

// openStored is openBackend for commands that only read: a folder that is not
// there is a mistake in its name, and none is made. Over a NATS server of its
// own a store is read from the stream.
func (a *app) openStored() (backend, error) {
	if a.embedded() && !holdsData(a.Data) {
		return nil, usageError{fmt.Errorf("no data in the folder %s: name the one that hansei serve or import wrote with --data; nothing was made", a.Data)}
	}
	return a.openBackend()
}

// receipt returns what became of the messages in ranges, once all are stored.
func receipt(ctx context.Context, b backend, ranges []stream.Range) (importLedger, error) {
	var ledger importLedger
	if len(ranges) == 0 {
		return ledger, nil // everything was in the stream before
	}
	text, err := json.Marshal(ranges)
	if err != nil {
		return ledger, err
	}
	var answer bytes.Buffer
	if err := b.get(ctx, "receipt", url.Values{"ranges": {string(text)}}, &answer); err != nil {
		return ledger, err
	}
	return ledger, json.Unmarshal(answer.Bytes(), &ledger)
}

// A local backend runs the pipeline for as long as a command takes.
type local struct {
	p    *pipeline
	stop context.CancelFunc
	done chan error
}

func newLocal(ctx context.Context, p *pipeline) *local {
	ctx, stop := context.WithCancel(ctx)
	l := &local{p: p, stop: stop, done: make(chan error, 1)}
	p.stopping = ctx
	go func() {
		err := p.Run(ctx)
		p.fail(err)
		l.done <- err
	}()
	return l
}

func (l *local) connect() (*stream.Client, error) { return l.p.client, nil }

// get answers after everything in the stream is stored.
func (l *local) get(ctx context.Context, name string, values url.Values, w io.Writer) error {
	if err := l.p.catchUp(ctx); err != nil {
		return err
	}
	r, err := resourceNamed(name)
	if err != nil {
		return err
	}
	return r.answerTo(ctx, l.p, values, w)
}

func (l *local) Close() error {
	l.stop()
	return errors.Join(<-l.done, l.p.Close())
}

// A remote backend asks a running serve.
type remote struct {
	*app
	server runningServer
	client *stream.Client // nil until it is asked for
}

func (r *remote) connect() (*stream.Client, error) {
	o := r.streamOptions(pipelineOptions{log: r.log})
	if r.embedded() {
		if r.server.NATS == "" {
			return nil, errStarting
		}
		o.URL = r.server.NATS
	}
	client, err := stream.Open(r.ctx, o)
	if err != nil {
		return nil, fmt.Errorf("hansei serve (pid %d) holds the data folder: %w", r.server.PID, err)
	}
	r.client = client
	return client, nil
}

func (r *remote) Close() error {
	if r.client != nil {
		r.client.Close()
	}
	return nil
}

// remoteTimeout bounds one question to a running serve: the longest is the
// receipt of a large import.
const remoteTimeout = 10 * time.Minute

func (r *remote) get(ctx context.Context, name string, values url.Values, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, remoteTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.server.HTTP+"/v1/"+name, strings.NewReader(values.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if r.Token != "" {
		request.Header.Set("Authorization", "Bearer "+r.Token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask the running hansei serve: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		_, err = io.Copy(w, response.Body)
		return err
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return err
	}
	err = errors.New(strings.TrimSpace(string(text)))
	if response.StatusCode == http.StatusBadRequest {
		return usageError{err}
	}
	return err
}
