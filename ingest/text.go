package ingest

import (
	"cmp"
	"io"
	"iter"
)

// textLines reads plain lines, each of which tells of a failure. Its time is the one
// that the line starts with, else that of the file's last change.
var textLines = Format{
	Name:     textName,
	About:    "plain lines, each a failure; time from the start of the line, else the file's last change",
	Coverage: Coverage{Final: true},
	Read:     readTextLines,
}

// textName names the format, and the agent of its events when none is given.
const textName = "text"

func readTextLines(r io.Reader, o Options) iter.Seq2[Record, error] {
	undated := o.undated()
	return func(yield func(Record, error) bool) {
		for l, err := range logLines(r, o) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !l.stamped {
				l.time = undated // not that of the line before, which may be hours old
			}
			if !yield(l.textRecord(o), nil) {
				return
			}
		}
	}
}

func (l *logLine) textRecord(o Options) Record {
	if l.err != nil {
		return l.bad(l.err, o)
	}
	e := Event{Time: l.time, Source: textName, Agent: cmp.Or(o.Agent, textName), Message: shorten(cmp.Or(l.text, l.raw))}
	e.ID = l.id(o, e.Agent, "")
	if e.Time.IsZero() {
		return l.bad(errNoTime, o)
	}
	return o.record(e, []byte(l.raw), l.number)
}
