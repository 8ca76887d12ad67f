package reports

import (
	"strings"
	"testing"

	"hansei/queries"
)

// TestVainRetries wants the advice to stop retrying only where retries do not
// help, however many were in vain elsewhere.
func TestVainRetries(t *testing.T) {
	mended := queries.WastedGroup{Category: "code_error", Operation: "run_code", Retries: 206, Incidents: 70, Tried: 305}
	hopeless := queries.WastedGroup{Category: "auth", Operation: "speak", Retries: 182, Incidents: 39, Tried: 40}
	for _, tt := range []struct {
		name    string
		wasted  []queries.WastedGroup
		advised string // what the advice must hold; empty: there is none
	}{
		{"some of each", []queries.WastedGroup{mended, hopeless}, "auth in speak: 182 retries resolved 1 of 40 incidents"},
		{"all mended", []queries.WastedGroup{mended}, ""},
		{"none", nil, ""},
	} {
		r := &Report{Options: Options{Lang: EN}, Wasted: tt.wasted}
		var advice []string
		for _, p := range r.toDo() {
			if strings.Contains(p.Text, "Stop retrying") {
				advice = append(advice, p.Text)
			}
		}
		if (len(advice) > 0) != (tt.advised != "") || len(advice) > 0 && !strings.Contains(advice[0], tt.advised) {
			t.Errorf("%s: advised %q, want %q", tt.name, advice, tt.advised)
		}
	}
}
