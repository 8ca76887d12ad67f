package reports

import (
	"math"

	"hansei/queries"
)

// A jsonChange is a change since the time before, at 95 %: of counts the ratio
// per day (1: none), of rates and means the difference (0: none).
type jsonChange struct {
	Value *float64 `json:"value"` // null: a ratio to nothing
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"` // null: no bound
	Clear bool     `json:"clear"`
}

// jsonChanges are null where there is nothing to compare with.
type jsonChanges struct {
	IncidentsBefore int64       `json:"incidents_before"`
	Incidents       *jsonChange `json:"incidents"`
	ResolutionRate  *jsonChange `json:"resolution_rate"`
	RetriesMean     *jsonChange `json:"retries_mean"`
}

func (c change) json() *jsonChange {
	if !c.known {
		return nil
	}
	return &jsonChange{finite(c.Value), finite(c.Low), finite(c.High), c.Clear}
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

func (r *Report) jsonChanges(g queries.Group) *jsonChanges {
	if !r.compared() {
		return nil
	}
	c := r.changeOf(g)
	return &jsonChanges{r.Before.group(g).Incidents, c.incidents.json(), c.rate.json(), c.retries.json()}
}

// jsonTotalChanges are those of the totals.
func (r *Report) jsonTotalChanges() *jsonChanges {
	if !r.compared() {
		return nil
	}
	t, b := r.Totals, r.Before.Totals
	return &jsonChanges{b.Incidents,
		r.countChange(t.Incidents, t.DaySquares, b.Incidents, b.DaySquares).json(),
		r.rateChange(t.Resolved, t.Rated, b.Resolved, b.Rated).json(),
		r.meanChange(sampleOfTotals(t), sampleOfTotals(b)).json()}
}

type jsonMonth struct {
	Month          string   `json:"month"`
	Incidents      int64    `json:"incidents"`
	Resolved       int64    `json:"resolved"`
	Rated          int64    `json:"rated"`
	Open           int64    `json:"open"`
	ResolutionRate *float64 `json:"resolution_rate"`
	RetriesMean    *float64 `json:"retries_mean"`
	Expired        int64    `json:"expired"` // of these only counts are left, by the month of UTC
}

func (r *Report) jsonTrend() []jsonMonth {
	rows := []jsonMonth{}
	for _, m := range r.Trend {
		rows = append(rows, jsonMonth{m.Month, m.Incidents, m.Resolved, m.Rated, m.Open,
			pointer(quotient(m.Resolved, m.Rated)), pointer(monthMean(m)), m.Expired})
	}
	return rows
}

type jsonTime struct {
	Category   *string `json:"category"` // null: all
	Resolved   int64   `json:"resolved"`
	Unresolved int64   `json:"unresolved"`
	Timed      int64   `json:"timed"`  // resolved ones whose time is known
	P50MS      *int64  `json:"p50_ms"` // of these
	P90MS      *int64  `json:"p90_ms"`
	Seen       int64   `json:"seen"`    // incidents that the next rests on, resolved or not
	HalfMS     *int64  `json:"half_ms"` // within which half of those were resolved; null: fewer were
	HalfLowMS  *int64  `json:"half_low_ms"`
	HalfHighMS *int64  `json:"half_high_ms"` // null: no bound
}

func (r *Report) jsonTimes() []jsonTime {
	rows := []jsonTime{}
	for _, t := range r.Times {
		row := jsonTime{Resolved: t.Resolved, Unresolved: t.Incidents - t.Resolved, Timed: t.Timed, P50MS: pointer(t.P50), P90MS: pointer(t.P90),
			Seen: t.Seen, HalfMS: pointer(t.Half), HalfLowMS: pointer(t.HalfLow), HalfHighMS: pointer(t.HalfHigh)}
		if t.Category != "" {
			row.Category = &t.Category
		}
		rows = append(rows, row)
	}
	return rows
}

type jsonGoal struct {
	Name    string      `json:"name,omitempty"`
	Metric  string      `json:"metric"`
	Code    string      `json:"code,omitempty"`
	Scope   *jsonFilter `json:"scope,omitempty"`
	Target  string      `json:"target"`
	Value   *float64    `json:"value"`
	Before  *float64    `json:"before"`
	N       *int64      `json:"n"` // of a rate or mean
	Verdict goalVerdict `json:"verdict"`
}

func (r *Report) jsonGoals() []jsonGoal {
	rows := []jsonGoal{}
	for _, g := range r.Results {
		m := metricNamed(g.Metric)
		part, whole := m.of(g.Now)
		row := jsonGoal{Name: g.Name, Metric: g.Metric, Code: g.Code, Target: g.targetText(), Value: pointer(quotient(part, whole)),
			Before: pointer(quotient(m.of(g.Before))), Verdict: g.verdict()}
		if m.rate || m.sample != nil {
			row.N = &whole
		}
		if g.Scope != (queries.Filter{}) {
			row.Scope = (*jsonFilter)(&g.Scope)
		}
		rows = append(rows, row)
	}
	return rows
}
