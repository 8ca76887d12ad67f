package fleet

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// source is the random source of one cell in one month.
func source(seed uint64, key string, month int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", key, month)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// count draws how many incidents a month has around mean, with the spread of
// independent arrivals. Under five the mean itself: a thin cell stays thin.
func count(r *rand.Rand, mean float64) int {
	if mean < 5 {
		return int(mean)
	}
	return int(max(0, math.Round(mean+math.Sqrt(mean)*r.NormFloat64())))
}

// factor draws the spread of a duration or a token count: log-normal, with
// sigma 0.4 so that nine in ten lie between half and twice the middle.
func factor(r *rand.Rand) float64 { return math.Exp(0.4 * r.NormFloat64()) }

// spread draws a duration around its middle, in whole milliseconds, at least one.
func spread(r *rand.Rand, middle time.Duration) time.Duration {
	d := time.Duration(float64(middle) * factor(r)).Truncate(time.Millisecond)
	return max(d, time.Millisecond)
}

func pickEnding(r *rand.Rand, from []outcome) ending {
	total := 0
	for _, o := range from {
		total += o.weight
	}
	if total == 0 {
		return silence
	}
	n := r.IntN(total)
	for _, o := range from {
		if n -= o.weight; n < 0 {
			return o.ending
		}
	}
	return silence
}

// A rhythm is when an agent's incidents begin, in UTC, which is also the time
// zone that reports have by default.
type rhythm struct {
	hours            [24]float64 // weights
	saturday, sunday float64     // weights beside 1 of a working day
}

// The two rhythms: agents that people talk to, and jobs that also run at night.
var (
	office = rhythm{
		hours: [24]float64{
			1, 1, 1, 1, 1, 2, 4, 10, 22, 30, 32, 28,
			18, 26, 32, 30, 27, 20, 11, 7, 5, 4, 3, 2,
		},
		saturday: 0.25, sunday: 0.15,
	}
	batch = rhythm{
		hours: [24]float64{
			9, 12, 14, 12, 8, 5, 5, 8, 14, 18, 19, 17,
			13, 16, 18, 17, 15, 12, 9, 7, 6, 6, 7, 8,
		},
		saturday: 0.6, sunday: 0.5,
	}
)

// draw returns a time in the month that begins at first.
func (h *rhythm) draw(r *rand.Rand, first time.Time) time.Time {
	days := first.AddDate(0, 1, 0).Sub(first) / (24 * time.Hour)
	weights := make([]float64, days)
	for i := range weights {
		switch first.AddDate(0, 0, i).Weekday() {
		case time.Saturday:
			weights[i] = h.saturday
		case time.Sunday:
			weights[i] = h.sunday
		default:
			weights[i] = 1
		}
	}
	day, hour := weighted(r, weights), weighted(r, h.hours[:])
	into := time.Duration(r.Int64N(int64(time.Hour))).Truncate(time.Millisecond)
	return first.AddDate(0, 0, day).Add(time.Duration(hour)*time.Hour + into)
}

// weighted draws an index by its weight.
func weighted(r *rand.Rand, weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	x := r.Float64() * total
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// An Outage is a time in which the calls to one provider fail for all agents.
type Outage struct {
	Provider string
	From, To time.Time
	Hazard   float64 // chance that a retry passes meanwhile
}

// outagePerCell is the incidents that an outage adds to each of the ten cells it
// hits: together a little more than the whole fleet has in four busy hours.
const outagePerCell = 14

// OutageOf returns the outage in the last month of o: the first Wednesday from
// the 14th on, in the busy afternoon. Nearly no retry passes.
func OutageOf(o Options) Outage {
	year, month, _ := o.From.UTC().Date()
	day := time.Date(year, month+time.Month(o.Months)-1, 14, 13, 0, 0, 0, time.UTC)
	for day.Weekday() != time.Wednesday {
		day = day.AddDate(0, 0, 1)
	}
	return Outage{Provider: "google", From: day, To: day.Add(4 * time.Hour), Hazard: 0.06}
}

// draw returns a time within the outage.
func (o *Outage) draw(r *rand.Rand) time.Time {
	return o.From.Add(time.Duration(r.Int64N(int64(o.To.Sub(o.From)))).Truncate(time.Millisecond))
}
