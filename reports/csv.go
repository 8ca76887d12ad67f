package reports

import (
	"database/sql"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"hansei/queries"
)

// csvColumns are the columns of the one table, in its order: those of the
// breakdowns, then those that only other sections have. A row leaves empty
// what it does not have.
var csvColumns = []string{
	"dimension", "key", "agent", "events", "incidents", "resolved", "cancelled", "resolution_rate", "retries_mean", "rated",
	"incidents_before", "incidents_ratio", "incidents_ratio_low", "incidents_ratio_high",
	"resolution_rate_change", "resolution_rate_change_low", "resolution_rate_change_high",
	"retries_mean_change", "retries_mean_change_low", "retries_mean_change_high",
	"category", "operation", "text", "mark", "from", "to", "agents", "busy_hour", "human", "retries", "waited_ms", "tokens", "median_s",
	"open", "p90_s", "seen", "half_s", "half_low_s", "half_high_s", "code", "provider", "target", "value", "n", "verdict",
	"with_attempts", "with_outcome", "published", "stored", "deduplicated", "quarantined", "expired", "found",
	"knob", "unit", "current", "suggested", "extrapolated", "effect_resolved", "effect_retries", "effect_wait_s", "tried",
	"effect_tokens", "effect_cost_usd",
}

// csv writes one table, as RFC 4180 has it: the total, all breakdowns, and all
// other sections. It is the same in every language, so that what reads it need
// not care.
func (r *Report) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	t := r.Totals
	rows := [][]string{
		csvColumns,
		csvRow(queries.Group{Dimension: "total", Events: t.Events, Incidents: t.Incidents, Resolved: t.Resolved,
			Cancelled: t.Cancelled, ResolutionRate: t.ResolutionRate, RetriesMean: t.RetriesMean, Rated: t.Rated}, r.jsonTotalChanges()),
	}
	for _, d := range dimensions {
		for _, g := range r.Groups[d] {
			rows = append(rows, csvRow(g, r.jsonChanges(g)))
		}
	}
	for _, s := range r.csvSections() {
		rows = append(rows, s.row())
	}
	return out.WriteAll(rows)
}

func csvRow(g queries.Group, c *jsonChanges) []string {
	row := []string{
		string(g.Dimension), csvText(g.Key), csvText(g.Agent),
		csvInt(g.Events), csvInt(g.Incidents),
		csvInt(g.Resolved), csvInt(g.Cancelled),
		csvFloat(g.ResolutionRate), csvFloat(g.RetriesMean), csvInt(g.Rated),
	}
	if c == nil {
		c = &jsonChanges{}
		row = append(row, "")
	} else {
		row = append(row, csvInt(c.IncidentsBefore))
	}
	for _, change := range []*jsonChange{c.Incidents, c.ResolutionRate, c.RetriesMean} {
		if change == nil {
			change = &jsonChange{}
		}
		for _, v := range []*float64{change.Value, change.Low, change.High} {
			row = append(row, csvNumber(v))
		}
	}
	return append(row, make([]string, len(csvColumns)-len(row))...)
}

// csvText keeps a spreadsheet from taking text of an event for a formula:
// OWASP's "CSV Injection" lists the first characters that make one.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}

func csvNumber(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func csvFloat(v sql.Null[float64]) string {
	return csvNumber(pointer(v))
}
