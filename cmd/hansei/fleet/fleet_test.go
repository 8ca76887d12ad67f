package fleet

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"hansei/ingest"
)

// quarter is the fleet as the demo makes it.
var quarter = Options{Seed: 1, From: time.Date(2025, time.October, 1, 0, 0, 0, 0, time.UTC), Months: 3}

// quarterEvents are its events, made once for all tests, which only read them.
var quarterEvents = sync.OnceValue(func() []ingest.Event { return Events(quarter) })

func digest(events []ingest.Event) string {
	h := sha256.New()
	var line []byte
	for i := range events {
		line = append(events[i].AppendJSON(line[:0]), '\n')
		h.Write(line)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestEventsRepeat(t *testing.T) {
	want := digest(quarterEvents())
	if got := digest(Events(quarter)); got != want {
		t.Errorf("the same options gave %s, then %s", want, got)
	}
	midMonth := quarter
	midMonth.From = quarter.From.AddDate(0, 0, 17).Add(5 * time.Hour)
	if digest(Events(midMonth)) != want {
		t.Error("day and time of From count, only its month should")
	}
	other := quarter
	other.Seed++
	if digest(Events(other)) == want {
		t.Error("another seed gave the same events")
	}
	if n := len(Events(Options{})); n != 0 {
		t.Errorf("no months gave %d events", n)
	}
}

func TestEventsValid(t *testing.T) {
	events := quarterEvents()
	if len(events) < 30000 || len(events) > 60000 {
		t.Errorf("%d events in a quarter, want 30,000 to 60,000", len(events))
	}
	until := quarter.From.AddDate(0, quarter.Months, 0)
	ids := make(map[string]bool, len(events))
	for i := range events {
		e := &events[i]
		if ids[e.ID] {
			t.Fatalf("id %s twice", e.ID)
		}
		ids[e.ID] = true
		if i > 0 && e.Time.Before(events[i-1].Time) {
			t.Fatalf("%s is earlier than the event before it", e.ID)
		}
		if e.Time.Before(quarter.From) || !e.Time.Before(until) {
			t.Errorf("%s: time %v is not in the quarter", e.ID, e.Time)
		}
		if e.Kind == ingest.Failure && e.Message == "" {
			t.Errorf("%s: a failure without message", e.ID)
		}
		if strings.Contains(e.Message+e.Detail, "{{") || !utf8.ValidString(e.Message+e.Detail) {
			t.Errorf("%s: text %q is not filled in", e.ID, e.Message)
		}
		if e.Provider == "" != (e.Model == "") {
			t.Errorf("%s: provider %q with model %q", e.ID, e.Provider, e.Model)
		}
	}
}

// TestEventsDecode holds every event against the contract's own reader.
func TestEventsDecode(t *testing.T) {
	events := quarterEvents()
	for chunk := range slices.Chunk(events, ingest.MaxArray) {
		data := []byte{'['}
		for i := range chunk {
			if i > 0 {
				data = append(data, ',')
			}
			data = chunk[i].AppendJSON(data)
		}
		records := ingest.Decode(ingest.Message{Data: append(data, ']')})
		if len(records) != len(chunk) {
			t.Fatalf("%d records of %d events", len(records), len(chunk))
		}
		for i, r := range records {
			if r.Err != nil {
				t.Fatalf("%s: %v", chunk[i].ID, r.Err)
			}
			if got, want := string(r.Event.AppendJSON(nil)), string(chunk[i].AppendJSON(nil)); got != want {
				t.Fatalf("read back as\n%s\nwant\n%s", got, want)
			}
		}
	}
}

func byIncident(events []ingest.Event) map[string][]ingest.Event {
	incidents := make(map[string][]ingest.Event)
	for _, e := range events {
		if e.Incident != "" {
			incidents[e.Incident] = append(incidents[e.Incident], e)
		}
	}
	return incidents
}

func TestIncidents(t *testing.T) {
	for id, chain := range byIncident(quarterEvents()) {
		attempt := int64(0)
		for i, e := range chain {
			if i > 0 && !e.Time.After(chain[i-1].Time) {
				t.Errorf("%s: %s is not after the event before it", id, e.ID)
			}
			if i < len(chain)-1 && e.Kind != ingest.Failure {
				t.Errorf("%s: %s is an outcome, but not the last event", id, e.ID)
			}
			if !e.Attempt.Known {
				if e.Kind == ingest.Failure {
					t.Errorf("%s: a failure of an incident without attempt", e.ID)
				}
				continue
			}
			if attempt++; e.Attempt.V != attempt {
				t.Errorf("%s: attempt %d, want %d", e.ID, e.Attempt.V, attempt)
			}
			if e.Attempt.V > e.MaxRetries.V+1 {
				t.Errorf("%s: attempt %d with a cap of %d retries", e.ID, e.Attempt.V, e.MaxRetries.V)
			}
			if i > 0 {
				gap := e.Time.Sub(chain[i-1].Time).Milliseconds()
				if gap != e.WaitMS.V+e.DurationMS.V {
					t.Errorf("%s: %d ms after the attempt before it, waited %d and took %d", e.ID, gap, e.WaitMS.V, e.DurationMS.V)
				}
			}
		}
	}
}

func TestTables(t *testing.T) {
	categories := []string{
		rateLimit, network, serverError, timeout, auth, quota, permission, missingFile, fileIO,
		missingDependency, font, plot, validation, malformedOutput, contextLength, contentFilter,
		qualityGate, codeError, resource, crash, loopLimit, cancelled, unknown,
	}
	seen, messages, keys, roles := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[Role]bool{}
	for _, a := range agents {
		google := slices.ContainsFunc(a.models, func(m model) bool { return m.provider == "google" })
		for _, c := range a.cells {
			key := strings.Join([]string{a.name, c.Operation, c.Category}, " × ")
			if keys[key] {
				t.Errorf("%s stands in two cells", key)
			}
			keys[key], seen[c.Category], roles[c.Role] = true, true, true
			if !slices.Contains(categories, c.Category) {
				t.Errorf("%s: unknown category", key)
			}
			if !c.Log && len(c.Hazards) < c.MaxRetries {
				t.Errorf("%s: %d hazards for %d retries", key, len(c.Hazards), c.MaxRetries)
			}
			if c.Outage && (!google || c.tokens == 0) {
				t.Errorf("%s: hit by the outage of a provider that it does not call", key)
			}
			for _, m := range a.models {
				if !slices.ContainsFunc(c.texts, func(x text) bool {
					return x.of == "" || c.tokens > 0 && x.of == m.provider
				}) {
					t.Errorf("%s: no words for provider %s", key, m.provider)
				}
			}
			for _, x := range c.texts {
				messages[x.msg] = true
			}
		}
	}
	for _, c := range categories {
		if !seen[c] {
			t.Errorf("no cell has category %s", c)
		}
	}
	for _, role := range []Role{Wasteful, TooFew, Thin, Good} {
		if !roles[role] {
			t.Errorf("no cell has role %q", role)
		}
	}
	if len(messages) < 150 { // so that a top list of messages is worth reading
		t.Errorf("%d ways to word an error, want at least 150", len(messages))
	}
	t.Logf("%d cells, %d texts", len(keys), len(messages))
}
