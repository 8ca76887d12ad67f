package analyze

import "testing"

// TestPercent wants no bound to read as none.
func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{0: "0%", 0.0044: "0.4%", 0.00044: "0.04%", 0.0096: "1%", 0.02: "2%", 0.666: "67%", 1: "100%"} {
		if got := percent(p); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}
