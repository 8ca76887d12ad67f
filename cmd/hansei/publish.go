package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// maxTold is for how many bad records a command says why; quarantine keeps them all.
const maxTold = 20

// publishCmd sends events to the stream and returns when all are acked.
type publishCmd struct {
	Files []string `arg:"" optional:"" help:"JSON Lines files, plain or gzip; - or none is stdin." placeholder:"FILE"`
}

// Run publishes; the exit code is 0 only when every event was acked.
func (c *publishCmd) Run(a *app) error {
	client, done, err := a.openClient()
	if err != nil {
		return err
	}
	defer done()
	format, err := ingest.FormatNamed(ingest.Native)
	if err != nil {
		return err
	}
	sent, err := a.newSender(client, total(c.Files)).files(format, ingest.Options{}, c.Files)
	fmt.Fprintf(a.err, "%d of %d events acked", sent.acked(), sent.events)
	if sent.bad > 0 {
		fmt.Fprintf(a.err, ", and %s", piecesOfBadInput(sent.bad))
	}
	if sent.receipt.Duplicates > 0 {
		fmt.Fprintf(a.err, ", %d of all these were there already", sent.receipt.Duplicates)
	}
	fmt.Fprintln(a.err)
	return errors.Join(err, sent.badError())
}

// openClient connects to the stream: that of the running serve, an existing
// server, or one started for this command in the data folder.
func (a *app) openClient() (*stream.Client, func(), error) {
	o := a.streamOptions(pipelineOptions{log: a.log})
	if !a.embedded() {
		client, err := stream.Open(a.ctx, o)
		if err != nil {
			return nil, nil, err
		}
		return client, client.Close, nil
	}
	folder, err := lockFolder(a.ctx, a.Data)
	var busy *busyError
	switch {
	case errors.As(err, &busy) && busy.server.NATS == "":
		return nil, nil, errStarting
	case errors.As(err, &busy):
		o.URL = busy.server.NATS
	case err != nil:
		return nil, nil, err
	}
	client, err := stream.Open(a.ctx, o)
	if err != nil {
		if folder != nil {
			err = errors.Join(err, folder.Close())
		}
		return nil, nil, err
	}
	return client, func() {
		client.Close()
		if folder != nil {
			folder.Close()
		}
	}, nil
}

// A sending is what became of the records of some files.
type sending struct {
	events  int       // good records read
	bad     int       // bad records read, which went to quarantine
	unread  int       // files that could not be read, or not to their end
	newest  time.Time // of the good records
	receipt stream.Receipt
}

func (s *sending) acked() int { return max(0, s.receipt.Acked-s.bad) }

// badError says that some records were no events or some files could not be
// read, when there were any.
func (s *sending) badError() error {
	unread := unreadFiles(s.unread)
	if s.bad == 0 {
		return unread
	}
	return errors.Join(unread, fmt.Errorf("%d of %d records are bad input, see above; they are in quarantine (hansei quarantine list), the others were taken", s.bad, s.bad+s.events))
}

// A sender publishes the records of files.
type sender struct {
	*app
	sending
	publisher *stream.Publisher
	bar       *progressbar.ProgressBar
	joiner    *joiner // nil: events are sent as they come
	clashes   clashes
}

func (a *app) newSender(client *stream.Client, size int64) *sender {
	return &sender{app: a, publisher: client.NewPublisher(), bar: a.progress(size)}
}

// files publishes the records of all files, and waits for their acks.
func (s *sender) files(format *ingest.Format, o ingest.Options, files []string) (sending, error) {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files {
		before := s.sending
		err := s.file(name, format, o)
		if err = s.tellUnread(err, len(files) > 1, &s.unread); err != nil {
			return s.flush(err)
		}
		if s.events == before.events && s.unread == before.unread {
			s.tellNothing(name, format, s.bad > before.bad)
		}
	}
	return s.flush(nil)
}

// textOf returns the text of a file called name, but Parquet as it is.
func textOf(format *ingest.Format, name string, file io.Reader) (io.Reader, error) {
	if format.Name == parquet {
		return file, nil
	}
	text, err := ingest.Unpack(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// tellNothing says that a file held no event of its format, and what it may be;
// bad records were told one by one.
func (s *sender) tellNothing(name string, format *ingest.Format, bad bool) {
	said := fmt.Sprintf("nothing in it that %s tells of failures", format.Name)
	if format.Name == ingest.Native {
		said = "no event in it"
	}
	guess := ingest.Guess(name)
	switch {
	case guess != nil && guess != format:
		said += fmt.Sprintf("; it looks like %[1]s: try --format %[1]s", guess.Name)
	case bad:
		return
	}
	if name == "-" {
		name = "stdin"
	}
	fmt.Fprintf(s.err, "%s: %s\n", name, said)
}

// flush sends what is held back, and waits for the acks of what was sent before err.
func (s *sender) flush(err error) (sending, error) {
	if s.ctx.Err() == nil {
		err = errors.Join(err, s.release())
	}
	receipt, flushed := s.publisher.Flush(s.flushContext(err))
	s.receipt = receipt
	_ = s.bar.Exit() // a bar that cannot be drawn is no error
	s.clashes.tell(s.err)
	return s.sending, errors.Join(err, flushed)
}

// flushContext lets what was sent be acked even when the command is interrupted.
func (a *app) flushContext(err error) context.Context {
	if err == nil {
		return a.ctx
	}
	return context.WithoutCancel(a.ctx)
}

// file publishes the records of one file; o says what is special about it.
func (s *sender) file(name string, format *ingest.Format, o ingest.Options) error {
	file, name, err := s.openInput(name)
	if err != nil {
		return &unreadError{err}
	}
	defer file.Close()
	if s.joiner != nil {
		s.joiner.begin()
	}
	counted := progressbar.NewReader(file, s.bar)
	text, err := textOf(format, name, &counted)
	if err != nil {
		return &unreadError{err}
	}
	healthy := 0
	o.Name, o.Location, o.Now, o.Modified, o.Healthy = name, s.location, time.Now(), modified(file), &healthy
	var near time.Time
	for r, err := range format.Read(text, o) {
		if err != nil {
			return &unreadError{err}
		}
		if r.Err != nil {
			s.tellBad(&r)
			r.Near = near
			err = s.publisher.PublishBad(s.ctx, format.Name, &r)
		} else {
			s.events++
			if format.Name == ingest.Native {
				s.clashes.look(&r.Event, r.Position, s.err)
			}
			near = r.Event.Time
			if r.Event.Time.After(s.newest) {
				s.newest = r.Event.Time
			}
			err = s.event(&r.Event)
		}
		if err != nil {
			return err
		}
	}
	s.tellHealthy(name, healthy)
	return nil
}

// tellBad counts a bad record and says what is wrong with it, of the first ones.
func (s *sender) tellBad(r *ingest.Record) {
	s.bad++
	switch {
	case s.bad < maxTold:
		fmt.Fprintf(s.err, "%s: %v\n", r.Position, r.Err)
	case s.bad == maxTold:
		fmt.Fprintf(s.err, "%s: %v; more bad records are counted without a line here\n", r.Position, r.Err)
	}
}

// tellHealthy says how many lines of a log were left out for their level.
func (a *app) tellHealthy(name string, lines int) {
	if lines > 0 {
		fmt.Fprintf(a.err, "%s: healthy lines left out (levels below WARN): %d\n", name, lines)
	}
}

// event publishes an event, or holds it back for the joiner.
func (s *sender) event(e *ingest.Event) error {
	if s.joiner == nil || !e.Told() {
		return s.publisher.Publish(s.ctx, e)
	}
	if s.joiner.hold(e) {
		return s.release()
	}
	return nil
}

// release publishes what the joiner holds.
func (s *sender) release() error {
	if s.joiner == nil {
		return nil
	}
	joined, err := s.joiner.release(s.ctx)
	for _, e := range joined {
		if err == nil {
			err = s.publisher.Publish(s.ctx, e)
		}
	}
	return err
}

// openInput opens a file, or stdin for "-".
func (a *app) openInput(name string) (io.ReadCloser, string, error) {
	if name == "-" {
		return io.NopCloser(&interruptible{a.ctx, a.in}), "stdin", nil
	}
	f, err := os.Open(name)
	return f, name, err
}

// modified returns when a file was last changed; now for what is no file.
func modified(file io.Reader) time.Time {
	if f, ok := file.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.ModTime()
		}
	}
	return time.Now()
}

// An interruptible reader gives up when the program is to end, though a read of
// a terminal or pipe cannot be broken off: that read is left behind.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read reads, or returns the context's error.
func (i *interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	buf := make([]byte, len(p)) // the read that is left behind must not write to p
	done := make(chan result, 1)
	go func() {
		n, err := i.r.Read(buf)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// total is the size of files; -1 when stdin is one of them.
func total(files []string) int64 {
	size := int64(0)
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return -1
		}
		size += info.Size()
	}
	return size
}

// progress returns a bar over bytes, drawn on a terminal only; size -1 is unknown.
func (a *app) progress(size int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(a.err),
		progressbar.OptionSetVisibility(terminal(a.err)),
		progressbar.OptionSetDescription("publishing"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
	)
}
