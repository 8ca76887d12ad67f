package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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

// DefaultDollarPrice turns dollars into seconds, at the same 100 dollars an hour.
// It is settable.
const DefaultDollarPrice = 36

// A Tuning is what [Tune] found for a span. Its JSON form is part of the
// program's contract.
type Tuning struct {
	From        time.Time    `json:"from"`
	To          time.Time    `json:"to"`
	Worth       float64      `json:"value_of_resolution_s"` // seconds that a resolution is worth
	TokenPrice  float64      `json:"price_of_token_s"`      // seconds that a token costs
	DollarPrice float64      `json:"price_of_dollar_s"`     // seconds that a dollar costs
	Suggestions []Suggestion `json:"suggestions"`           // most changed first, see [Tune]
	Outages     []Outage     `json:"outages"`               // left out of the fit
	Withheld    int          `json:"withheld"`              // changes that chance among so many cells could have made
	Notes       []Note       `json:"notes"`                 // input that is not as it should be
	Unknown     []string     `json:"unknown,omitempty"`     // sentences on names that are asked for and that no incident has
	Decisions   []Outcome    `json:"decisions"`             // what became of suggestions, those that nobody decided on in time among them
}

// TuneOptions weigh what a resolution is worth against what a retry costs. The
// zero value takes the defaults.
type TuneOptions struct {
	Worth       time.Duration
	TokenPrice  float64  // seconds per token; below zero: nothing
	DollarPrice float64  // seconds per dollar; below zero: nothing
	Knobs       []string // that are asked for; empty: all of Tuners
	Anew        bool     // pay no heed to what was decided before

	decided []decided            // before, by time
	kept    []kept               // made before, and still open when the span began; by their spans
	past    map[Scope][]Evidence // of retries, in the year before; see [Cell.Past]
}

// Priced returns the options with the defaults in the place of what is not set.
func (o TuneOptions) Priced() TuneOptions {
	o.Worth = cmp.Or(o.Worth, DefaultWorth)
	o.TokenPrice = max(0, cmp.Or(o.TokenPrice, DefaultTokenPrice))
	o.DollarPrice = max(0, cmp.Or(o.DollarPrice, DefaultDollarPrice))
	return o
}

// dearer is what tokens and dollars cost in seconds: they tell of the same, so
// that the larger of the two counts, not both.
func (o *TuneOptions) dearer(tokens, usd float64) float64 {
	a, b := tokens*o.TokenPrice, usd*o.DollarPrice
	if math.Abs(a) > math.Abs(b) {
		return a
	}
	return b
}

// A Tuner proposes values for one threshold, from the chains of one cell.
type Tuner struct {
	Knob    string
	Suggest func(c Cell, o TuneOptions) (Suggestion, bool) // false: nothing to say about this cell
	Beside  bool                                           // also tell what outages and a change of the cap would have made of it
	Observe func(s *Suggestion, c Cell) tally              // what became of the prediction of s, in the incidents since
}

// Tuners lists the tuners in the order of their suggestions for one cell.
var Tuners = []Tuner{maxRetries, delays, stopAfterKnob, scoreBar, timeout, callDepth, retryBudget}

// Tune asks every tuner about every cell of span. Suggestions to change
// something come first, those with the larger effect before the others.
//
// Outages are left out of the fit (see [Outage]), each cell leans on the cells
// around it (see [Pooled]), a cap that changed within the span splits its cell,
// and of all changes found at most the share falseDiscoveries is expected to be
// wrong (see [Suggestion.P]).
func Tune(ctx context.Context, db queries.DB, span queries.Span, o TuneOptions) (*Tuning, error) {
	odd := &oddities{}
	var all, others []Cell
	err := together(db, func() (err error) {
		all, err = readCells(ctx, db, span, odd)
		return err
	}, func() (err error) {
		if others, err = readOthers(ctx, db, span); err != nil {
			return err
		}
		return o.recall(ctx, db, span)
	})
	if err != nil {
		return nil, err
	}
	lone, err := queries.LoneSuccesses(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("count successes without failures: %w", err)
	}
	odd.lone = int(lone)
	expired, err := queries.Expireds(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("count incidents whose events have expired: %w", err)
	}
	for _, code := range expired {
		odd.expired += int(code.Incidents)
	}
	return tune(append(all, others...), odd, span, o), nil
}

// together runs f and g at once where db has connections enough, and returns
// their errors.
func together(db queries.DB, f, g func() error) error {
	if _, pool := db.(queries.Snapshotter); !pool {
		if err := f(); err != nil {
			return err
		}
		return g()
	}
	var second error
	var done sync.WaitGroup
	done.Go(func() { second = g() })
	first := f()
	done.Wait()
	return cmp.Or(first, second)
}

// recall reads what was suggested and decided before.
func (o *TuneOptions) recall(ctx context.Context, db queries.DB, span queries.Span) error {
	decisions, err := queries.Decisions(ctx, db)
	if err != nil {
		return fmt.Errorf("read the decisions: %w", err)
	}
	if o.decided, err = parseDecisions(decisions); err != nil {
		return err
	}
	policies, err := queries.Policies(ctx, db)
	if err != nil {
		return fmt.Errorf("read the changes of policies: %w", err)
	}
	noteTakenBack(o.decided, policies)
	made, err := queries.Suggestions(ctx, db, queries.Span{From: span.From.AddDate(-1, 0, 0), To: span.To})
	if err != nil {
		return fmt.Errorf("read the suggestions made before: %w", err)
	}
	before, err := parseKept(made)
	if err == nil {
		o.past, err = pastOf(ctx, db, span)
	}
	o.kept = slices.DeleteFunc(before, func(k kept) bool { return !k.Due.After(span.From) })
	return err
}

// readOthers gathers what is known beside the incidents, in cells of their own:
// of operations how long they take, and of agents as readAgents does.
func readOthers(ctx context.Context, db queries.DB, span queries.Span) ([]Cell, error) {
	durations, err := queries.Durations(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("read how long calls took: %w", err)
	}
	agents, err := readAgents(ctx, db, span)
	if err != nil {
		return nil, err
	}
	return append(durationCells(durations), agents...), nil
}

// readAgents gathers what is known of agents as a whole, in a cell for each
// thing: how deep their turns go, and how much of their traffic is retries.
func readAgents(ctx context.Context, db queries.DB, span queries.Span) ([]Cell, error) {
	depths, err := queries.CallDepths(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("read how many calls turns made: %w", err)
	}
	hours, err := queries.RetryTraffic(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("read the calls of each hour: %w", err)
	}
	retrying, err := queries.RetryingAgents(ctx, db, span)
	if err != nil {
		return nil, fmt.Errorf("read which agents retry: %w", err)
	}
	return append(depthCells(depths), trafficCells(hours, retrying)...), nil
}

func tune(all []Cell, odd *oddities, span queries.Span, o TuneOptions) *Tuning {
	o = o.Priced()
	t := &Tuning{From: span.From, To: span.To, Worth: o.Worth.Seconds(), TokenPrice: o.TokenPrice, DollarPrice: o.DollarPrice, Suggestions: []Suggestion{}}
	t.Outages = append([]Outage{}, findOutages(all)...)
	odd.countBursts(burstsLeftIn(all))
	calmHours(all, t.Outages)
	t.Decisions = outcomes(o.decided, all, span, t.Worth)
	for i := range all {
		all[i].Wrong = wrong(t.Decisions, all[i].Scope)
		all[i].Past = o.past[all[i].Scope]
	}
	lend(all, odd, t.Worth)
	for _, of := range askAll(all, span, o) {
		t.Suggestions = append(t.Suggestions, of...)
	}
	t.Withheld = withhold(t.Suggestions)
	for i := range t.Suggestions {
		s := &t.Suggestions[i]
		if s.Withheld && s.Outages != nil {
			s.Outages.Effect = nil // of a change that is not made
		}
		if s.Due = span.To.Add(span.To.Sub(span.From)); !o.Anew {
			s.heed(o.decided)
		}
	}
	scoreFirst(t.Suggestions, o)
	oneByOne(t.Suggestions, o)
	for i := range t.Suggestions {
		t.Suggestions[i].since(o.kept, span)
	}
	sameWaste(t.Suggestions)
	t.Decisions = append(t.Decisions, expired(o.kept, o.decided, t.Suggestions, all, span)...)
	t.Notes = odd.notes()
	slices.SortStableFunc(t.Suggestions, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(a.Verdict.rank(), b.Verdict.rank()), cmp.Compare(b.gain(o), a.gain(o)))
	})
	return t
}

// askAll asks every tuner about every cell: cells know nothing of each other
// any more.
func askAll(all []Cell, span queries.Span, o TuneOptions) [][]Suggestion {
	out := make([][]Suggestion, len(all))
	eachCell(all, func(i int, on *bench) {
		v := viewOf(all[i].recalled(on))
		out[i] = v.askEach(span, o)
	})
	return out
}

// eachCell calls f with every cell, and with a bench to lay its chains out on, on
// all processors. The largest come first: none is left over at the end, and a
// bench grows once.
func eachCell(all []Cell, f func(i int, on *bench)) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[j].size(), all[i].size()) })
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) {
		workers.Go(func() {
			var on bench
			for n := next.Add(1) - 1; n < int64(len(all)); n = next.Add(1) - 1 {
				f(order[n], &on)
			}
		})
	}
	workers.Wait()
}

// askEach asks the tuners of the knobs that are asked for.
func (v *view) askEach(span queries.Span, o TuneOptions) (out []Suggestion) {
	for _, tuner := range Tuners {
		if len(o.Knobs) > 0 && !slices.Contains(o.Knobs, tuner.Knob) {
			continue
		}
		if s, ok := v.ask(tuner, o); ok {
			s.ID, s.Published = suggestionID(s.Scope, s.Knob, span), s.startFrom()
			out = append(out, s)
		}
	}
	return out
}

// rank puts what is to be changed before what is not.
func (v Verdict) rank() int {
	return slices.Index([]Verdict{Raise, Lower, Keep, TooLittleData}, v) / 2
}

// gain is what the suggestion is worth in seconds.
func (s *Suggestion) gain(o TuneOptions) float64 { return s.Effect.Worth(o) }

// Worth is the effect in seconds; o must have its prices. Of the calls of a turn
// nobody tells the price: they cost as much as a retry of which nobody does.
func (e *Effect) Worth(o TuneOptions) float64 {
	return e.Resolved*o.Worth.Seconds() - e.WaitS - o.dearer(e.Tokens, e.CostUSD) - e.Calls*defaultPrice
}

// suggestionID is stable: the same cell, knob and span give the same id.
func suggestionID(s Scope, knob string, span queries.Span) string {
	key := fmt.Sprintf("%q %q %q %q %s %d %d", s.Agent, s.Operation, s.Category, s.Code, knob, span.From.Unix(), span.To.Unix())
	sum := sha256.Sum256([]byte(key))
	return "s-" + hex.EncodeToString(sum[:6]) // 48 bits: a report has hundreds of suggestions at most
}
