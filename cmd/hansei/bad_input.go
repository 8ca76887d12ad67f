package main

import (
	"log/slog"
	"time"

	"hansei/analyze"
)

// badEvery is the least time between two lines of log about bad input: an agent
// whose every event is bad must not fill the log.
const badEvery = time.Minute

// A badLog tells of bad input, at most once in badEvery; what came in between
// is counted in the next line.
type badLog struct {
	log    *slog.Logger
	told   time.Time // of the last line
	events int       // not told yet
	first  analyze.Bad
}

// add counts bad input, and tells of it when it is time.
func (b *badLog) add(bad []analyze.Bad, now time.Time) {
	if b.events += len(bad); b.events == len(bad) && len(bad) > 0 {
		b.first = bad[0]
	}
	if now.Sub(b.told) >= badEvery {
		b.tell(now)
	}
}

// tell logs what was not told yet, with the first of it as an example.
func (b *badLog) tell(now time.Time) {
	if b.events == 0 {
		return
	}
	b.log.Warn("bad input was put into quarantine; hansei quarantine list shows all of it",
		"records", b.events, "subject", b.first.Subject, "source", b.first.Source, "reason", b.first.Record.Err)
	b.told, b.events, b.first = now, 0, analyze.Bad{}
}
