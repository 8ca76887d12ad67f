package main

import (
	"encoding/json"
	"time"

	"hansei/analyze"
	"hansei/classify"
	"hansei/ingest"
	"hansei/ingest/stream"
)

// A sessionSignal tells a session what to do about its failure.
type sessionSignal struct {
	ID        string            `json:"id"` // of the event
	Agent     string            `json:"agent"`
	Session   string            `json:"session"`
	Operation string            `json:"operation,omitempty"`
	Incident  string            `json:"incident,omitempty"`
	Taxonomy  classify.Taxonomy `json:"taxonomy"`
	Category  classify.Category `json:"category"`
	Retryable bool              `json:"retryable"`
	Action    string            `json:"action"` // retry, feed_back, stop or ask
}

// actions say in one word what taxonomy.Advice says to people.
var actions = map[classify.Taxonomy]string{
	classify.Execution:       "feed_back",
	classify.Transient:       "retry",
	classify.Fatal:           "stop",
	classify.UnknownTaxonomy: "ask",
}

// live is how old an event may be to be announced: a session that failed
// longer ago has gone on, and an old file that is imported must not stop it.
const live = 10 * time.Minute

// announce tells whoever listens what was stored. It is no part of keeping: a
// listener that is away misses it, and one may be told twice of an event that
// was published twice.
func (p *pipeline) announce(b *analyze.Batch, now time.Time) {
	for row := range b.Rows() {
		if now.Sub(row.Time()) > live || row.Text("category") == "" {
			continue
		}
		if err := p.announceOne(row); err != nil {
			p.log.Warn("announce", "agent", row.Text("agent"), "err", err)
			return
		}
	}
}

func (p *pipeline) announceOne(row analyze.PackedRow) error {
	tag, agent, session := row.Tag(), row.Text("agent"), row.Text("session")
	if subject := stream.TaggedSubject(string(tag.Taxonomy), string(tag.Category), agent); p.client.Heard(subject) {
		event := row.AppendEvent(nil)
		if err := p.client.Emit(subject, append(appendTags(event[:len(event)-1], tag, true), '}')); err != nil {
			return err
		}
	}
	if session == "" {
		return nil
	}
	subject := stream.SignalSubject(agent, session)
	if !p.client.Heard(subject) {
		return nil
	}
	text, err := json.Marshal(sessionSignal{row.Text("id"), agent, session, row.Text("operation"), row.Text("incident"), tag.Taxonomy, tag.Category, tag.Retryable, actions[tag.Taxonomy]})
	if err != nil {
		return err
	}
	return p.client.Emit(subject, text)
}

// appendTagged appends an event with its tags as one JSON object.
func appendTagged(dst []byte, e *ingest.Event, tag classify.Tag) []byte {
	text := *e
	text.Resolution = ""
	dst = text.AppendJSON(dst)
	return append(appendTags(dst[:len(dst)-1], tag, len(dst) > 2), '}')
}

// appendTags appends the members that a tag adds to an object, after a comma
// where more says so.
func appendTags(dst []byte, tag classify.Tag, more bool) []byte {
	if more {
		dst = append(dst, ',')
	}
	text, err := json.Marshal(struct {
		Taxonomy    classify.Taxonomy   `json:"taxonomy"`
		Category    classify.Category   `json:"category"`
		Retryable   bool                `json:"retryable"`
		Rule        string              `json:"rule"`
		Resolution  classify.Resolution `json:"resolution"`
		Fingerprint string              `json:"fingerprint"`
	}{tag.Taxonomy, tag.Category, tag.Retryable, tag.Rule, tag.Resolution, tag.Fingerprint})
	if err != nil {
		panic(err) // strings and a boolean always marshal
	}
	return append(dst, text[1:len(text)-1]...)
}
