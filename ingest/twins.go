package ingest

import (
	"cmp"
	"slices"
	"time"
)

// Twins finds the failures of requests to an API that an agent tells of on more
// than one way: in its log, to a hook and in its session file. Often no id is
// in all of them, as for a connection that failed, so that they are known by
// session, operation, attempt, status and time. On one way each failure is told
// once, so one that was told on another way stands for at most one of it:
// distinct failures are never taken for the same. Its zero value is ready to
// use; it is not safe for concurrent use.
type Twins struct {
	incidents map[string]string // that of a reader, to the one that was told before
	owners    map[string]string // that was told before and way, to the one of a reader
	used      map[string]string // failure that was told before and way, to the id of its twin
}

// toldBy is the attribute that names the way on which a request was told.
const toldBy = "told_by"

// The ways, as that attribute has them.
const (
	wayLog  = "log"
	wayHook = "hook"
	wayLine = "line"
)

// sameMoment is how far apart in time the ways tell of one failure: each is
// told at once, a hook after its program was started.
const sameMoment = 5 * time.Second

// toldOperations are those that agents tell of on several ways, by format.
var toldOperations = map[string][]string{
	claudeCodeName: {"api_request"}, codexName: {"api_stream"}, geminiName: {"api_request"},
}

// tell notes the way on which an event came, when there are others.
func (e *Event) tell(way string) {
	if slices.Contains(toldOperations[e.Source], e.Operation) && e.Session != "" && e.Attrs[toldBy] == "" && len(e.Attrs) < MaxAttrs {
		e.addAttr(toldBy, way)
	}
}

// Told reports whether the same failure may have been told on another way too,
// so that e is to be joined before it is sent.
func (e *Event) Told() bool { return e.Attrs[toldBy] != "" }

// Join gives events, which one reader made of one input in its order, the
// incidents and ids under which the same is known. Known are those stored of
// the same sessions, and what was joined before.
func (t *Twins) Join(events []*Event, known []Event) {
	if t.incidents == nil || len(t.used) > 4*maxChains {
		t.incidents, t.owners, t.used = map[string]string{}, map[string]string{}, map[string]string{}
	}
	byID, bySession := make(map[string]*Event, len(known)), map[string][]*Event{}
	for i := range known {
		k := &known[i]
		byID[k.ID], bySession[k.Session] = k, append(bySession[k.Session], k)
	}
	for _, e := range events {
		if k := byID[e.ID]; k != nil {
			t.take(e, k)
		}
	}
	for _, e := range events {
		if e.Kind != Failure || byID[e.ID] != nil {
			continue
		}
		if k := t.twin(e, bySession[e.Session]); k != nil {
			t.take(e, k)
			if k.Attempt.Known || !e.Attempt.Known {
				e.ID = k.ID // it is there already, and knows as much
			}
		}
	}
	for _, e := range events {
		if other := t.incidents[e.incident()]; other != "" && other != e.incident() {
			e.Incident = other
		}
	}
}

// incident is the event's own when it is of no other.
func (e *Event) incident() string { return cmp.Or(e.Incident, e.ID) }

// take notes that e is what k told before.
func (t *Twins) take(e, k *Event) {
	way := "\n" + e.Attrs[toldBy]
	t.used[k.ID+way] = e.ID
	if t.incidents[e.incident()] == "" {
		t.incidents[e.incident()] = k.incident()
		t.owners[k.incident()+way] = e.incident()
	}
}

// twin returns the failure that e tells of a second time; of several the one
// with the same attempt, then the nearest.
func (t *Twins) twin(e *Event, known []*Event) *Event {
	var best *Event
	far := time.Duration(0)
	way := "\n" + e.Attrs[toldBy]
	for _, k := range known {
		owner, twin, mine := t.owners[k.incident()+way], t.used[k.ID+way], t.incidents[e.incident()]
		if !e.sameFailure(k) || owner != "" && owner != e.incident() || twin != "" && twin != e.ID || mine != "" && mine != k.incident() {
			continue
		}
		apart := e.Time.Sub(k.Time).Abs()
		if e.Attempt != k.Attempt {
			apart += sameMoment
		}
		if best == nil || apart < far {
			best, far = k, apart
		}
	}
	return best
}

// sameFailure reports whether nothing speaks against k being what e tells of.
func (e *Event) sameFailure(k *Event) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	attempts := e.Attempt == k.Attempt || !e.Attempt.Known || !k.Attempt.Known ||
		e.Resolution == "abandoned" || k.Resolution == "abandoned" // ways count the last one differently
	return k.Kind == Failure && k.Attrs[toldBy] != "" && k.Attrs[toldBy] != e.Attrs[toldBy] &&
		e.Agent == k.Agent && e.Session == k.Session && e.Operation == k.Operation &&
		attempts && same(e.Status, k.Status) && e.Time.Sub(k.Time).Abs() <= sameMoment &&
		same(e.Attrs["request_id"], k.Attrs["request_id"]) && same(e.Attrs["prompt_id"], k.Attrs["prompt_id"])
}
