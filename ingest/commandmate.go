package ingest

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"
)

// commandMate reads what CommandMate captures of its agents' terminals: the
// fault of the model's API that is on the screen, polled every few seconds. One
// fault stays for many polls, and is one event; null ends it, which says nothing
// of how.
var commandMate = Format{
	Name:     commandMateName,
	About:    "JSON Lines of CommandMate's captures: upstreamFault of each poll",
	Coverage: Coverage{Final: true},
	Read:     readCommandMate,
}

// commandMateName names the format, and the agent of its events.
const commandMateName = "commandmate"

func readCommandMate(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		screens := commandMateScreens{}
		for raw, err := range documents(r, o) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			if record, ok := screens.poll(raw, o); ok && !yield(record, nil) {
				return
			}
		}
	}
}

// commandMateScreens holds the faults that are on each session's screen now.
type commandMateScreens map[string]map[string]bool

// The members of a capture that name its session.
var screenNames = []string{"sessionName", "sessionId", "session", "worktreeId", "worktree", "instanceId"}

// poll takes a capture, and returns a record when a fault is new on its screen.
func (c commandMateScreens) poll(raw rawDocument, o Options) (Record, bool) {
	d, err := parseDocument(raw.data)
	if raw.cut || err != nil {
		return raw.bad(err, o), true
	}
	if inner := d.object("data"); inner != nil { // of an API's answer
		d = inner
	}
	session := d.text(screenNames...)
	fault, told := d.fault()
	if !told {
		return raw.bad(errors.New("not a capture of CommandMate: it has no upstreamFault, an object or null"), o), true
	}
	if fault == nil {
		delete(c, session)
		return Record{}, false
	}
	e, err := faultEvent(fault, d, session, o)
	if err != nil {
		return raw.bad(err, o), true
	}
	shown := cmp.Or(e.Code, e.Message)
	if c[session][shown] {
		return Record{}, false
	}
	if c[session] == nil {
		c[session] = map[string]bool{}
	}
	c[session][shown] = true
	return raw.record(e, o), true
}

// fault returns the fault of a capture, nil when there is none on the screen.
func (d document) fault() (fault document, told bool) {
	value, told := d["upstreamFault"]
	if value == nil {
		return nil, told
	}
	fault = d.object("upstreamFault")
	return fault, fault != nil
}

// faultEvent makes an event of a fault. Its id is a kind of fault, which comes
// again another day; one with a digit is that of the fault itself.
func faultEvent(fault, d document, session string, o Options) (Event, error) {
	e := Event{
		Agent: commandMateName, Source: commandMateName, Session: session, Operation: "send_prompt",
		Component: d.text("cliToolId", "cliTool", "tool"), Code: fault.text("id"),
		Message: shorten(PlainText(fault.text("matchedText", "message", "text"))),
	}
	if e.Code == "" && e.Message == "" {
		return e, errors.New("upstreamFault: it has neither id nor matchedText")
	}
	var err error
	if fault.text("at", "timestamp", "time") != "" {
		e.Time, err = fault.time(o.location(), "at", "timestamp", "time")
	} else {
		e.Time, err = d.time(o.location(), append([]string{"at", "capturedAt"}, timeNames...)...)
	}
	seen := e.Time.Format(time.RFC3339Nano)
	if strings.ContainsAny(e.Code, "0123456789") {
		seen = ""
	}
	e.ID = contentName("f-", session, e.Code, seen)
	if m := faultAttempt.FindStringSubmatch(e.Message); m != nil {
		if n := number(m[1]); n.V > 0 {
			e.Attempt, e.MaxRetries = n, number(m[2])
		}
	}
	return e, err
}

// faultAttempt finds the attempt that an agent shows while it waits:
// "Retrying in 34s · attempt 9/10".
var faultAttempt = regexp.MustCompile(`attempt (\d+)/(\d+)`)
