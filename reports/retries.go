package reports

import (
	"strconv"

	"hansei/queries"
)

// retries says how many retries incidents took, and whether they helped.
var retries = Section{"retries", buildRetries}

// manyRetries gathers the long tail of the chart in one bar. Default policies
// allow 5 retries at most; twice that shows a policy that lets go too late.
const manyRetries = 10

func buildRetries(r *Report) *Block {
	if len(r.Retries) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Retries", JA: "リトライ"}),
		Heading: r.say(text{EN: "Retries: how many incidents took how many, and how they ended", JA: "リトライ回数別：何回で、どう終わったか"}),
		Chart:   retriesChart(r),
	}
	b.Table = &Table{Caption: b.Heading, Folded: true, Columns: []string{
		r.say(text{EN: "Retries", JA: "リトライ回数"}), r.say(incidentsColumn), r.say(text{EN: "Resolved", JA: "解決"}), r.say(rateColumn),
	}}
	var all, retried, known, won int64
	for _, c := range r.Retries {
		all += c.Incidents
		if c.Retries > 0 {
			retried += c.Incidents
			known += c.Rated
			won += c.Resolved
		}
		name := number(c.Retries)
		name.Behind = r.behind(queries.ByRetries, name.Text, "")
		b.Table.Rows = append(b.Table.Rows, []Cell{
			name, number(c.Incidents), number(c.Resolved), rateCell(queries.Group{Resolved: c.Resolved, Rated: c.Rated}),
		})
	}
	most := r.Retries[len(r.Retries)-1].Retries
	if known > 0 {
		b.Heading = r.say(text{EN: "Retries: of retried incidents %s were resolved", JA: "リトライ回数別：リトライしたもののうち解決は%s"}, r.rate(won, known))
	}
	b.Lead = []string{r.say(text{EN: "Of %s with known attempts, none was retried.", JA: "試行回数の分かる%sのうち、リトライしたものはありません。"}, r.count(all, incidentNoun))}
	if retried > 0 {
		b.Lead = []string{r.say(text{
			EN: "Of %s with known attempts, %s were retried, at most with %s.",
			JA: "試行回数の分かる%sのうち、リトライしたのは%s件、最多は%sです。",
		}, r.count(all, incidentNoun), group(retried), r.count(most, retryNoun))}
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "Without cancelled incidents, and without those that tell no attempt.",
		JA: "キャンセルされたもの、試行回数の記録がないものを除く。",
	}))
	return b
}

// retriesChart has a bar for every number of retries up to manyRetries, zeros
// too, and one for all above.
func retriesChart(r *Report) *Chart {
	last := min(r.Retries[len(r.Retries)-1].Retries, manyRetries)
	counts := make([]queries.Group, last+1)
	for _, c := range r.Retries {
		counts[min(c.Retries, last)].Incidents += c.Incidents
		counts[min(c.Retries, last)].Resolved += c.Resolved
		counts[min(c.Retries, last)].Rated += c.Rated
	}
	c := &Chart{
		ID:      "chart-retries",
		Caption: r.say(text{EN: "Incidents by number of retries and outcome", JA: "リトライ回数別の発生件数と結果"}),
		Alt:     r.say(text{EN: "Bars: how many incidents took how many retries, split by outcome. The table has every number.", JA: "棒グラフ：リトライ回数別の発生件数（結果別）。数値はすべて表にあります。"}),
	}
	resolved := Series{Name: r.say(text{EN: "resolved", JA: "解決"}), Colour: blue}
	unresolved := Series{Name: r.say(text{EN: "not resolved", JA: "未解決"}), Colour: orange}
	unseen := Series{Name: r.say(text{EN: "end not shown", JA: "結果不明"}), Colour: skyBlue}
	for n, g := range counts {
		label := strconv.Itoa(n)
		if n == manyRetries {
			label += "+"
		}
		c.Labels = append(c.Labels, label)
		c.Ends = append(c.Ends, group(g.Incidents))
		c.Tips = append(c.Tips, r.groupTip(r.say(text{EN: "retries: %s", JA: "リトライ%s回"}, label), g))
		resolved.Values = append(resolved.Values, float64(g.Resolved))
		unresolved.Values = append(unresolved.Values, float64(rated(g)-g.Resolved))
		unseen.Values = append(unseen.Values, float64(g.Outside()))
	}
	c.Series = occurring(resolved, unresolved, unseen)
	return c
}
