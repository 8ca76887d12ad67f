package analyze

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// A Cell is a group of incidents over which a policy holds.
type Cell struct {
	Scope Scope
	// Pool is what the cells around tell of each retry's hazard; shorter than
	// the retries that were made where nothing is known.
	Pool []Pooled
	// Shares are of the chance of a first retry to win that are left to the second,
	// one of each of the cells around that tells both.
	Shares []float64
	// kin is what others show of the first retry where this one's limit is 0; nil:
	// it retries, or nobody tells.
	kin *kin
	// Lent is, by knob, what the cells around tell of the first lines of its
	// evidence, for those of lenders.
	Lent map[string][]Pooled
	// Durations are those of an operation's calls; only cells that span all
	// categories of an operation have them.
	Durations []Duration
	// Depths are how many calls an agent's turns made, in the place of seconds,
	// and Traffic its hours; only cells that span an agent have them. An empty
	// Traffic: nobody knows it; nil: it is not that cell.
	Depths  []Duration
	Traffic []TrafficHour
	// Wrong counts, by knob, the predictions that did not come true. Each halves
	// what the cell's counts weigh, so that its bounds widen.
	Wrong map[string]int
	// Past is what each of its retries achieved before the incidents that decide,
	// by retry: of those that nobody makes any more it is all that is known.
	Past []Evidence

	laid     []Chain   // its chains, where they are laid out; see chains
	recorded *recorded // the chains of a cell that was read; nil: all are in laid
	bursts   []Outage  // of its category, by time
	counts   *counted  // of its chains; nil: nobody has counted them yet
}

// chains returns the incidents of the cell, by time. Those of a cell that was
// read are laid out first, in memory of their own, unless recalled or outlined
// did that.
func (c *Cell) chains() []Chain {
	if c.laid == nil && c.recorded != nil {
		*c = c.recalled(new(bench))
	}
	return c.laid
}

// size is how many incidents the cell has.
func (c *Cell) size() int {
	if c.laid == nil && c.recorded != nil {
		return len(c.recorded.opened)
	}
	return len(c.laid)
}

// of returns the cell with other incidents in the place of its own.
func (c Cell) of(chains []Chain) Cell {
	c.laid, c.recorded, c.counts = chains, nil, nil
	return c
}

// recalled returns the cell with its chains laid out, which are good until on
// is used again.
func (c Cell) recalled(on *bench) Cell {
	if c.recorded != nil {
		c.laid = c.recorded.chains(on)
		if len(c.bursts) > 0 {
			markOutages(c.laid, c.bursts)
		}
	}
	return c
}

// outlined is recalled for whoever asks only how the retries went: the chains
// are without what these cost and when they came.
func (c Cell) outlined(on *bench) Cell {
	if c.recorded != nil {
		c.laid = c.recorded.outlines(on)
		if len(c.bursts) > 0 {
			markOutages(c.laid, c.bursts)
		}
	}
	return c
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
func (p Price) in(o TuneOptions) float64 {
	return p.Seconds + o.dearer(p.Tokens, p.USD)
}

// readCells gathers the incidents of span by cell, in the order of their
// scopes, recorded, and counts in odd those that are not as they should be.
func readCells(ctx context.Context, db queries.DB, span queries.Span, odd *oddities) ([]Cell, error) {
	g := newGathering(span, odd)
	var c Chain // its memory is used again and again
	alike, err := queries.EachChain(ctx, db, span, chainForm, g.addLog, func(t *queries.Tried, attempts []queries.Attempt) error {
		c.read(t, attempts)
		g.add(scopeOf(t), &c, oddityOf(t, attempts, &c))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the attempts of %s to %s: %w", span.From.Format(time.DateOnly), span.To.Format(time.DateOnly), err)
	}
	odd.alike = alike
	g.cells = slices.DeleteFunc(g.cells, func(c Cell) bool { return len(c.recorded.opened) == 0 }) // of a day's other hours
	slices.SortFunc(g.cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Scope.Agent, b.Scope.Agent), cmp.Compare(a.Scope.Operation, b.Scope.Operation), cmp.Compare(a.Scope.Category, b.Scope.Category))
	})
	return g.cells, nil
}

func scopeOf(t *queries.Tried) Scope {
	return Scope{Agent: t.Agent, Operation: t.Operation, Category: t.Category}
}

// maxChain is the longest chain that is looked at: no policy retries a thousand
// times, and a source that counts something else as attempts must not cost
// memory in proportion to its number.
const maxChain = 1000

// read makes c the incident t with its attempts. Only a resolution that a retry
// brought counts for it: a person or a fallback would have come as well
// without the retry. The attempts' numbers are trusted above their times: what
// a number leaves out was made and lost, at an unknown price.
func (c *Chain) read(t *queries.Tried, attempts []queries.Attempt) {
	cost, at, of := c.Cost[:0], c.At[:0], c.Scores[:0]
	*c = Chain{Opened: t.OpenedAt, Lost: !t.Resolved, Blind: blind(t.Source), Cap: lastCap(attempts)}
	retries, won := ending(t)
	c.Retries, c.Won = int(min(max(0, retries), maxChain)), won && retries <= maxChain
	c.Cost = append(cost, noPrices[:c.Retries]...)
	for i := range attempts {
		attempt := &attempts[i]
		if attempt.Attempt == 1 && attempt.RetryAfter.Valid && attempt.RetryAfter.V > 0 {
			c.After = attempt.RetryAfter.V
		}
		if k := attempt.Attempt - 1; k >= 1 && k <= int64(c.Retries) { // the first try is no retry
			c.Cost[k-1] = price(attempt)
		}
	}
	c.At = elapsed(at, attempts, c.Retries)
	c.Scores, c.Bar = scores(of, attempts)
}

// noPrices are those of retries of which nothing was told.
var noPrices [maxChain]Price

// lastCap is the cap that the last attempt carried which carried one: where a
// cap changes inside an incident, the one that ended it.
func lastCap(attempts []queries.Attempt) int {
	for i := len(attempts) - 1; i >= 0; i-- {
		a := &attempts[i]
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

// elapsed appends the seconds from the incident's opening to each retry; nil
// when a time is missing or goes back, as with clocks that differ: then only
// the number of attempts is known.
func elapsed(at []float64, attempts []queries.Attempt, retries int) []float64 {
	if retries == 0 || len(attempts) < retries+1 {
		return nil
	}
	for i := range attempts[:retries+1] {
		a := &attempts[i]
		if a.Attempt != int64(i+1) || a.At.IsZero() || i > 0 && a.At.Before(attempts[i-1].At) {
			return nil
		}
		if i > 0 {
			at = append(at, a.At.Sub(attempts[0].At).Seconds())
		}
	}
	return at
}

// scores reads a quality gate's scores from the first attempt on, and its bar.
func scores(into []float64, attempts []queries.Attempt) (of []float64, bar float64) {
	for i := range attempts {
		a := &attempts[i]
		if a.Attempt != int64(i+1) || !a.Score.Valid {
			break
		}
		into = append(into, a.Score.V)
		of = into
		if a.ScoreBar.Valid {
			bar = a.ScoreBar.V
		}
	}
	return of, bar
}

// ending returns how many retries an incident made, and whether the last of
// them resolved it. A success that does not tell its attempt is the one after
// the last that failed.
func ending(t *queries.Tried) (retries int64, won bool) {
	switch {
	case !t.ByRetry:
		return t.Attempts - 1, false
	case t.BySuccess && t.ClosingAttempt.Valid:
		retries = t.ClosingAttempt.V - 1
	case t.BySuccess:
		retries = t.FailedAttempts
	default: // a log entry that tells retries and resolution in one
		retries = t.Attempts - 1
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
	for i := range chains {
		if chains[i].Outage { // mostly none is, and nothing is copied
			return slices.DeleteFunc(slices.Clone(chains), func(c Chain) bool { return c.Outage })
		}
	}
	return chains
}

// struck are the chains of outages, which calm leaves out.
func struck(chains []Chain) (of []Chain) {
	for i := range chains {
		if chains[i].Outage {
			of = append(of, chains[i])
		}
	}
	return of
}
