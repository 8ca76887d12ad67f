package dashboard

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
	"hansei/reports"
)

// incident is one incident with its attempts.
var incident = Page{Path: "/incident", Show: (*Dashboard).incident}

// maxEvents is how many events of one incident are shown.
const maxEvents = 200

type incidentPage struct {
	queries.Incident
	Steps      []step
	Cut        bool // there are more events
	Took       time.Duration
	Considered []classify.Considered // of the message that opened it
	Meaning    string
}

// A step is an event of an incident on its time line.
type step struct {
	queries.IncidentEvent
	After time.Duration // since the incident opened
	At    float64       // of 100
	Attrs []choice
}

func (d *Dashboard) incident(q *request) error {
	agent, name := q.Get("of"), q.Get("id")
	if agent == "" || name == "" {
		return &InputError{Err: fmt.Errorf("an incident needs of=AGENT and id=INCIDENT; the list of incidents has both")}
	}
	all := []queries.Span{{From: time.Unix(0, 0), To: d.Now().AddDate(1, 0, 0)}}
	if at := q.Get("at"); at != "" {
		opened, err := placeInTime(at)
		if err != nil {
			return &InputError{Err: fmt.Errorf("at %q is no time; leave it out", at)}
		}
		near := queries.Span{From: opened.AddDate(0, 0, -1), To: opened.Add(time.Microsecond)}
		all = append([]queries.Span{near}, all...) // an event that came late may have moved it out of there
	}
	if err := d.refreshed(q); err != nil {
		return err
	}
	q.AsOf, q.Behind = q.of.asOf, q.of.behind
	db := d.Store.Reader()
	var found queries.Incident
	var err error
	ok := false
	for i := 0; i < len(all) && !ok; i++ {
		if found, ok, err = queries.IncidentNamed(q.r.Context(), db, agent, name, all[i].From, all[i].To); err != nil {
			return fmt.Errorf("incident: %w", err)
		}
	}
	if !ok {
		return errNoPage
	}
	events, err := queries.IncidentEvents(q.r.Context(), db, found, maxEvents)
	if err != nil {
		return fmt.Errorf("events of the incident: %w", err)
	}
	page := incidentPage{Incident: found, Cut: found.Events > int64(len(events))}
	page.tell(events)
	page.explain(d.Classifier(), events)
	row := classify.Category(found.Category).Row()
	page.Meaning = q.say(text{EN: row.Meaning, JA: row.MeaningJA})
	q.Title, q.Data = q.say(text{EN: "Incident %s", JA: "インシデント %s"}, q.Clean(found.Incident)), page
	return d.show(q, "incident")
}

// tell puts the events on a time line.
func (p *incidentPage) tell(events []queries.IncidentEvent) {
	if len(events) == 0 {
		return
	}
	first, last := events[0].Time, events[len(events)-1].Time
	p.Took = last.Sub(first)
	for _, e := range events {
		s := step{IncidentEvent: e, After: e.Time.Sub(first)}
		if p.Took > 0 {
			s.At = 100 * float64(s.After) / float64(p.Took)
		}
		attrs := attrsOf(e.Attrs)
		for _, key := range slices.Sorted(maps.Keys(attrs)) {
			s.Attrs = append(s.Attrs, choice{key, attrs[key]})
		}
		p.Steps = append(p.Steps, s)
	}
}

// attrsOf reads stored attributes, which are an object of strings.
func attrsOf(stored string) map[string]string {
	var attrs map[string]string
	if json.Unmarshal([]byte(stored), &attrs) != nil {
		return nil // the store holds what the event's own type wrote
	}
	return attrs
}

// explain asks the rules now in force about the failure that opened it.
func (p *incidentPage) explain(c *classify.Classifier, events []queries.IncidentEvent) {
	for _, e := range events {
		if e.Kind == "failure" {
			p.Considered = c.Explain(&ingest.Event{Kind: ingest.Failure, Operation: e.Operation, Code: e.Code, Status: e.Status,
				Message: e.Message, Detail: e.Detail, Attrs: attrsOf(e.Attrs)})
			return
		}
	}
}

// An ending is how an incident ended, for the template "outcome".
type ending struct{ Kind, Name string }

var resolutionsJA = map[string]string{
	"retried": "リトライで解決", "fallback": "代替手段で解決", "degraded": "一部を欠いて続行", "compressed": "履歴圧縮で解決", "human": "人が解決",
	"skipped": "スキップ", "partial": "部分保存で終了", "abandoned": "断念", "stopped": "停止", "terminated": "プロセス終了", "open": "未完了",
}

// Outcome names a resolution.
func (q *request) Outcome(resolution string, resolved bool) ending {
	e := ending{"unresolved", resolution}
	switch {
	case resolution == "open":
		e.Kind = "open"
	case resolved:
		e.Kind = "resolved"
	}
	if ja := resolutionsJA[resolution]; q.Lang == reports.JA && ja != "" {
		e.Name = ja
	}
	return e
}
