package reports

import (
	"slices"
	"strconv"
	"strings"

	"hansei/queries"
)

// groupTexts are the words of a breakdown's section.
type groupTexts struct {
	name, heading text
	key           text // head of the first column
	finding       text // the heading where there are several: %[1]s the most frequent key, %[2]s its share
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
	if top, ok := foremost(groups); ok {
		b.Heading = r.say(words.finding, r.name(d, top.Key), r.rate(top.Incidents, r.Totals.Incidents))
		if none := groups[0]; none.Key == "" {
			b.Heading += r.say(text{EN: "; %s name none", JA: "（記録なしは%s）"}, r.ratio(none.Incidents, r.Totals.Incidents))
		}
	}
	b.Lead = []string{r.changed(d)}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	if d != queries.ByCode {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Rates, means and changes are computed as for the error codes.",
			JA: "率・平均・変化の計算方法はエラーコード別の表と同じです。",
		}))
	}
	return b
}

// foremost is the most frequent of several groups that has a name.
func foremost(groups []queries.Group) (queries.Group, bool) {
	if len(groups) > 1 && groups[0].Key == "" {
		return groups[1], true
	}
	if len(groups) < 2 {
		return queries.Group{}, false
	}
	return groups[0], true
}

// mostChanged is how many changes of a kind a sentence names.
const mostChanged = 3

// changed names the rows of a breakdown that clearly changed, of those that
// make up enough of all not to be picked from many by chance.
func (r *Report) changed(d queries.Dimension) string {
	if !r.compared() {
		return ""
	}
	var counts, rates, retries []string
	name := func(names []string, g queries.Group, c change) []string {
		if c.short == "" || len(names) == mostChanged {
			return names
		}
		return append(names, r.say(text{EN: "%s (%s)", JA: "%s %s"}, r.name(d, g.Key), c.short))
	}
	for _, g := range append(slices.Clone(r.Groups[d]), r.gone(d)...) {
		n := max(g.Incidents, r.Before.group(g).Incidents)
		if n*noted < max(r.Totals.Incidents, r.Before.Totals.Incidents) || n < fewIncidents {
			continue
		}
		c := r.changeOf(g)
		counts, rates, retries = name(counts, g, c.incidents), name(rates, g, c.rate), name(retries, g, c.retries)
	}
	var parts []string
	for _, part := range []struct {
		what  text
		names []string
	}{
		{text{EN: "occurrences of %s", JA: "発生件数（%s）"}, counts},
		{text{EN: "resolution rate of %s", JA: "解決率（%s）"}, rates},
		{text{EN: "mean retries of %s", JA: "平均リトライ回数（%s）"}, retries},
	} {
		if len(part.names) > 0 {
			parts = append(parts, r.say(part.what, strings.Join(part.names, r.say(text{EN: ", ", JA: "、"}))))
		}
	}
	if len(parts) == 0 {
		return r.say(text{EN: "Of what makes up 2%% of all or more, nothing changed clearly since %s.", JA: "全体の2%%以上を占めるもので、%sから明確に変化したものはありません。"}, r.Before.period)
	}
	return r.say(text{EN: "Clearly changed since %s: %s.", JA: "%sから明確に変化：%s。"}, r.Before.period, strings.Join(parts, r.say(text{EN: "; ", JA: "、"})))
}

func (r *Report) groupTable(d queries.Dimension, words groupTexts) *Table {
	t := &Table{Caption: r.say(words.heading), Columns: []string{r.say(words.key)}}
	if d == queries.ByOperation {
		t.Columns = append(t.Columns, r.say(agentColumn))
	}
	t.Columns = append(t.Columns, r.say(incidentsColumn), r.say(rateColumn), r.say(retriesColumn))
	for _, g := range r.Groups[d] {
		c := r.changeOf(g)
		row := []Cell{{Text: r.label(d, g.Key), Behind: r.behind(d, g.Key, g.Agent), Anchor: anchor(d, len(t.Rows))}}
		if d == queries.ByOperation {
			row = append(row, Cell{Text: clean(g.Agent)})
		}
		rate := rateCell(g).with(c.rate)
		rate.Told = rate.Told && d != queries.ByCode // programs read the first table of Markdown as it always was
		t.Rows = append(t.Rows, append(row, number(g.Incidents).with(c.incidents), rate,
			Cell{Text: r.mean(g.RetriesMean), Numeric: true}.with(c.retries)))
	}
	return t
}

// anchor names row n of a breakdown within the page.
func anchor(d queries.Dimension, n int) string { return string(d) + "-" + strconv.Itoa(n+1) }

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
		c.Told = rated(g) < fewIncidents
	}
	return c
}
