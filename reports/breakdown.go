package reports

import (
	"strconv"

	"hansei/queries"
)

// groupTexts are the words of a breakdown's section.
type groupTexts struct {
	name, heading text
	key           text // head of the first column
	lead          text // of the most frequent key: %[1]s its name, %[2]s its share
}

var (
	agentColumn     = text{EN: "Agent", JA: "エージェント"}
	incidentsColumn = text{EN: "Occurrences", JA: "発生件数"}
	rateColumn      = text{EN: "Resolution rate", JA: "解決率"}
	retriesColumn   = text{EN: "Mean retries", JA: "平均リトライ回数"}
)

// breakdown is the block of a dimension without its chart, nil when nothing
// was grouped by it.
func (r *Report) breakdown(d queries.Dimension, words groupTexts) *Block {
	groups := r.Groups[d]
	if len(groups) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(words.name),
		Heading: r.say(words.heading),
		Table:   r.groupTable(d, words),
		Changes: r.changeTable(d, words),
	}
	if words.lead != (text{}) && len(groups) > 1 {
		top := groups[0]
		b.Lead = []string{r.say(words.lead, r.name(d, top.Key), r.rate(top.Incidents, r.Totals.Incidents))}
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	return b
}

func (r *Report) groupTable(d queries.Dimension, words groupTexts) *Table {
	t := &Table{Caption: r.say(words.heading), Columns: []string{r.say(words.key)}}
	if d == queries.ByOperation {
		t.Columns = append(t.Columns, r.say(agentColumn))
	}
	t.Columns = append(t.Columns, r.say(incidentsColumn), r.say(rateColumn), r.say(retriesColumn))
	for _, g := range r.Groups[d] {
		c := r.changeOf(g)
		row := []Cell{{Text: r.label(d, g.Key), Behind: r.behind(d, g.Key, g.Agent)}}
		if d == queries.ByOperation {
			row = append(row, Cell{Text: clean(g.Agent)})
		}
		t.Rows = append(t.Rows, append(row, number(g.Incidents).with(c.incidents), rateCell(g).with(c.rate),
			Cell{Text: r.mean(g.RetriesMean), Numeric: true}.with(c.retries)))
	}
	return t
}

// with adds to a cell what clearly changed.
func (c Cell) with(ch change) Cell {
	c.Change = ch.short
	return c
}

func number(n int64) Cell { return Cell{Text: strconv.FormatInt(n, 10), Numeric: true} }

// rateCell is the resolution rate of a group, with what it rests on.
func rateCell(g queries.Group) Cell {
	c := Cell{Text: percent(g.Resolved, rated(g)), Note: "\u00a0", Numeric: true} // the space keeps a dash in line
	if rated(g) > 0 {
		c.Note = group(g.Resolved) + "/" + group(rated(g))
	}
	return c
}
