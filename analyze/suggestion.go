package analyze

import (
	"strings"
	"time"
)

// A Suggestion proposes a value for one threshold of one cell, with the
// evidence for it. Its JSON form is part of the program's contract.
type Suggestion struct {
	ID        string  `json:"id"` // stable: the same cell, knob and span give the same id
	Scope     Scope   `json:"scope"`
	Knob      string  `json:"knob"`      // the threshold's name, such as "max_retries"
	Unit      string  `json:"unit"`      // of current, suggested and values: "retries", "s", "errors", "points", "calls", "percent of calls"
	Current   *int64  `json:"current"`   // in force, as the events or the default policy tell; nil: unknown
	Suggested *int64  `json:"suggested"` // nil when there is too little data
	Verdict   Verdict `json:"verdict"`
	N         int     `json:"n"` // incidents of the cell that the evidence rests on; of timeout and retry_budget calls, of call_depth turns
	// Extrapolated tells that the suggested value goes beyond what was ever tried.
	Extrapolated bool       `json:"extrapolated"`
	Evidence     []Evidence `json:"evidence"`
	Effect       Effect     `json:"effect"`
	Reason       Text       `json:"reason"`

	Values []float64 `json:"values,omitempty"` // where the threshold is a list, such as delays in seconds
	// P is the chance that the change is for the worse, as far as the counts
	// tell: what false discovery control goes by. nil: nothing was tested.
	P        *float64 `json:"p,omitempty"`
	Withheld bool     `json:"withheld,omitempty"` // a change was found, but chance among so many cells could have made it
	Needed   int      `json:"needed,omitempty"`   // incidents more that are needed, where there is too little data; of timeout calls, of call_depth turns, of retry_budget hours
	Pool     *Pooled  `json:"pool,omitempty"`     // what the cells around tell of the first retry, or of the line of the evidence that decides
	// Published has what other systems ship, to start from where there is too
	// little data. It is not from the data.
	Published []Published  `json:"published_defaults,omitempty"`
	Outages   *Alternative `json:"with_outages,omitempty"`
	Within    string       `json:"within,omitempty"` // the id of another change of the cell whose effect has all of this one's
	Earlier   *Alternative `json:"before_change,omitempty"`

	Prediction *Prediction `json:"prediction,omitempty"` // what will be seen once it is in force
	Due        time.Time   `json:"due,omitzero"`         // by when to decide: then its evidence is as old as it is long
	Since      time.Time   `json:"since,omitzero"`       // the beginning of the first span that asked for this change, where nobody decided
	Decided    *Deciding   `json:"decided,omitempty"`    // the same change was decided on before
	Wrong      int         `json:"wrong,omitempty"`      // predictions about this threshold that did not come true

	wanted *int64 // by a change that is withheld

	asked bool // by the server; no replay tells what it brings

	limits Text // how many incidents had which limit, where they had several
}

// An Alternative is what would be suggested from other incidents of the cell:
// with those of outages, or from those before its cap changed.
type Alternative struct {
	Incidents int     `json:"incidents"` // that the suggestion itself does not rest on
	Current   *int64  `json:"current"`
	Suggested *int64  `json:"suggested"`
	Verdict   Verdict `json:"verdict"`
	// Effect is what the suggestion itself comes to in the incidents of outages,
	// which its own effect leaves out; nil: it changes nothing, or it is no change.
	Effect *Effect `json:"effect,omitempty"`
}

// A Scope names a cell. An empty field means all.
type Scope struct {
	Agent     string `json:"agent"`
	Operation string `json:"operation"`
	Category  string `json:"category"`
	Code      string `json:"code"`
}

// Words names the cell on one line.
func (s Scope) Words() string {
	var parts []string
	for _, name := range []string{s.Agent, s.Operation, s.Category} {
		if name != "" {
			parts = append(parts, strings.Join(strings.Fields(name), " "))
		}
	}
	return strings.Join(parts, " × ")
}

// A Verdict says what to do with a threshold.
type Verdict string

// The verdicts.
const (
	Raise         Verdict = "raise"
	Lower         Verdict = "lower"
	Keep          Verdict = "keep"
	TooLittleData Verdict = "too little data"
)

// Evidence is what one retry achieved.
type Evidence struct {
	Retry  int     `json:"retry"`   // counted from 1
	AtRisk int     `json:"at_risk"` // incidents that made this retry
	Won    int     `json:"won"`     // of those, resolved by it
	Hazard float64 `json:"hazard"`  // Won / AtRisk
	Low    float64 `json:"low"`     // Wilson bounds of the hazard at 95 %
	High   float64 `json:"high"`
	// Pays is the hazard below which this retry costs more than it brings: its
	// price ÷ the worth of a resolution. 0: nothing was reckoned.
	Pays float64 `json:"pays,omitempty"`
	// What is believed of the hazard once the cells around are heard, with
	// 95 % bounds of its Beta posterior.
	Believed     float64 `json:"believed"`
	BelievedLow  float64 `json:"believed_low"`
	BelievedHigh float64 `json:"believed_high"`
}

// An Effect is the change that the suggested value makes when the recorded
// incidents are replayed under it: suggested minus recorded, in sums.
type Effect struct {
	Resolved float64         `json:"resolved"` // incidents
	Retries  float64         `json:"retries"`
	WaitS    float64         `json:"wait_s"` // seconds of waiting and running
	Tokens   float64         `json:"tokens"`
	CostUSD  float64         `json:"cost_usd"`
	Calls    float64         `json:"calls,omitempty"` // of turns, under a call_depth
	Interval EffectIntervals `json:"interval"`
}

// EffectIntervals are the 95 % intervals of an Effect for another span of as
// many incidents.
type EffectIntervals struct {
	Resolved [2]float64 `json:"resolved"`
	Retries  [2]float64 `json:"retries"`
	WaitS    [2]float64 `json:"wait_s"`
	Tokens   [2]float64 `json:"tokens"`
	CostUSD  [2]float64 `json:"cost_usd"`
	Calls    [2]float64 `json:"calls,omitzero"`
}

// Text is a sentence in the languages of the report.
type Text struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}
