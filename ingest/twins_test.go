package ingest

import (
	"strings"
	"testing"
	"time"
)

// A failure told on several ways is one; distinct failures stay distinct.
func TestTwins(t *testing.T) {
	at := time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC)
	event := func(id, incident, way string, attempt int64, seconds float64, more ...string) Event {
		e := Event{
			ID: id, Incident: incident, Kind: Failure, Agent: claudeCodeName, Source: claudeCodeName, Session: "s", Operation: "api_request",
			Time: at.Add(time.Duration(seconds * float64(time.Second))), Attempt: Opt[int64]{attempt, attempt > 0}, Attrs: map[string]string{toldBy: way},
		}
		for _, attr := range more {
			name, value, _ := strings.Cut(attr, "=")
			switch name {
			case "status":
				e.Status = value
			case "session":
				e.Session = value
			case "resolution":
				e.Resolution = value
			default:
				e.Attrs[name] = value
			}
		}
		return e
	}
	for _, test := range []struct {
		name          string
		known, events []Event
		want          string // id:incident of each event
	}{
		{"attempts of a session, of which a log told the last", []Event{event("L3", "L3", wayLog, 3, 2)},
			[]Event{event("a", "a", wayLine, 1, 0), event("b", "a", wayLine, 2, 1), event("c", "a", wayLine, 3, 2.01, "resolution=abandoned")}, "a:L3 b:L3 L3:L3"},
		{"the ways count the last one differently", []Event{event("L2", "L2", wayLog, 2, 2)},
			[]Event{event("a", "a", wayLine, 1, -9), event("c", "a", wayLine, 3, 2, "resolution=abandoned")}, "a:L2 L2:L2"},
		{"a hook knows less", []Event{event("H", "H", wayHook, 0, 2)},
			[]Event{event("a", "a", wayLine, 1, 0), event("b", "a", wayLine, 2, 2)}, "a:H b:H"},
		{"one of two at once was told", []Event{event("L", "L", wayLog, 1, 0)},
			[]Event{event("a", "a", wayLine, 1, 0), event("b", "b", wayLine, 1, 0.5)}, "L:L b:b"},
		{"two at once, both told", []Event{event("L", "L", wayLog, 1, 0), event("M", "M", wayLog, 1, 0.5)},
			[]Event{event("a", "a", wayLine, 1, 0), event("b", "b", wayLine, 1, 0.5)}, "L:L M:M"},
		{"the same way", []Event{event("L", "L", wayLine, 1, 0)}, []Event{event("a", "a", wayLine, 1, 0)}, "a:a"},
		{"another time", []Event{event("L", "L", wayLog, 1, 0)}, []Event{event("a", "a", wayLine, 1, 6)}, "a:a"},
		{"another attempt", []Event{event("L", "L", wayLog, 1, 0)}, []Event{event("a", "a", wayLine, 2, 0)}, "a:a"},
		{"another status", []Event{event("L", "L", wayLog, 1, 0, "status=529")}, []Event{event("a", "a", wayLine, 1, 0, "status=500")}, "a:a"},
		{"another session", []Event{event("L", "L", wayLog, 1, 0, "session=r")}, []Event{event("a", "a", wayLine, 1, 0)}, "a:a"},
		{"another request", []Event{event("L", "L", wayLog, 1, 0, "request_id=r1")}, []Event{event("a", "a", wayLine, 1, 0, "request_id=r2")}, "a:a"},
		{"another prompt", []Event{event("L", "L", wayLog, 1, 0, "prompt_id=p")}, []Event{event("a", "a", wayHook, 1, 0, "prompt_id=q")}, "a:a"},
		{"stored before, in the incident of the log", []Event{event("a", "L2", wayLine, 1, 0), event("L2", "L2", wayLog, 2, 1)},
			[]Event{event("a", "a", wayLine, 1, 0), event("b", "a", wayLine, 2, 1)}, "a:L2 L2:L2"},
	} {
		var twins Twins
		for range 2 { // sent again, it is the same
			got := []string{}
			var held []*Event
			for _, e := range test.events {
				held = append(held, &e)
			}
			twins.Join(held, test.known)
			for _, e := range held {
				got = append(got, e.ID+":"+e.incident())
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%s: got %s, want %s", test.name, text, test.want)
			}
		}
	}
}
