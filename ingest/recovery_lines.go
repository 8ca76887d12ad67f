package ingest

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// recoveryLines are the lines that the recovery agent writes, each with what it
// means for the run. The first that matches is taken.
var recoveryLines = []struct {
	pattern *regexp.Regexp
	take    func(*recoveryLog, *logLine, []string)
}{
	{regexp.MustCompile(`^(?:Agent stopped with|Message \d+:) ([A-Z_]+)(?: at ([\d,]+) messages?)?(?:, ([\d,]+) tokens)? \(retry (\d+)/(\d+)\)`), takeStop},
	{regexp.MustCompile(`^Message \d+: [A-Z_]+ \(([\d,]+) tokens\)`), takeTokens},
	{regexp.MustCompile(`^Agent stopped with STOP\b`), takeEnd},
	{regexp.MustCompile(`^Agent stopped with`), takeBroken},
	{regexp.MustCompile(`(?i)^Compressed from (\d+) to (\d+) messages?(,? retrying)?`), takeCompressed},
	{regexp.MustCompile(`^(?:Attempting recovery: |→ ?)(compress|圧縮)()(.*retry|.*リトライ)`), takeCompressed},
	{regexp.MustCompile(`^(Rate limit exceeded: .+)`), takeFailure},
	{regexp.MustCompile(`^(Agent execution failed: .+)`), takeFailure},
	{regexp.MustCompile(`^Waiting ([\d.]+) seconds before retry \(attempt (\d+)/(\d+)\)`), takeWait},
	{regexp.MustCompile(`^Retrying\.\.\. \(attempt (\d+)/(\d+)\)`), takeRetrying},
	{regexp.MustCompile(`^(?:Cannot retry \(|Max retries .*exceeded)`), takeGivenUp},
	{regexp.MustCompile(`^Agent terminated abnormally \(([A-Z_]+)\)(?: at (\d+) messages?)?(?:, ([\d,]+) tokens)?`), takeTerminated},
	{regexp.MustCompile(`(?i)partial_success["']?\s*[:=]\s*true`), takePartial},
	{regexp.MustCompile(`^Partial success: ([\d,]+) `), takePartial},
	{regexp.MustCompile(`^(?:保存済み(?:機能)?|saved(?: functions| count)?|saved_functions_count)["']?\s*[:：=]\s*([\d,]+)`), takeSaved},
	{regexp.MustCompile(`(?:正常終了|最終チェック完了|^Final output length: [1-9]|(?i:\bsuccess["']?\s*[:=]\s*true)|(?i:\b(?:run|agent) (?:finished|completed) successfully))`), takeSuccess},
}

// takeStop takes the end of a run or rerun by its finish reason. STOP is how a
// model ends that is done.
func takeStop(g *recoveryLog, l *logLine, m []string) {
	reason, retry, limit := m[1], number(m[4]), number(m[5])
	tokens := number(m[3])
	if !tokens.Known {
		tokens = g.tokens
	}
	g.tokens = Opt[int64]{}
	if reason == "STOP" {
		g.stopped(l, retry.V > 0)
		return
	}
	again := g.run != nil && g.run.reason == reason && g.run.attempts == retry.V+1 && !g.run.rerun
	if again { // the same stop, told twice
		return
	}
	if retry.V == 0 && (g.run == nil || g.run.attempts > 0) {
		g.close()
	}
	g.fail(l, reason, l.said, retry.V+1, limit, tokens)
}

// takeEnd takes a normal end that does not say which run it is of: that of the
// rerun, when the history was compressed for one.
func takeEnd(g *recoveryLog, l *logLine, _ []string) {
	g.stopped(l, g.run != nil && g.run.compressed && g.run.ended == "")
}

// stopped takes a normal end: of a rerun, or of a run that never failed.
func (g *recoveryLog) stopped(l *logLine, rerun bool) {
	if !rerun {
		g.close()
	} else if g.run != nil {
		g.run.rerun = true
		takeSuccess(g, l, nil)
	}
}

// fail adds a failed attempt to the run, or opens one.
func (g *recoveryLog) fail(l *logLine, code, message string, attempt int64, limit, tokens Opt[int64]) {
	if g.run == nil || g.run.ended != "" {
		g.close()
		g.run = &recoveryRun{incident: "run-" + strings.TrimPrefix(l.id(g.o, recoveryAgent, "run"), "l-")}
	}
	run := g.run
	run.attempts, run.reason, run.rerun, run.last, run.seen = max(attempt, run.attempts+1), code, false, *l, l.time
	if limit.Known {
		run.max = limit
	}
	e := g.event(run, Failure)
	e.Attempt, e.WaitMS = Some(run.attempts), run.wait
	e.Code, e.Message, e.Tokens = code, shorten(message), tokens
	run.wait = Opt[int64]{}
	g.emit(e, l)
}

func takeTokens(g *recoveryLog, _ *logLine, m []string) { g.tokens = number(m[1]) }

func takeBroken(g *recoveryLog, l *logLine, _ []string) {
	g.out = append(g.out, l.bad(errors.New("not understood; such a line reads: Agent stopped with REASON at 20 messages (retry 0/2)"), g.o))
}

// takeCompressed takes the compression that comes before a rerun. One without
// a rerun is for a later turn.
func takeCompressed(g *recoveryLog, _ *logLine, m []string) {
	if g.run != nil && m[3] != "" {
		g.run.compressed, g.run.rerun = true, true
	}
}

// takeFailure takes a failure of the call itself. Once retries have run out,
// the caller tells the last one again.
func takeFailure(g *recoveryLog, l *logLine, m []string) {
	run := g.run
	again := strings.HasPrefix(m[1], "Agent execution failed")
	if again && run != nil && (run.ended == End || run.max.Known && run.attempts > run.max.V && !run.rerun) {
		run.ended, run.last = End, *l
		return
	}
	attempt := int64(1)
	if run != nil && run.ended == "" {
		attempt = run.attempts + 1
	}
	g.fail(l, "", m[1], attempt, Opt[int64]{}, Opt[int64]{})
}

func takeWait(g *recoveryLog, _ *logLine, m []string) {
	if g.run == nil {
		return
	}
	if seconds, err := strconv.ParseFloat(m[1], 64); err == nil && seconds < maxWait {
		g.run.wait = Some(int64(seconds * 1000))
	}
	g.run.max, g.run.rerun = number(m[3]), true
}

// maxWait bounds a wait in seconds, so that it stays exact in milliseconds: a
// year, which nothing waits.
const maxWait = 366 * 24 * 3600

func takeRetrying(g *recoveryLog, _ *logLine, m []string) {
	if g.run != nil {
		g.run.max, g.run.rerun = number(m[2]), true
	}
}

func takeGivenUp(g *recoveryLog, l *logLine, _ []string) {
	if g.run != nil {
		g.run.ended, g.run.last = End, *l
	}
}

// takeTerminated takes the verdict on a run. One that ended with STOP and
// without output has failed, though no line before said so.
func takeTerminated(g *recoveryLog, l *logLine, m []string) {
	if run := g.run; run == nil || run.ended == Success || run.reason != m[1] {
		attempt := int64(1)
		if run != nil && run.ended == Success {
			attempt, run.ended = run.attempts+1, ""
		}
		g.fail(l, m[1], l.said, attempt, Opt[int64]{}, number(m[3]))
	}
	g.run.ended, g.run.last = End, *l
}

func takePartial(g *recoveryLog, l *logLine, m []string) {
	if g.run == nil { // the result of a run whose log is not here
		g.fail(l, resultReason(l.said), l.said, 1, Opt[int64]{}, fieldNumber(l.said, "input_tokens"))
	}
	g.run.partial, g.run.ended, g.run.last = true, End, *l
	if len(m) > 1 {
		g.run.saved = number(m[1])
	} else if saved := fieldNumber(l.said, "saved_functions_count"); saved.Known {
		g.run.saved = saved
	}
}

func takeSaved(g *recoveryLog, _ *logLine, m []string) {
	if g.run != nil {
		g.run.saved = number(m[1])
	}
}

// takeSuccess ends the run well, unless it was given up before.
func takeSuccess(g *recoveryLog, l *logLine, _ []string) {
	if g.run != nil && g.run.ended == "" && g.run.rerun {
		g.run.ended, g.run.last = Success, *l
	}
}

// resultReason finds the finish reason in the result of a run.
func resultReason(said string) string {
	if m := terminationReason.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

var terminationReason = regexp.MustCompile(`(?:termination_reason["']?\s*[:=]\s*["']?|terminated abnormally: )([A-Z_]+)`)

// fieldNumber finds the number behind a name, as Python and JSON print it.
func fieldNumber(said, name string) Opt[int64] {
	if m := regexp.MustCompile(name + `["']?\s*[:=]\s*([\d,]+)`).FindStringSubmatch(said); m != nil {
		return number(m[1])
	}
	return Opt[int64]{}
}

// number reads a whole number with or without commas; nothing for no number.
func number(text string) Opt[int64] {
	if n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64); err == nil && n >= 0 && n < MaxInteger {
		return Some(n)
	}
	return Opt[int64]{}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
