package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

// chosenInput is which bad input a command is about.
type chosenInput struct {
	IDs []string `arg:"" optional:"" name:"id" help:"Ids, as quarantine list prints them."`
	All bool     `help:"Everything in quarantine."`
}

func (c *chosenInput) values() (url.Values, error) {
	if c.All == (len(c.IDs) > 0) {
		return nil, usageError{errors.New("name ids as quarantine list prints them, or give --all")}
	}
	ids, err := json.Marshal(append([]string{}, c.IDs...))
	return url.Values{"ids": {string(ids)}, "all": {fmt.Sprint(c.All)}}, err
}

// chosenOf reads what values wrote.
func chosenOf(values url.Values) (queries.Chosen, error) {
	c := queries.Chosen{All: values.Get("all") == "true"}
	if text := values.Get("ids"); text != "" {
		if err := json.Unmarshal([]byte(text), &c.IDs); err != nil {
			return c, usageError{fmt.Errorf("ids: %v; want a JSON list of ids", err)}
		}
	}
	if c.All == (len(c.IDs) > 0) {
		return c, usageError{errors.New("give ids, or all=true")}
	}
	return c, nil
}

// missing says which of the ids that were named are not among found.
func missing(c queries.Chosen, found []string) error {
	gone := slices.DeleteFunc(slices.Clone(c.IDs), func(id string) bool { return slices.Contains(found, id) })
	if len(gone) == 0 {
		return nil
	}
	return fmt.Errorf("nothing in quarantine has the id %s; see hansei quarantine list", strings.Join(gone, ", "))
}

// quarantineRequeueCmd reads bad input again.
type quarantineRequeueCmd struct {
	chosenInput
	Edit string `help:"Read this corrected text instead, for one id; - is stdin." placeholder:"FILE"`
}

// A requeueResult counts what became of requeued input.
type requeueResult struct {
	Requeued int `json:"requeued"` // pieces of bad input
	Events   int `json:"events"`   // that were read from it
	Bad      int `json:"bad"`      // records that are still bad, and back in quarantine
}

// Help tells what becomes of the books.
func (c *quarantineRequeueCmd) Help() string {
	return "The text is read again as the format that it came in, and what it holds goes through the stream like any other event. In the same transaction the input leaves quarantine and the books, and what was made of it is booked: as stored, as deduplicated, or as quarantined when it is still bad. A corrected text without an event that can be read is refused, and the input stays. Doing it again is harmless."
}

// Run requeues, waits until the result is stored, and prints it.
func (c *quarantineRequeueCmd) Run(a *app) error {
	values, err := c.values()
	if err != nil {
		return err
	}
	values.Set("timezone", a.Timezone)
	if c.Edit != "" {
		if len(c.IDs) != 1 {
			return usageError{errors.New("--edit is the text of one piece of bad input: name its id alone")}
		}
		text, err := a.readInput(c.Edit)
		if err != nil {
			return fmt.Errorf("--edit: %w", err)
		}
		values.Set("edit", string(text))
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	var result requeueResult
	if err = b.get(a.ctx, "quarantine/requeue", values, &answer); err == nil {
		_, err = a.out.Write(answer.Bytes())
		err = errors.Join(err, json.Unmarshal(answer.Bytes(), &result))
	}
	if err == nil && result.Bad > 0 {
		err = fmt.Errorf("%d of %d records are still bad and back in quarantine: hansei quarantine list tells why; correct one with --edit, or drop it", result.Bad, result.Bad+result.Events)
	}
	return errors.Join(err, b.Close())
}

// maxEdit bounds a corrected text: what one message can hold.
const maxEdit = 8 << 20

// readInput reads a small file, or stdin for "-".
func (a *app) readInput(name string) ([]byte, error) {
	file, name, err := a.openInput(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxEdit+1))
	if err == nil && len(text) > maxEdit {
		err = fmt.Errorf("%s is over %d bytes", name, maxEdit)
	}
	return text, err
}

func answerRequeue(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	chosen, err := chosenOf(values)
	if err != nil {
		return err
	}
	loc, err := locationOf(values)
	if err != nil {
		return err
	}
	rows, err := queries.ToRequeue(ctx, p.store.Reader(), chosen)
	if err != nil {
		return err
	}
	found := make([]string, len(rows))
	for i := range rows {
		found[i] = rows[i].ID
	}
	if err := missing(chosen, found); err != nil {
		return err
	}
	again := requeuing{publisher: p.client.NewPublisher(), location: loc, edited: values.Has("edit") && len(rows) == 1}
	for _, row := range rows {
		if again.edited {
			row.Raw = values.Get("edit")
		}
		if err = again.publish(ctx, row); err != nil {
			break
		}
	}
	_, flushed := again.publisher.Flush(ctx)
	if err := errors.Join(err, flushed, p.catchUp(ctx)); err != nil {
		return fmt.Errorf("requeue: %w", err)
	}
	return json.NewEncoder(w).Encode(again.result)
}

// A requeuing publishes bad input again.
type requeuing struct {
	publisher *stream.Publisher
	location  *time.Location
	edited    bool // the text is not the one that was quarantined
	result    requeueResult
}

func (q *requeuing) publish(ctx context.Context, row queries.Requeued) error {
	records, err := readAgain(row, q.location)
	if err != nil {
		return fmt.Errorf("%s: %w", row.ID, err)
	}
	if q.edited {
		if err := hasEvent(records); err != nil {
			return usageError{fmt.Errorf("%s stays as it is: the corrected text holds no event that can be read: %w", row.ID, err)}
		}
	}
	err = q.publisher.Requeue(ctx, stream.Requeue{ID: row.ID, Turn: row.Position, Source: row.Source, Records: records})
	if err != nil {
		return fmt.Errorf("%s: %w", row.ID, err)
	}
	q.result.Requeued++
	for i := range records {
		if records[i].Err != nil {
			q.result.Bad++
		} else {
			q.result.Events++
		}
	}
	return nil
}

// hasEvent returns why none of the records can be read; nil when one can. A text
// that takes the place of another must be worth it.
func hasEvent(records []ingest.Record) error {
	if len(records) == 0 {
		return errors.New("it is empty")
	}
	for i := range records {
		if records[i].Err == nil {
			return nil
		}
	}
	return records[0].Err
}

// readAgain reads bad input as the format that it came in. What is bad again
// keeps the place and the hour that it had.
func readAgain(row queries.Requeued, loc *time.Location) ([]ingest.Record, error) {
	now := time.Now()
	var records []ingest.Record
	format, err := ingest.FormatNamed(row.Source)
	if err != nil || format.Name == ingest.Native {
		records = ingest.Decode(ingest.Message{Arrived: now, Data: []byte(row.Raw)})
	} else {
		o := ingest.Options{Name: row.Place, Location: loc, Now: now, Modified: row.Hour}
		for r, err := range format.Read(strings.NewReader(row.Raw), o) {
			if err != nil {
				return nil, err
			}
			records = append(records, r)
		}
	}
	for i := range records {
		if r := &records[i]; r.Err != nil {
			r.Near = row.Hour
			if len(records) == 1 {
				r.Position = row.Place
			}
		}
	}
	return records, nil
}

// quarantineDropCmd deletes bad input.
type quarantineDropCmd struct {
	chosenInput
}

// Run drops.
func (c *quarantineDropCmd) Run(a *app) error {
	values, err := c.values()
	if err != nil {
		return err
	}
	return a.ask("quarantine/drop", values, "")
}

func answerDrop(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	chosen, err := chosenOf(values)
	if err != nil {
		return err
	}
	dropped, err := p.store.Drop(ctx, chosen)
	if err != nil {
		return err
	}
	if err := missing(chosen, dropped); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(struct {
		Dropped int `json:"dropped"`
	}{len(dropped)})
}
