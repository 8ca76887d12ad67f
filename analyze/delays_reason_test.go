package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What came between two retries nobody looked at: that is told, not that shorter
// waits would find less, and how to learn it.
func TestShorterWaitsAreNotKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(147, 148))
	waits := []float64{10, 20, 40, 300, 600}
	c := Cell{laid: append(outageChains(600, 40, waits, r), outageChains(60, 1e9, waits, r)...)} // some never recover
	s, ok := suggestDelays(c, TuneOptions{Worth: DefaultWorth})
	if !ok || s.Verdict != Keep {
		t.Fatalf("%s: %s", s.Verdict, s.Reason.EN)
	}
	for _, want := range []string{"is not known", "let one of the retries come after 161 s for a month"} {
		if !strings.Contains(s.Reason.EN, want) {
			t.Errorf("no %q in %s", want, s.Reason.EN)
		}
	}
	if !strings.Contains(s.Reason.JA, "リトライの1回を161秒後に") || strings.Contains(s.Reason.EN, "no sooner") {
		t.Error(s.Reason)
	}
}
