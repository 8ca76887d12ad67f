package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hansei/analyze"
)

// delays are waits in the terms of a system.
type delays struct {
	lines    []string // %s stands for the cell
	note     string   // what of the waits the system cannot do, and the range it takes
	all      bool     // one setting serves all cells
	retrying []string // whose cells it holds for; none: all
}

// listedDelays are waits one by one.
func listedDelays(waits []float64) delays {
	return delays{
		lines: []string{"- delays (%s): " + inSeconds(waits)},
		note:  "published default 5s, 15s, 30s, range 0 s or more; way back: the line that stands there, by default - delays: 5s, 15s, 30s",
	}
}

// growingDelays are a first wait and the factor that leads from it to the last:
// Temporal's default doubles.
func growingDelays(waits []float64) delays {
	factor := 1.0
	if n := len(waits); n > 1 && waits[0] > 0 {
		factor = max(1, math.Round(10*math.Pow(waits[n-1]/waits[0], 1/float64(n-1)))/10)
	}
	return delays{
		lines: []string{"initial_interval: " + inSeconds(waits[:1]), "backoff_coefficient: " + digits(factor)},
		note:  "published defaults 1s and 2, ranges above 0 s and 1 or more; way back: the lines that stand there, by default initial_interval: 1s and backoff_coefficient: 2",
		all:   true,
	}
}

// doublingDelays are a base that doubles up to 30 s: the smallest whose waits
// come to as much as those wanted, or else the largest.
func doublingDelays(waits []float64) delays {
	const most = 30
	wanted := 0.0
	for _, w := range waits {
		wanted += w
	}
	doubled := make([]float64, len(waits))
	base := 0.0
	for sum := -1.0; sum < wanted && base < most; {
		base, sum = math.Round(10*base+1)/10, 0
		for i := range doubled {
			doubled[i] = min(most, base*math.Pow(2, float64(i)))
			sum += doubled[i]
		}
	}
	return delays{
		lines:    []string{"DEFAULT_RETRY_BASE_DELAY = " + digits(base)},
		note:     fmt.Sprintf("it doubles up to %d s, so the waits come to %s in place of %s; published default 1 s, range 0 to %d s; way back: the line that stands there, by default DEFAULT_RETRY_BASE_DELAY = 1", most, inSeconds(doubled), inSeconds(waits), most),
		all:      true,
		retrying: transient,
	}
}

// emitDelays writes the waits of the cells that want other ones, no more of them
// than retries are left.
func (e *Emitter) emitDelays(b *strings.Builder, of []analyze.Suggestion, said map[string]bool) {
	if e.delays == nil {
		return
	}
	written := false
	of, kept := delaysFirst(of)
	for _, s := range of {
		if s.Knob != "delays" || !s.Changes() {
			continue
		}
		waits := s.Values[:min(len(s.Values), retriesLeft(of, &s))]
		if len(waits) == 0 {
			continue
		}
		d := e.delays(waits)
		if d.all && written || len(d.retrying) > 0 && !slices.Contains(d.retrying, s.Scope.Category) {
			continue // one for all: the longest, which gives up the least
		}
		written = true
		said[s.ID] = true
		if at := slices.IndexFunc(kept, func(k analyze.Suggestion) bool {
			return len(d.retrying) == 0 || slices.Contains(d.retrying, k.Scope.Category)
		}); d.all && at >= 0 {
			e.note(b, "unchanged by %s, since this one setting holds for %s too, whose waits stay", s.ID, cellWords(&kept[at]))
			continue
		}
		name := strings.Trim(s.Scope.Operation+" "+s.Scope.Category, " ")
		now := ""
		if s.Current != nil {
			now = fmt.Sprintf("the last retry comes after %d s now, ", *s.Current)
		}
		e.note(b, "%s, %s: %s%s", s.ID, name, now, d.note)
		for _, line := range d.lines {
			fmt.Fprintln(b, strings.ReplaceAll(line, "%s", name))
		}
	}
}

// delaysFirst puts the waits that end latest first, and returns those that stay.
func delaysFirst(of []analyze.Suggestion) (sorted, kept []analyze.Suggestion) {
	end := func(s *analyze.Suggestion) int64 {
		if s.Knob != "delays" || !s.Changes() {
			return 0
		}
		return *s.Suggested
	}
	sorted = slices.Clone(of)
	slices.SortStableFunc(sorted, func(a, b analyze.Suggestion) int { return cmp.Compare(end(&b), end(&a)) })
	for _, s := range of {
		if s.Knob == "delays" && s.Verdict == analyze.Keep && s.Current != nil {
			kept = append(kept, s)
		}
	}
	return sorted, kept
}

// retriesLeft is how many retries the cell of s has under what is suggested.
func retriesLeft(of []analyze.Suggestion, s *analyze.Suggestion) int {
	for _, other := range of {
		if other.Knob == "max_retries" && other.Scope == s.Scope && other.Suggested != nil {
			return int(*other.Suggested)
		}
	}
	return len(s.Values)
}

// inSeconds lists waits as 20s, 45s.
func inSeconds(waits []float64) string {
	parts := make([]string, len(waits))
	for i, w := range waits {
		parts[i] = digits(w) + "s"
	}
	return strings.Join(parts, ", ")
}

// digits is a number in the fewest digits.
func digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
