package analyze

// A Suggestion proposes a value for one threshold of one cell, with the
// evidence for it. Its JSON form is part of the program's contract.
type Suggestion struct {
	ID        string  `json:"id"` // stable: the same cell, knob and span give the same id
	Scope     Scope   `json:"scope"`
	Knob      string  `json:"knob"`      // the threshold's name, such as "max_retries"
	Current   *int64  `json:"current"`   // in force, as the events or the default policy tell; nil: unknown
	Suggested *int64  `json:"suggested"` // nil when there is too little data
	Verdict   Verdict `json:"verdict"`
	N         int     `json:"n"` // incidents of the cell that the evidence rests on
	// Extrapolated tells that the suggested value goes beyond what was ever tried.
	Extrapolated bool       `json:"extrapolated"`
	Evidence     []Evidence `json:"evidence"`
	Effect       Effect     `json:"effect"`
	Reason       Text       `json:"reason"`
}

// A Scope names a cell. An empty field means all.
type Scope struct {
	Agent     string `json:"agent"`
	Operation string `json:"operation"`
	Category  string `json:"category"`
	Code      string `json:"code"`
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
}

// An Effect is the change that the suggested value makes when the recorded
// incidents are replayed under it: suggested minus recorded, in sums.
type Effect struct {
	Resolved float64         `json:"resolved"` // incidents
	Retries  float64         `json:"retries"`
	WaitS    float64         `json:"wait_s"` // seconds of waiting and running
	Interval EffectIntervals `json:"interval"`
}

// EffectIntervals are the 95 % intervals of an Effect for another span of as
// many incidents.
type EffectIntervals struct {
	Resolved [2]float64 `json:"resolved"`
	Retries  [2]float64 `json:"retries"`
	WaitS    [2]float64 `json:"wait_s"`
}

// Text is a sentence in the languages of the report.
type Text struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}
