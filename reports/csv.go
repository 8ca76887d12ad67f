package reports

import (
	"database/sql"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"hansei/queries"
)

// csv writes one table of all breakdowns, as RFC 4180 has it. It is the same
// in every language, so that what reads it need not care.
func (r *Report) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	t := r.Totals
	rows := [][]string{
		{"dimension", "key", "agent", "events", "incidents", "resolved", "cancelled", "resolution_rate", "retries_mean"},
		csvRow(queries.Group{Dimension: "total", Events: t.Events, Incidents: t.Incidents, Resolved: t.Resolved,
			Cancelled: t.Cancelled, ResolutionRate: t.ResolutionRate, RetriesMean: t.RetriesMean}),
	}
	for _, d := range dimensions {
		for _, g := range r.Groups[d] {
			rows = append(rows, csvRow(g))
		}
	}
	return out.WriteAll(rows)
}

func csvRow(g queries.Group) []string {
	return []string{
		string(g.Dimension), csvText(g.Key), csvText(g.Agent),
		strconv.FormatInt(g.Events, 10), strconv.FormatInt(g.Incidents, 10),
		strconv.FormatInt(g.Resolved, 10), strconv.FormatInt(g.Cancelled, 10),
		csvFloat(g.ResolutionRate), csvFloat(g.RetriesMean),
	}
}

// csvText keeps a spreadsheet from taking text of an event for a formula:
// OWASP's "CSV Injection" lists the first characters that make one.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}

func csvFloat(v sql.Null[float64]) string {
	if !v.Valid {
		return ""
	}
	return strconv.FormatFloat(v.V, 'f', -1, 64)
}
