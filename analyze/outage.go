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
	n, agents int
	last      string // agent that was counted
}

// findOutages marks the chains that opened in an outage, and returns the
// outages by time. An hour belongs to one when so many incidents of one
// category, from at least outageAgents agents, would be rarer than
// outageChance under a Poisson law. Its mean is the 90 % point of the busy
// hours of that category, so that the daily rhythm is no outage, or that of its
// days, if that is less (see usualDay): an outage of fewer than a tenth of either
// cannot hide itself in it. It is more where the hour is one that repeats, see
// burstDays.repeated.
func findOutages(cells []Cell) []Outage {
	out := burstsOf(cells, outageAgents)
	for i := range cells {
		c := &cells[i]
		c.bursts = nil
		for _, o := range out {
			if o.Category == c.Scope.Category {
				c.bursts = append(c.bursts, o)
			}
		}
		markOutages(c.laid, c.bursts) // those that are not laid out yet are marked then
	}
	return out
}

// burstsLeftIn returns the bursts of a fleet that is too small for outages.
func burstsLeftIn(cells []Cell) []Outage {
	agents := map[string]bool{}
	for i := range cells {
		if cells[i].size() > 0 {
			agents[cells[i].Scope.Agent] = true
		}
	}
	if len(agents) >= outageAgents {
		return nil
	}
	return burstsOf(cells, 1)
}

// burstsOf returns the bursts of so many agents at least, by time.
func burstsOf(cells []Cell, agents int) []Outage {
	var byAgent []*Cell
	for i := range cells {
		byAgent = append(byAgent, &cells[i])
	}
	slices.SortStableFunc(byAgent, func(a, b *Cell) int { return cmp.Compare(a.Scope.Agent, b.Scope.Agent) })
	hours := map[string]burstDays{}
	for _, c := range byAgent {
		if hours[c.Scope.Category] == nil {
			hours[c.Scope.Category] = burstDays{}
		}
		c.countHours(hours[c.Scope.Category])
	}
	var out []Outage
	for category, of := range hours {
		if len(of) == 0 { // of cells without incidents
			continue
		}
		out = append(out, bursts(category, of, agents)...)
	}
	slices.SortFunc(out, func(a, b Outage) int { return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Category, b.Category)) })
	return out
}

// burstDays are the incidents of a category by hour, in days that are counted
// from 1970, as the hours are: a day is looked up once for several hours.
type burstDays map[int64]*[burstsADay]burst

const burstsADay = int64(24 * time.Hour / outageHours)

// countHours adds the incidents of the cell to their hours. Cells of one agent
// come one after the other.
func (c *Cell) countHours(of burstDays) {
	const hour = int64(outageHours / time.Microsecond)
	var day *[burstsADay]burst // of the incident before, which mostly goes on
	begin := int64(0)
	for micros := range c.openings {
		if day == nil || micros < begin || micros >= begin+burstsADay*hour {
			at := micros / (burstsADay * hour)
			if micros < at*burstsADay*hour {
				at--
			}
			if begin, day = at*burstsADay*hour, of[at]; day == nil {
				day = new([burstsADay]burst)
				of[at] = day
			}
		}
		b := &day[(micros-begin)/hour]
		if b.agents == 0 || b.last != c.Scope.Agent {
			b.agents, b.last = b.agents+1, c.Scope.Agent
		}
		b.n++
	}
}

// openings yields the microseconds at which the incidents of the cell opened.
func (c *Cell) openings(yield func(int64) bool) {
	if c.recorded != nil {
		for _, micros := range c.recorded.opened {
			if !yield(micros) {
				return
			}
		}
		return
	}
	for i := range c.laid {
		if !yield(c.laid[i].Opened.UnixMicro()) {
			return
		}
	}
}

// markOutages marks the chains that opened in one of the outages of their category.
func markOutages(chains []Chain, of []Outage) {
	for i := range chains {
		c := &chains[i]
		c.Outage = slices.ContainsFunc(of, func(o Outage) bool { return !c.Opened.Before(o.From) && c.Opened.Before(o.To) })
	}
}

// hour returns what happened in an hour.
func (of burstDays) hour(at int64) burst {
	day := dayOf(at)
	if of[day] == nil {
		return burst{}
	}
	return of[day][at-day*burstsADay]
}

// repeated returns how many incidents come again and again at this hour of the
// day, or of the week, as of a batch that runs every night: a third of the days
// from first to last, and two others at least, had as many. 0: none do.
func (of burstDays) repeated(hour, first, last int64) (most int) {
	for _, period := range []int64{burstsADay, 7 * burstsADay} {
		var counts []int
		for at := first + (hour-first)%period; at <= last; at += period {
			counts = append(counts, of.hour(at).n)
		}
		slices.Sort(counts)
		if others := max(2, (len(counts)+1)/3); others < len(counts) { // a third of the others, rounded up
			most = max(most, counts[len(counts)-1-others])
		}
	}
	return most
}

// enoughToRank is the least number of values of which the 90 % point is not the largest.
const enoughToRank = 10

// point is the 90 % point of sorted counts; of too few the middle one.
func point(counts []int) int {
	if len(counts) < enoughToRank {
		return counts[len(counts)/2]
	}
	return counts[len(counts)*9/10]
}

// farAbove is how many times the middle day's a busy hour is that no chance makes of
// days that are alike: of the busiest of 24 hours the 90 % point is at most twice the
// middle under a Poisson law.
const farAbove = 3

// usualDay is the 90 % point of what the busiest hour of a day had, of all days
// from first to last, quiet ones too, and the middle of the others if that is more:
// one long outage is many of the busy hours of a quiet category, and one of its days.
// Outages of several days must not hide each other: what is far above the middle
// is usual only if a fifth of the days had as many.
func (of burstDays) usualDay(days int) int {
	var most []int
	for _, day := range of {
		n := 0
		for _, b := range day {
			n = max(n, b.n)
		}
		most = append(most, n)
	}
	slices.Sort(most)
	middle := most[len(most)/2]
	tenths := func(n int) int { return most[max(0, days*n/10-(days-len(most)))] }
	return min(max(middle, tenths(9)), max(farAbove*middle, tenths(8)))
}

// dayOf is the day of an hour.
func dayOf(hour int64) int64 {
	if hour < 0 {
		return (hour+1)/burstsADay - 1
	}
	return hour / burstsADay
}

// bursts returns the bursts of one category, of so many agents at least; hours
// next to each other are one, with an hour between them too.
func bursts(category string, of burstDays, agents int) []Outage {
	var counts []int
	var times []int64
	for at, day := range of {
		for i, b := range day {
			if b.n > 0 {
				counts = append(counts, b.n)
				times = append(times, at*burstsADay+int64(i))
			}
		}
	}
	slices.Sort(counts)
	slices.Sort(times)
	usual := point(counts)
	if days := int(dayOf(times[len(times)-1])-dayOf(times[0])) + 1; days >= enoughToRank {
		usual = min(usual, of.usualDay(days))
	}
	var out []Outage
	for _, hour := range times {
		b, at := of.hour(hour), time.Unix(hour*int64(outageHours/time.Second), 0).UTC()
		if b.agents < agents || poissonAtLeast(b.n, float64(usual)) >= outageChance ||
			poissonAtLeast(b.n, float64(of.repeated(hour, times[0], times[len(times)-1]))) >= outageChance {
			continue
		}
		if n := len(out); n > 0 && !out[n-1].To.Add(outageHours).Before(at) {
			out[n-1].To = at.Add(outageHours)
			out[n-1].Incidents += b.n
			out[n-1].Agents = max(out[n-1].Agents, b.agents)
			continue
		}
		out = append(out, Outage{category, at, at.Add(outageHours), b.n, b.agents})
	}
	return out
}
