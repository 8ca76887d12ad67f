package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// DefaultWorth is what a resolved incident is worth when the user does not say:
// ten minutes, the time in which a person takes up an interrupted task again
// and repairs it by hand. It is settable, and printed with every suggestion list.
const DefaultWorth = 10 * time.Minute

// DefaultTokenPrice turns tokens into seconds: a thousand tokens cost about as
// much as a tenth of a second of an engineer's time (one US cent at 100 US
// dollars an hour is 0.36 s; a thousand tokens of a mid-priced model are a
// third of a cent). It is settable.
const DefaultTokenPrice = 0.1 / 1000

// A Tuning is what [Tune] found for a span. Its JSON form is part of the
// program's contract.
type Tuning struct {
	From        time.Time    `json:"from"`
	To          time.Time    `json:"to"`
	Worth       float64      `json:"value_of_resolution_s"` // seconds that a resolution is worth
	TokenPrice  float64      `json:"price_of_token_s"`      // seconds that a token costs
	Suggestions []Suggestion `json:"suggestions"`           // most changed first, see [Tune]
}

// TuneOptions weigh what a resolution is worth against what a retry costs. The
// zero value takes the defaults.
type TuneOptions struct {
	Worth      time.Duration
	TokenPrice float64 // seconds per token
}

// A Tuner proposes values for one threshold, from the chains of one cell.
type Tuner struct {
	Knob    string
	Suggest func(c Cell, o TuneOptions) (Suggestion, bool) // false: nothing to say about this cell
}

// Tuners lists the tuners in the order of their suggestions for one cell.
var Tuners = []Tuner{maxRetries}

// A Cell is a group of incidents over which a policy holds.
type Cell struct {
	Scope  Scope
	Chains []Chain
}

// A Chain is one incident as the tuner sees it: what its retries cost, and
// whether the last of them resolved it.
type Chain struct {
	Retries int     // retries made, up to the one that resolved it
	Won     bool    // the last retry resolved it
	Lost    bool    // nothing resolved it: neither a retry, nor a person or fallback
	Blind   bool    // its source does not record retries that pass
	Cap     int     // max_retries in force; -1: unknown
	Cost    []Price // of retry k at k-1; as long as Retries
}

// A Price is what one retry cost.
type Price struct {
	Seconds float64 // waited and run
	Tokens  float64
	Known   bool // the source told at least one of them
}

// in returns the price in seconds.
func (p Price) in(o TuneOptions) float64 { return p.Seconds + p.Tokens*o.TokenPrice }

// Tune asks every tuner about every cell of span. Suggestions to change
// something come first, those with the larger effect before the others.
func Tune(ctx context.Context, db queries.DB, span queries.Span, o TuneOptions) (*Tuning, error) {
	o.Worth = cmp.Or(o.Worth, DefaultWorth)
	o.TokenPrice = cmp.Or(o.TokenPrice, DefaultTokenPrice)
	attempts, err := queries.Attempts(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("read the attempts of %s to %s: %w", span.From.Format(time.DateOnly), span.To.Format(time.DateOnly), err)
	}
	t := &Tuning{From: span.From, To: span.To, Worth: o.Worth.Seconds(), TokenPrice: o.TokenPrice, Suggestions: []Suggestion{}}
	for _, cell := range cells(attempts) {
		for _, tuner := range Tuners {
			s, ok := tuner.Suggest(cell, o)
			if !ok {
				continue
			}
			s.Scope, s.Knob = cell.Scope, tuner.Knob
			s.ID = suggestionID(s.Scope, s.Knob, span)
			t.Suggestions = append(t.Suggestions, s)
		}
	}
	slices.SortStableFunc(t.Suggestions, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(a.Verdict.rank(), b.Verdict.rank()), cmp.Compare(b.gain(o), a.gain(o)))
	})
	return t, nil
}

// rank puts what is to be changed before what is not.
func (v Verdict) rank() int {
	return slices.Index([]Verdict{Raise, Lower, Keep, TooLittleData}, v) / 2
}

// gain is what the suggestion is worth in seconds.
func (s *Suggestion) gain(o TuneOptions) float64 {
	return s.Effect.Resolved*o.Worth.Seconds() - s.Effect.WaitS
}

// suggestionID is stable: the same cell, knob and span give the same id.
func suggestionID(s Scope, knob string, span queries.Span) string {
	key := fmt.Sprintf("%q %q %q %q %s %d %d", s.Agent, s.Operation, s.Category, s.Code, knob, span.From.Unix(), span.To.Unix())
	sum := sha256.Sum256([]byte(key))
	return "s-" + hex.EncodeToString(sum[:6]) // 48 bits: a report has hundreds of suggestions at most
}

// cells gathers the attempts, which come in the order of cells and incidents.
func cells(attempts []queries.Attempt) []Cell {
	var out []Cell
	for len(attempts) > 0 {
		a := attempts[0]
		n := 1
		for n < len(attempts) && attempts[n].Incident == a.Incident && attempts[n].Agent == a.Agent {
			n++
		}
		scope := Scope{Agent: a.Agent, Operation: a.Operation, Category: a.Category}
		if len(out) == 0 || out[len(out)-1].Scope != scope {
			out = append(out, Cell{Scope: scope})
		}
		last := &out[len(out)-1]
		last.Chains = append(last.Chains, chain(attempts[:n]))
		attempts = attempts[n:]
	}
	return out
}

// maxChain is the longest chain that is looked at: no policy retries a thousand
// times, and a source that counts something else as attempts must not cost
// memory in proportion to its number.
const maxChain = 1000

// chain reads the attempts of one incident. Only a resolution that a retry
// brought counts for it: a person or a fallback would have come as well
// without the retry.
func chain(attempts []queries.Attempt) Chain {
	a := attempts[0]
	c := Chain{Lost: !a.Resolved, Blind: blind(a.Source), Cap: -1}
	if a.MaxRetries.Valid {
		c.Cap = int(min(a.MaxRetries.V, maxChain))
	}
	retries, won := ending(&a)
	c.Retries, c.Won = int(min(retries, maxChain)), won && retries <= maxChain
	c.Cost = make([]Price, c.Retries)
	for _, attempt := range attempts {
		k := attempt.Attempt - 1 // the first try is no retry
		if k < 1 || k > int64(c.Retries) {
			continue
		}
		c.Cost[k-1] = Price{
			Seconds: float64(attempt.WaitMS.V+attempt.DurationMS.V) / 1000,
			Tokens:  float64(attempt.Tokens.V),
			Known:   attempt.WaitMS.Valid || attempt.DurationMS.Valid || attempt.Tokens.Valid,
		}
	}
	return c
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
