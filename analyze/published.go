package analyze

import "slices"

// A Published is what another system ships as its default for a threshold: a
// place to start from where there is too little data. It is in no estimate.
type Published struct {
	System  string `json:"system"`
	Setting string `json:"setting"` // as a policy file writes it; empty: no limit
	Source  string `json:"source"`  // the document that says so
}

// published lists the defaults, by threshold and by the categories that the
// system retries; none: all. Waits are before jitter.
var published = []struct {
	Published
	knob       string
	categories []string
}{
	{Published{"AWS SDK", "2", awsSource}, maxRetriesKnob, []string{"rate_limit", "network", "server_error", "timeout"}}, // 3 attempts
	{Published{"Claude Code", "10", claudeSource}, maxRetriesKnob, []string{"rate_limit", "network", "server_error", "timeout"}},
	{Published{"Temporal", "", temporalSource}, maxRetriesKnob, nil},
	{Published{"AWS SDK", "[0.05, 0.1]", awsSource}, delaysKnob, []string{"network", "server_error", "timeout"}}, // from 50 ms
	{Published{"AWS SDK", "[1, 2]", awsSource}, delaysKnob, []string{"rate_limit"}},                              // throttling: from 1,000 ms
	{Published{"Finagle", "20", finagleSource}, retryBudgetName, nil},                                            // beside 10 retries a second
	{Published{"Envoy", "20", envoySource}, retryBudgetName, nil},                                                // beside 3 at a time
	{Published{"Monadic Chat", "20", monadicSource}, callDepthName, nil},
	{Published{"Temporal", "[1, 2, 4, 8, 16, 32, 64, 100]", temporalSource}, delaysKnob, nil},
}

// Where the defaults are published.
const (
	awsSource      = "AWS SDKs and Tools, Retry behavior (2026)"
	claudeSource   = "Claude Code, Error reference"
	finagleSource  = "Finagle blog, Retry Budgets (2016)"
	envoySource    = "Envoy, CircuitBreakers.Thresholds.RetryBudget"
	monadicSource  = "Monadic Chat, MAX_FUNC_CALLS of its OpenAI helper"
	temporalSource = "Temporal, What is a Temporal Retry Policy"
)

// startFrom returns the published defaults for a threshold of a cell that has
// too little data of its own, none for others: where there is data, it decides.
func (s *Suggestion) startFrom() (out []Published) {
	if s.Verdict != TooLittleData {
		return nil
	}
	for _, p := range published {
		if p.knob == s.Knob && (p.categories == nil || slices.Contains(p.categories, s.Scope.Category)) {
			out = append(out, p.Published)
		}
	}
	return out
}
