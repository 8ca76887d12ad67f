package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"hansei/classify"
	"hansei/ingest"
)

// classifyCmd adds tags to records without a store. Without a format they are
// JSON Lines of events.
type classifyCmd struct {
	sourceFlags
	Text  bool     `help:"Each line is a message."`
	Files []string `arg:"" optional:"" help:"Files; - or none is stdin." placeholder:"FILE"`
}

// Run writes the records in order. Bad ones, and files that cannot be read, are
// told on stderr, and make the exit code 1 at the end.
func (c *classifyCmd) Run(a *app) error {
	format, o, err := c.format()
	if err != nil {
		return err
	}
	o.Location = a.location
	classifier, err := newClassifier(a.Rules)
	if err != nil {
		return err
	}
	t := &tagger{app: a, classifier: classifier, out: bufio.NewWriterSize(a.out, 64<<10)}
	each := t.events(format, o)
	switch {
	case c.Text:
		each = t.lines(textEvent)
	case o.Map != nil:
		each = t.lines(func(line []byte) ([]byte, error) { return o.Map.Apply(line, a.location) })
	case format.Name == ingest.Native:
		each = t.lines(func(line []byte) ([]byte, error) { return line, nil })
	}
	if len(c.Files) == 0 {
		c.Files = []string{"-"}
	}
	unread := 0
	for _, name := range c.Files {
		err := a.tellUnread(t.file(name, format, each), len(c.Files) > 1, &unread)
		if err != nil {
			return errors.Join(err, t.out.Flush())
		}
	}
	if err := t.out.Flush(); err != nil {
		return err
	}
	a.tellMissing(o.Map)
	err = unreadFiles(unread)
	if t.bad > 0 {
		err = errors.Join(err, fmt.Errorf("%d records do not parse, see above; the others were classified", t.bad))
	}
	return err
}

// A tagger writes records with their tags.
type tagger struct {
	*app
	classifier *classify.Classifier
	out        *bufio.Writer
	buf        []byte
	bad        int
}

// file classifies what each reads of a file.
func (t *tagger) file(name string, format *ingest.Format, each func(io.Reader, string) error) error {
	file, name, err := t.openInput(name)
	if err != nil {
		return &unreadError{err}
	}
	defer file.Close()
	text, err := textOf(format, name, file)
	if err != nil {
		return &unreadError{err}
	}
	return each(text, name)
}

func (t *tagger) reject(position string, err error) {
	t.bad++
	fmt.Fprintf(t.err, "%s: %v\n", position, err)
}

// events classifies the records of a source.
func (t *tagger) events(format *ingest.Format, o ingest.Options) func(io.Reader, string) error {
	return func(r io.Reader, name string) error {
		healthy := 0
		defer func() { t.tellHealthy(name, healthy) }()
		o.Name, o.Modified, o.Healthy = name, modified(r), &healthy // without Now: the time of what is only classified is not bounded
		for record, err := range format.Read(r, o) {
			if err != nil {
				return &unreadError{err}
			}
			if record.Err != nil {
				t.reject(record.Position, record.Err)
				continue
			}
			t.buf = appendTagged(t.buf[:0], &record.Event, t.classifier.Tag(&record.Event))
			if _, err := t.out.Write(append(t.buf, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
}

// textEvent makes a line of text an object.
func textEvent(line []byte) ([]byte, error) {
	return append(ingest.AppendQuote([]byte(`{"message":`), string(line)), '}'), nil
}

// lines classifies the JSON objects that it makes of lines, of which only
// message is needed: every member is kept as it stands, but for those that are
// the tags.
func (t *tagger) lines(object func(line []byte) ([]byte, error)) func(io.Reader, string) error {
	return func(r io.Reader, name string) error {
		in := ingest.Lines(r)
		for in.Next() {
			line, err := object(in.Bytes())
			if err == nil {
				err = t.line(line)
			}
			if err != nil {
				t.reject(fmt.Sprintf("%s:%d", name, in.Line()), err)
				continue
			}
			if _, err := t.out.Write(t.buf); err != nil {
				return err
			}
		}
		if err := in.Err(); err != nil {
			return &unreadError{fmt.Errorf("%s: %w", name, err)}
		}
		return nil
	}
}

// tagMembers are the members that classify writes itself.
var tagMembers = map[string]bool{
	"taxonomy": true, "category": true, "retryable": true, "rule": true, "resolution": true, "fingerprint": true,
}

// line puts the classified object into t.buf.
func (t *tagger) line(line []byte) error {
	var e ingest.Event
	t.buf = append(t.buf[:0], '{')
	more := false
	var wrong error
	err := members(line, func(name string, quoted, value []byte) {
		wrong = errors.Join(wrong, e.Set(name, value))
		if tagMembers[name] {
			return
		}
		if more {
			t.buf = append(t.buf, ',')
		}
		t.buf = append(append(append(t.buf, quoted...), ':'), value...)
		more = true
	})
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	if e.Kind == "" {
		e.Kind = ingest.Failure
	}
	t.buf = append(appendTags(t.buf, t.classifier.Tag(&e), more), '}', '\n')
	return nil
}

// members calls f for each member of a JSON object, with its value as it stands.
func members(line []byte, f func(name string, quoted, value []byte)) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() != '{' {
		return errors.New("not a JSON object; with --text each line is a message")
	}
	if _, err := dec.ReadToken(); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	for dec.PeekKind() != '}' {
		value, err := dec.ReadValue()
		if err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		quoted := bytes.Clone(value) // the decoder uses its buffer again
		var name string
		if err := json.Unmarshal(quoted, &name); err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		if value, err = dec.ReadValue(); err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		f(name, quoted, value)
	}
	if _, err := dec.ReadToken(); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("not JSON: more follows after the object; put one on a line")
	}
	return nil
}
