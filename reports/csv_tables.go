package reports

import (
	"cmp"
	"database/sql"
	"strconv"

	"hansei/analyze"
	"hansei/queries"
)

// csvTables adds the sections whose rows are of the calendar, of the sources,
// of the goals or of the tuner. Their keys: a day 2026-01-31 (its taxonomy is the
// text), a month 2026-01, the number of retries, a category, the goal's metric,
// a source, a suggestion's id. A share has its parts beside it.
func (r *Report) csvTables(add func(dimension, key string, row csvSection)) {
	for _, d := range r.Daily {
		add("day", d.Day, csvSection{"text": csvText(d.Taxonomy), "incidents": csvInt(d.Incidents)})
	}
	for _, m := range r.Trend {
		add("month", m.Month, csvSection{"incidents": csvInt(m.Incidents), "resolved": csvInt(m.Resolved), "rated": csvInt(m.Rated), "open": csvInt(m.Open),
			"resolution_rate": csvFloat(quotient(m.Resolved, m.Rated)), "retries_mean": csvFloat(monthMean(m)), "expired": csvInt(m.Expired)})
	}
	for _, c := range r.Retries {
		add("retries", csvInt(c.Retries), csvSection{"incidents": csvInt(c.Incidents), "resolved": csvInt(c.Resolved), "rated": csvInt(c.Rated),
			"resolution_rate": csvFloat(quotient(c.Resolved, c.Rated))})
	}
	for _, t := range r.Times {
		add("time_to_resolution", t.Category, csvSection{"incidents": csvInt(t.Incidents), "resolved": csvInt(t.Resolved), "n": csvInt(t.Timed),
			"median_s": csvSeconds(t.P50), "p90_s": csvSeconds(t.P90), "seen": csvInt(t.Seen),
			"half_s": csvSeconds(t.Half), "half_low_s": csvSeconds(t.HalfLow), "half_high_s": csvSeconds(t.HalfHigh)})
	}
	for _, g := range r.Results {
		add("goal", g.Metric, r.csvGoal(g))
	}
	for _, c := range r.Coverage {
		add("coverage", c.Source, csvSection{"incidents": csvInt(c.Incidents), "rated": csvInt(c.Rated), "cancelled": csvInt(c.Cancelled),
			"with_attempts": csvInt(c.WithAttempts), "with_outcome": csvInt(c.WithOutcome)})
	}
	add("ledger", "", csvLedger(r.Ledger))
	for _, s := range r.Sources {
		if s.Day == "" {
			add("ledger", cmp.Or(s.Source, "(lost)"), csvLedger(s.Ledger))
		}
	}
	for _, s := range r.Suggestions {
		add("suggestion", s.ID, csvSuggestion(s))
	}
}

// csvSuggestion has the scope, the change, its effect and, as the text, the
// reason. The values of current and suggested are in the unit beside them.
func csvSuggestion(s analyze.Suggestion) csvSection {
	number := func(v *int64) string {
		if v == nil {
			return ""
		}
		return csvInt(*v)
	}
	return csvSection{"agent": csvText(s.Scope.Agent), "operation": csvText(s.Scope.Operation), "category": csvText(s.Scope.Category), "code": csvText(s.Scope.Code),
		"knob": s.Knob, "unit": s.Unit, "current": number(s.Current), "suggested": number(s.Suggested), "verdict": string(s.Verdict),
		"n": strconv.Itoa(s.N), "extrapolated": strconv.FormatBool(s.Extrapolated), "effect_resolved": csvNumber(&s.Effect.Resolved),
		"effect_retries": csvNumber(&s.Effect.Retries), "effect_wait_s": csvNumber(&s.Effect.WaitS),
		"effect_tokens": csvNumber(&s.Effect.Tokens), "effect_cost_usd": csvNumber(&s.Effect.CostUSD), "text": csvText(s.Reason.EN)}
}

func (r *Report) csvGoal(g GoalResult) csvSection {
	m := metricNamed(g.Metric)
	part, whole := m.of(g.Now)
	row := csvSection{"text": csvText(g.Name), "code": csvText(g.Code), "provider": csvText(g.Scope.Provider), "agent": csvText(g.Scope.Agent), "category": csvText(g.Scope.Category), "operation": csvText(g.Scope.Operation),
		"target": g.targetText(), "value": csvFloat(quotient(part, whole)), "verdict": string(g.verdict())}
	if m.rate || m.sample != nil {
		row["n"] = csvInt(whole)
	}
	return row
}

func csvLedger(l queries.Ledger) csvSection {
	return csvSection{"published": csvInt(l.Published), "stored": csvInt(l.Stored), "deduplicated": csvInt(l.Deduplicated),
		"quarantined": csvInt(l.Quarantined), "expired": csvInt(l.Expired), "found": csvInt(l.Rows)}
}

// csvSeconds writes milliseconds as seconds.
func csvSeconds(ms sql.Null[int64]) string {
	if !ms.Valid {
		return ""
	}
	return strconv.FormatFloat(float64(ms.V)/1000, 'f', -1, 64)
}
