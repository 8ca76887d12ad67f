package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"hansei/analyze"
	"hansei/classify"
	"hansei/ingest"
)

// A benchFleet makes the events of a year of agents that retry, incident by
// incident: every cell with its own hazards, waits and cap, a tenth of them
// with a cap that changes in the middle of the year, a tenth quality gates.
// Small cells are more than large ones.
type benchFleet struct {
	r           *rand.Rand
	cells       int
	made, total int // events
	incidents   int
}

// benchMostCells is how many cells the names of a benchFleet tell apart.
const benchMostCells = 100_000

// benchAgents is how many agents a benchFleet has. An operation of one has a
// cell for each of fleetKinds.
const benchAgents = 20

// fleetKinds are the failures of a benchFleet.
var fleetKinds = []struct {
	category classify.Category
	code     string
	message  string
}{
	{"rate_limit", "429", "Too Many Requests"},
	{"network", "ECONNRESET", "read: connection reset by peer"},
	{"server_error", "503", "Service Unavailable"},
	{"timeout", "ETIMEDOUT", "the request timed out after 60 s"},
	{"malformed_output", "MALFORMED_FUNCTION_CALL", "the function call does not parse"},
	{"quality_gate", "REVIEW", "the review's score is below the bar"},
}

func newBenchFleet(cells, events int) *benchFleet {
	return &benchFleet{r: rand.New(rand.NewPCG(2026, uint64(cells))), cells: cells, total: events}
}

// part makes the next events of whole incidents, about as many as a row group has.
func (f *benchFleet) part() *analyze.Part {
	k := analyze.NewPacker()
	for start := f.made; f.made < f.total && f.made-start < analyze.RowGroup-benchMostTries; {
		f.incident(k)
	}
	return k.Part()
}

// benchMostTries is more than any incident of a benchFleet has events.
const benchMostTries = 10

// incident makes the events of one incident, as long as there are any left.
func (f *benchFleet) incident(k *analyze.Packer) {
	cell := int(math.Pow(f.r.Float64(), 1.5) * float64(f.cells))
	kind := fleetKinds[cell/benchAgents%len(fleetKinds)]
	year := demoFrom.AddDate(0, benchMonths, 0).Sub(demoFrom)
	at := demoFrom.Add(time.Duration(float64(year) * float64(f.made) / float64(f.total))).Truncate(time.Microsecond)
	retries := []int{2, 3, 5}[cell%7%3]
	if cell%10 == 3 && f.made > f.total/2 {
		retries++
	}
	f.incidents++
	e := ingest.Event{
		Agent: fmt.Sprint("agent", cell%benchAgents), Operation: fmt.Sprint("operation", cell/benchAgents/len(fleetKinds)), Incident: fmt.Sprint("run-", f.incidents),
		MaxRetries: ingest.Some(int64(retries)), Code: kind.code, Message: kind.message, Source: ingest.Native,
	}
	bar, score := 70.0, 40+20*f.r.Float64()
	hazard := 0.1 + 0.6*float64(cell*7919%101)/100 // of the first retry; of each further one two thirds
	for attempt := 1; f.made < f.total; attempt++ {
		took := time.Duration(200+f.r.ExpFloat64()*1500) * time.Millisecond
		passes := attempt > 1 && f.r.Float64() < hazard
		if kind.category == classify.Timeout && !passes {
			took = time.Minute // its limit
		}
		e.Attempt, e.DurationMS = ingest.Some(int64(attempt)), ingest.Some(took.Milliseconds())
		e.Tokens, e.CostUSD = ingest.Some(int64(400+f.r.IntN(3000))), ingest.Some(0.001*float64(f.r.IntN(40)))
		e.Kind = ingest.Failure
		if attempt > 1 {
			wait := time.Duration(float64([]int{5, 15, 30}[min(attempt-2, 2)])*(800+400*f.r.Float64())) * time.Millisecond
			e.WaitMS = ingest.Some(wait.Milliseconds())
			at = at.Add(wait)
			if passes {
				e.Kind = ingest.Success
			}
			hazard *= 2. / 3
		}
		at = at.Add(took)
		if kind.category == classify.QualityGate {
			score = min(score+12*f.r.Float64(), bar-1)
			e.Score, e.ScoreBar = ingest.Some(math.Round(score)), ingest.Some(bar)
		}
		f.add(k, e, at, kind.category)
		if e.Kind == ingest.Success {
			return
		}
		if attempt == retries+1 {
			break
		}
	}
	if f.made < f.total && f.r.IntN(2) == 0 { // else it falls silent
		e.Kind, e.Attempt = ingest.End, ingest.Opt[int64]{}
		f.add(k, e, at, kind.category)
	}
}

func (f *benchFleet) add(k *analyze.Packer, e ingest.Event, at time.Time, category classify.Category) {
	f.made++
	e.ID, e.Time = fmt.Sprint("e", f.made), at
	tag := classify.Tag{Category: category, Taxonomy: "transient", Retryable: true}
	switch e.Kind {
	case ingest.Success:
		tag = classify.Tag{Resolution: "retried"}
	case ingest.End:
		tag = classify.Tag{Resolution: "abandoned"}
	}
	k.Add(&analyze.Row{Sequence: uint64(f.made), Event: &e, Tag: tag})
}
