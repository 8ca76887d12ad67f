package analyze

import (
	"cmp"
	"slices"
	"time"
)

// An Outage is a stretch of hours in which a category burst out across agents,
// as when a provider fails.
type Outage struct {
	Category  string    `json:"category"`
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	Incidents int       `json:"incidents"`
	Agents    int       `json:"agents"`
}

const (
	// outageChance is how rare a burst must be in a fleet without outages: one
	// hour in a million is less than one false alarm of a category in a century.
	outageChance = 1e-6
	// outageAgents is the least number of agents: what one or two see is theirs.
	outageAgents = 3
	// outageHours is the length of the stretches that are counted: outages of
	// providers last about an hour and more, and a shorter one moves no policy.
	outageHours = time.Hour
)

type burst struct {
	n      int
	agents map[string]bool
}

// findOutages marks the chains that opened in an outage, and returns the
// outages by time. An hour belongs to one when so many incidents of one
// category, from at least outageAgents agents, would be rarer than
// outageChance under a Poisson law. Its mean is the 90 % point of the busy
// hours of that category, so that the daily rhythm is no outage; an outage of
// fewer than a tenth of them cannot hide itself in it.
func findOutages(cells []Cell) []Outage {
	hours := map[string]map[time.Time]*burst{}
	for _, c := range cells {
		for _, chain := range c.Chains {
			at := chain.Opened.Truncate(outageHours)
			if hours[c.Scope.Category] == nil {
				hours[c.Scope.Category] = map[time.Time]*burst{}
			}
			b := hours[c.Scope.Category][at]
			if b == nil {
				b = &burst{agents: map[string]bool{}}
				hours[c.Scope.Category][at] = b
			}
			b.n++
			b.agents[c.Scope.Agent] = true
		}
	}
	var out []Outage
	for category, of := range hours {
		out = append(out, bursts(category, of)...)
	}
	slices.SortFunc(out, func(a, b Outage) int { return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Category, b.Category)) })
	for i := range cells {
		for j := range cells[i].Chains {
			chain := &cells[i].Chains[j]
			chain.Outage = slices.ContainsFunc(out, func(o Outage) bool {
				return o.Category == cells[i].Scope.Category && !chain.Opened.Before(o.From) && chain.Opened.Before(o.To)
			})
		}
	}
	return out
}

// bursts returns the outages of one category; hours next to each other are one,
// with an hour between them too.
func bursts(category string, of map[time.Time]*burst) []Outage {
	var counts []int
	var times []time.Time
	for at, b := range of {
		counts = append(counts, b.n)
		times = append(times, at)
	}
	slices.Sort(counts)
	slices.SortFunc(times, time.Time.Compare)
	usual := float64(counts[len(counts)*9/10])
	if len(counts) < 10 { // too few hours for a usual one
		usual = float64(counts[len(counts)/2])
	}
	var out []Outage
	for _, at := range times {
		b := of[at]
		if len(b.agents) < outageAgents || poissonAtLeast(b.n, usual) >= outageChance {
			continue
		}
		if n := len(out); n > 0 && !out[n-1].To.Add(outageHours).Before(at) {
			out[n-1].To = at.Add(outageHours)
			out[n-1].Incidents += b.n
			out[n-1].Agents = max(out[n-1].Agents, len(b.agents))
			continue
		}
		out = append(out, Outage{category, at, at.Add(outageHours), b.n, len(b.agents)})
	}
	return out
}
