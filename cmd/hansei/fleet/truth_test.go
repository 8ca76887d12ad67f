package fleet

import (
	"math"
	"testing"
	"time"

	"hansei/ingest"
)

// hit says whether e lies in the outage of o.
func hit(o Options, e ingest.Event) bool {
	out := OutageOf(o)
	return e.Provider == out.Provider && !e.Time.Before(out.From) && e.Time.Before(out.To)
}

// TestHazards holds what can be seen of each cell against its truth.
func TestHazards(t *testing.T) {
	cells, labels := Cells(), Labels(quarter)
	type tally struct{ atRisk, won float64 }
	seen := make([][]tally, len(cells))
	for i := range cells {
		seen[i] = make([]tally, cells[i].MaxRetries+1)
	}
	for _, chain := range byIncident(quarterEvents()) {
		if hit(quarter, chain[0]) {
			continue
		}
		for _, e := range chain {
			if e.Attempt.V < 2 {
				continue
			}
			s := &seen[labels[e.ID]][e.Attempt.V-1]
			s.atRisk++
			if e.Kind == ingest.Success {
				s.won++
			}
		}
	}
	for i, c := range cells {
		for k := 1; k <= c.MaxRetries; k++ {
			s, h := seen[i][k], c.Hazards[k-1]
			if s.atRisk == 0 {
				if c.Role != Thin {
					t.Errorf("%s × %s × %s: no retry %d", c.Agent, c.Operation, c.Category, k)
				}
				continue
			}
			if off := math.Abs(s.won/s.atRisk - h); off > 4*math.Sqrt(h*(1-h)/s.atRisk) {
				t.Errorf("%s × %s × %s: retry %d passed %v of %v times, truth is %v", c.Agent, c.Operation, c.Category, k, s.won, s.atRisk, h)
			}
			if c.Role != "" {
				t.Logf("%-8s %s × %s × %s: retry %d: %v of %v, truth %v", c.Role, c.Agent, c.Operation, c.Category, k, s.won, s.atRisk, h)
			}
		}
	}
}

// TestCodes holds the fleet against the seed table of the monthly report:
// API_FAILURE 90 % after 1.8 retries, FILE_NOT_FOUND 95 % without retries.
func TestCodes(t *testing.T) {
	type tally struct{ incidents, resolved, retries, counted float64 }
	codes := map[string]*tally{"API_FAILURE": {}, "FILE_NOT_FOUND": {}}
	for _, chain := range byIncident(quarterEvents()) {
		s := codes[chain[0].Code]
		if s == nil {
			continue
		}
		s.incidents++
		s.counted++
		for _, e := range chain {
			if e.Attempt.V > 1 {
				s.retries++
			}
			if e.Kind == ingest.Success {
				s.resolved++
			}
		}
	}
	for _, e := range quarterEvents() {
		s := codes[e.Code]
		if s == nil || e.Incident != "" {
			continue
		}
		s.incidents++
		if e.Attempt.Known {
			t.Errorf("%s: an error log line with an attempt", e.ID)
		}
		if e.Resolution != "" && e.Resolution != "スキップ" {
			s.resolved++
		}
	}
	api, file := codes["API_FAILURE"], codes["FILE_NOT_FOUND"]
	if rate := api.resolved / api.incidents; math.Abs(rate-0.90) > 0.03 {
		t.Errorf("API_FAILURE: %.3f resolved, want about 0.90", rate)
	}
	if mean := api.retries / api.counted; math.Abs(mean-1.8) > 0.1 {
		t.Errorf("API_FAILURE: %.2f retries, want about 1.8", mean)
	}
	if rate := file.resolved / file.incidents; math.Abs(rate-0.95) > 0.03 || file.counted > 0 {
		t.Errorf("FILE_NOT_FOUND: %.3f resolved, %v with attempts; want about 0.95 and none", rate, file.counted)
	}
	t.Logf("API_FAILURE %.0f: %.3f, %.2f; FILE_NOT_FOUND %.0f: %.3f",
		api.incidents, api.resolved/api.incidents, api.retries/api.counted, file.incidents, file.resolved/file.incidents)
}

func TestOutage(t *testing.T) {
	out := OutageOf(quarter)
	if out.From.Before(quarter.From.AddDate(0, quarter.Months-1, 0)) || out.To.After(quarter.From.AddDate(0, quarter.Months, 0)) {
		t.Errorf("outage from %v to %v is not in the last month", out.From, out.To)
	}
	hours := func(from time.Time) (n int, of map[string]bool) {
		of = make(map[string]bool)
		for _, e := range quarterEvents() {
			if e.Kind == ingest.Failure && e.Provider == out.Provider && !e.Time.Before(from) && e.Time.Before(from.Add(out.To.Sub(out.From))) {
				n++
				of[e.Agent] = true
			}
		}
		return n, of
	}
	burst, agentsHit := hours(out.From)
	calm, _ := hours(out.From.AddDate(0, 0, -7))
	if burst < 10*calm || len(agentsHit) < 4 {
		t.Errorf("%d failures of %d agents in the outage, %d a week before", burst, len(agentsHit), calm)
	}
	t.Logf("%s fails from %v: %d failures of %d agents, %d a week before", out.Provider, out.From, burst, len(agentsHit), calm)
}

// TestRhythm wants fewer incidents at night and on weekends, and some growth.
func TestRhythm(t *testing.T) {
	var night, day, weekend, week float64
	months := make([]int, quarter.Months)
	starts := make(map[string]bool)
	counts := make(map[string][2]int) // events, incidents
	for _, e := range quarterEvents() {
		n := counts[e.Agent]
		n[0]++
		if key := e.Incident; e.Kind == ingest.Failure && (key == "" || !starts[key]) {
			starts[key] = true
			n[1]++
			months[(e.Time.Year()-quarter.From.Year())*12+int(e.Time.Month()-quarter.From.Month())]++
			if h := e.Time.Hour(); h < 6 {
				night++
			} else if h >= 9 && h < 15 {
				day++
			}
			if d := e.Time.Weekday(); d == time.Saturday || d == time.Sunday {
				weekend++
			} else {
				week++
			}
		}
		counts[e.Agent] = n
	}
	if night > day/3 || weekend/2 > week/5/2 {
		t.Errorf("night %v beside day %v, weekends %v beside weeks %v", night, day, weekend, week)
	}
	for m := 1; m < len(months); m++ {
		if months[m] <= months[m-1] || float64(months[m]) > 1.2*float64(months[m-1]) {
			t.Errorf("incidents by month %v, want slow growth", months)
		}
	}
	for _, a := range agents {
		t.Logf("%s: %d events, %d incidents", a.name, counts[a.name][0], counts[a.name][1])
	}
	t.Logf("%v incidents by month", months)
}
