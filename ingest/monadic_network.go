package ingest

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// The lines of Monadic's network retries. Attempts count from 1; after the
// last, one more has failed.
var (
	networkRetry     = regexp.MustCompile(`^Network error \(attempt (\d+)/(\d+)\): (.*?)\.? Retrying in ([\d.]+) ?s`)
	networkExhausted = regexp.MustCompile(`^Network error after (\d+) retries: (.*)`)
)

// readNetwork takes a line of the network retries. The log does not name the
// call, so that a line continues the chain whose next attempt it is.
func (g *monadicLog) readNetwork(l logLine) {
	if l.err != nil {
		g.out = append(g.out, l.bad(l.err, g.o))
		return
	}
	if m := networkRetry.FindStringSubmatch(l.said); m != nil {
		attempt, limit := number(m[1]), number(m[2])
		if attempt.V > 0 && limit.Known {
			g.networkFailure(&l, attempt.V, limit, m[3])
			if seconds, err := strconv.ParseFloat(m[4], 64); err == nil && seconds < maxWait {
				g.network.due = Some(int64(seconds*1000 + 0.5))
			}
			return
		}
	}
	if m := networkExhausted.FindStringSubmatch(l.said); m != nil {
		if limit := number(m[1]); limit.Known {
			g.networkFailure(&l, limit.V+1, limit, m[2])
			end := Event{Kind: End, Incident: g.network.incident, MaxRetries: limit, Resolution: "abandoned"}
			g.emit(end, &l, "end")
			g.network = monadicChain{}
			return
		}
	}
	g.out = append(g.out, l.bad(errors.New("not understood; such a line reads: Network error (attempt 2/5): Net::ReadTimeout - why. Retrying in 2.31s"), g.o))
}

// networkFailure adds a failed attempt.
func (g *monadicLog) networkFailure(l *logLine, attempt int64, limit Opt[int64], message string) {
	chain := &g.network
	if chain.incident == "" || attempt != chain.attempts+1 || limit != chain.max || l.time.Sub(chain.last) > turnGap {
		*chain = monadicChain{incident: "call-" + strings.TrimPrefix(l.id(g.o, monadicName, "chain"), "l-"), max: limit}
	}
	e := Event{Incident: chain.incident, Attempt: Some(attempt), MaxRetries: limit, WaitMS: chain.due, Message: shorten(message)}
	chain.attempts, chain.due, chain.last = attempt, Opt[int64]{}, l.time
	g.emit(e, l, "")
}
