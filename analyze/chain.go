package analyze

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sort"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// A Cell is a group of incidents over which a policy holds.
type Cell struct {
	Scope  Scope
	Chains []Chain
	// Pool is what the cells around tell of each retry's hazard; shorter than
	// the retries that were made where nothing is known.
	Pool []Pooled
	// Durations are those of an operation's calls; only cells that span all
	// categories of an operation have them.
	Durations []Duration
	// Wrong counts, by knob, the predictions that did not come true. Each halves
	// what the cell's counts weigh, so that its bounds widen.
	Wrong map[string]int
}

// A Chain is one incident as the tuner sees it: what its retries cost, and
// whether the last of them resolved it.
type Chain struct {
	Opened  time.Time
	Retries int       // retries made, up to the one that resolved it
	Won     bool      // the last retry resolved it
	Lost    bool      // nothing resolved it: neither a retry, nor a person or fallback
	Blind   bool      // its source does not record retries that pass
	Outage  bool      // it opened while its category burst out across agents
	Cap     int       // max_retries in force; -1: unknown
	Cost    []Price   // of retry k at k-1; as long as Retries
	At      []float64 // seconds from opening to retry k at k-1; as long as Retries, or nil: times unknown
	Scores  []float64 // of attempt k at k-1, of a quality gate; as long as the attempts that told one in a row
	Bar     float64   // that the scores had to reach; 0: none
	After   float64   // seconds that the server asked to wait before the first retry; 0: it did not
}

// A Price is what one retry cost.
type Price struct {
	Seconds float64 // waited and run
	Tokens  float64
	USD     float64
	Waited  float64 // seconds before the retry; 0 when only the duration is known
	Known   bool    // the source told at least one of them
}

// in returns the price in seconds.
func (p Price) in(o TuneOptions) float64 { return p.Seconds + p.Tokens*o.TokenPrice }

// readCells gathers the incidents of span by cell, in the order of their
// scopes. Chains stand in the order in which their incidents opened.
func readCells(ctx context.Context, db queries.DB, span queries.Span, odd *oddities) ([]Cell, error) {
	at := map[Scope]int{}
	var out []Cell
	var names [][]string // of the chains' incidents, which order those that opened together
	err := queries.Attempts(ctx, db, span, func(attempts []queries.Attempt) error {
		a := &attempts[0]
		scope := Scope{Agent: a.Agent, Operation: a.Operation, Category: a.Category}
		i, ok := at[scope]
		if !ok {
			i = len(out)
			at[scope] = i
			out, names = append(out, Cell{Scope: scope}), append(names, nil)
		}
		out[i].Chains = append(out[i].Chains, chain(attempts, odd))
		names[i] = append(names[i], a.Incident)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the attempts of %s to %s: %w", span.From.Format(time.DateOnly), span.To.Format(time.DateOnly), err)
	}
	for i := range out {
		sort.Sort(byOpening{out[i].Chains, names[i]})
	}
	slices.SortFunc(out, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Scope.Agent, b.Scope.Agent), cmp.Compare(a.Scope.Operation, b.Scope.Operation), cmp.Compare(a.Scope.Category, b.Scope.Category))
	})
	return out, nil
}

// byOpening sorts chains by when their incidents opened, then by name.
type byOpening struct {
	chains []Chain
	names  []string
}

func (b byOpening) Len() int { return len(b.chains) }
func (b byOpening) Less(i, j int) bool {
	if c := b.chains[i].Opened.Compare(b.chains[j].Opened); c != 0 {
		return c < 0
	}
	return b.names[i] < b.names[j]
}
func (b byOpening) Swap(i, j int) {
	b.chains[i], b.chains[j] = b.chains[j], b.chains[i]
	b.names[i], b.names[j] = b.names[j], b.names[i]
}

// maxChain is the longest chain that is looked at: no policy retries a thousand
// times, and a source that counts something else as attempts must not cost
// memory in proportion to its number.
const maxChain = 1000

// chain reads the attempts of one incident. Only a resolution that a retry
// brought counts for it: a person or a fallback would have come as well
// without the retry. The attempts' numbers are trusted above their times: what
// a number leaves out was made and lost, at an unknown price.
func chain(attempts []queries.Attempt, odd *oddities) Chain {
	a := attempts[0]
	c := Chain{Opened: a.OpenedAt, Lost: !a.Resolved, Blind: blind(a.Source), Cap: lastCap(attempts)}
	retries, won := ending(&a)
	c.Retries, c.Won = int(min(max(0, retries), maxChain)), won && retries <= maxChain
	c.Cost = make([]Price, c.Retries)
	for _, attempt := range attempts {
		if attempt.Attempt == 1 && attempt.RetryAfter.Valid && attempt.RetryAfter.V > 0 {
			c.After = attempt.RetryAfter.V
		}
		if k := attempt.Attempt - 1; k >= 1 && k <= int64(c.Retries) { // the first try is no retry
			c.Cost[k-1] = price(&attempt)
		}
	}
	c.At = elapsed(attempts, c.Retries)
	c.Scores, c.Bar = scores(attempts)
	odd.count(attempts, &c)
	return c
}

// lastCap is the cap that the last attempt carried which carried one: where a
// cap changes inside an incident, the one that ended it.
func lastCap(attempts []queries.Attempt) int {
	for _, a := range slices.Backward(attempts) {
		if a.MaxRetries.Valid && a.MaxRetries.V >= 0 {
			return int(min(a.MaxRetries.V, maxChain))
		}
	}
	return -1
}

// price reads what an attempt cost. A negative figure is none.
func price(a *queries.Attempt) Price {
	told := func(v sql.Null[int64]) (float64, bool) {
		if !v.Valid || v.V < 0 {
			return 0, false
		}
		return float64(v.V), true
	}
	wait, known1 := told(a.WaitMS)
	took, known2 := told(a.DurationMS)
	tokens, known3 := told(a.Tokens)
	return Price{
		Seconds: (wait + took) / 1000, Waited: wait / 1000, Tokens: tokens, USD: max(0, a.CostUSD.V),
		Known: known1 || known2 || known3,
	}
}

// elapsed returns the seconds from the incident's opening to each retry; nil
// when a time is missing or goes back, as with clocks that differ: then only
// the number of attempts is known.
func elapsed(attempts []queries.Attempt, retries int) []float64 {
	if retries == 0 || len(attempts) < retries+1 {
		return nil
	}
	at := make([]float64, retries)
	for i, a := range attempts[:retries+1] {
		if a.Attempt != int64(i+1) || a.At.IsZero() || i > 0 && a.At.Before(attempts[i-1].At) {
			return nil
		}
		if i > 0 {
			at[i-1] = a.At.Sub(attempts[0].At).Seconds()
		}
	}
	return at
}

// scores reads a quality gate's scores from the first attempt on, and its bar.
func scores(attempts []queries.Attempt) (of []float64, bar float64) {
	for i, a := range attempts {
		if a.Attempt != int64(i+1) || !a.Score.Valid {
			break
		}
		of = append(of, a.Score.V)
		if a.ScoreBar.Valid {
			bar = a.ScoreBar.V
		}
	}
	return of, bar
}

// ending returns how many retries an incident made, and whether the last of
// them resolved it. A success that does not tell its attempt is the one after
// the last that failed.
func ending(a *queries.Attempt) (retries int64, won bool) {
	byRetry := a.Resolution == "retried" || a.Resolution == "compressed"
	switch {
	case !byRetry:
		return a.Attempts - 1, false
	case a.ClosedBy == string(ingest.Success) && a.ClosingAttempt.Valid:
		retries = a.ClosingAttempt.V - 1
	case a.ClosedBy == string(ingest.Success):
		retries = a.FailedAttempts
	default: // a log entry that tells retries and resolution in one
		retries = a.Attempts - 1
	}
	return retries, retries > 0
}

// blind reports whether a source leaves out the retries that passed, so that
// its incidents would make every retry look hopeless.
func blind(source string) bool {
	format, err := ingest.FormatNamed(source)
	return err == nil && !format.Coverage.Recoveries
}

// calm leaves out the chains of outages.
func calm(chains []Chain) []Chain {
	if !slices.ContainsFunc(chains, func(c Chain) bool { return c.Outage }) { // mostly: nothing is copied
		return chains
	}
	return slices.DeleteFunc(slices.Clone(chains), func(c Chain) bool { return c.Outage })
}
