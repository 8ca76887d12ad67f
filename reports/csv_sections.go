package reports

import (
	"strconv"
	"time"
)

// A csvSection is a row of a section that is no breakdown: the texts and
// numbers of the columns that it has.
type csvSection map[string]string

// csvSections are the sections after the breakdowns. Their dimensions: an hour
// has the weekday (1 is Monday) and hour as its key, "1 13", an outage its
// provider, a message its fingerprint; wasted retries and human hand-offs have
// category and operation. The others are of csvTables.
func (r *Report) csvSections() (rows []csvSection) {
	add := func(dimension, key string, row csvSection) {
		row["dimension"], row["key"] = dimension, csvText(key)
		rows = append(rows, row)
	}
	for _, h := range r.Hours {
		add("hour", csvInt(h.Weekday)+" "+csvInt(h.Hour), csvSection{"incidents": csvInt(h.Incidents)})
	}
	for _, o := range r.Outages {
		add("outage", o.Provider, csvSection{"category": csvText(o.Category), "from": r.csvTime(o.From), "to": r.csvTime(o.To),
			"incidents": strconv.Itoa(o.Incidents), "agents": strconv.Itoa(o.Agents), "busy_hour": strconv.Itoa(o.Usual)})
	}
	for _, m := range r.Messages {
		row := csvSection{"text": csvText(m.Text), "category": csvText(m.Category), "operation": csvText(m.Operation),
			"incidents": csvInt(m.Incidents), "resolved": csvInt(m.Resolved), "rated": csvInt(m.Rated),
			"resolution_rate": csvFloat(quotient(m.Resolved, m.Rated)), "from": r.csvTime(m.FirstSeen), "to": r.csvTime(m.LastSeen)}
		if mark := markOf(m); mark != nil {
			row["mark"] = *mark
		}
		add("message", m.Fingerprint, row)
	}
	for _, g := range r.Wasted {
		row := csvSection{"category": csvText(g.Category), "operation": csvText(g.Operation), "retries": csvInt(g.Retries), "incidents": csvInt(g.Incidents), "tried": csvInt(g.Tried)}
		if g.WaitedMS.Valid {
			row["waited_ms"] = csvInt(g.WaitedMS.V)
		}
		if g.Tokens.Valid {
			row["tokens"] = csvInt(g.Tokens.V)
		}
		add("wasted", "", row)
	}
	for _, g := range r.Human {
		add("human", "", csvSection{"category": csvText(g.Category), "operation": csvText(g.Operation), "human": csvInt(g.Human),
			"incidents": csvInt(g.Incidents), "retries": csvInt(g.Retries), "median_s": csvFloat(thousandths(g.Seconds))})
	}
	r.csvTables(add)
	return rows
}

// row is the section's row in the table.
func (s csvSection) row() []string {
	row := make([]string, len(csvColumns))
	for i, column := range csvColumns {
		row[i] = s[column]
	}
	return row
}

func (r *Report) csvTime(t time.Time) string { return r.local(t).Format(time.RFC3339) }

func csvInt(n int64) string { return strconv.FormatInt(n, 10) }
