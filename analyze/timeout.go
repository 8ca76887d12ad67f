package analyze

// A Duration is how long calls took, and whether they passed: one that ran into
// a timeout would have taken longer (right-censoring).
type Duration struct {
	Seconds float64
	Passed  bool
	Calls   int
}
