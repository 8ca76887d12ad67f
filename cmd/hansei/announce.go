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
func (p *pipeline) announce(rows []analyze.Row, now time.Time) {
	for i := range rows {
		e, tag := &rows[i].Event, &rows[i].Tag
		if tag.Category == "" || now.Sub(e.Time) > live {
			continue
		}
		subject := stream.TaggedSubject(string(tag.Taxonomy), string(tag.Category), e.Agent)
		if err := p.client.Emit(subject, appendTagged(nil, e, *tag)); err != nil {
			p.log.Warn("announce", "subject", subject, "err", err)
			return
		}
		if e.Session == "" {
			continue
		}
		text, err := json.Marshal(sessionSignal{e.ID, e.Agent, e.Session, e.Operation, e.Incident, tag.Taxonomy, tag.Category, tag.Retryable, actions[tag.Taxonomy]})
		if err == nil {
			err = p.client.Emit(stream.SignalSubject(e.Agent, e.Session), text)
		}
		if err != nil {
			p.log.Warn("signal", "agent", e.Agent, "session", e.Session, "err", err)
			return
		}
	}
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
