package reports

import (
	"strconv"

	"hansei/queries"
)

// byCode is the table this project began with.
var byCode = Section{"codes", buildByCode}

func buildByCode(r *Report) *Block {
	b := r.breakdown(queries.ByCode, groupTexts{
		name:    text{EN: "Error codes", JA: "エラーコード"},
		heading: text{EN: "Error codes: how often, how well resolved, after how many retries", JA: "エラーコード別の発生件数・解決率・平均リトライ回数"},
		key:     text{EN: "Error code", JA: "エラーコード"},
		finding: text{EN: "Error codes: %s most often, %s", JA: "エラーコード別：最多は%s、%s"},
	})
	if b == nil {
		return nil
	}
	b.Chart = codeChart(r)
	b.Notes = append(b.Notes, r.say(text{
		EN: "Resolution rate: resolved incidents out of all but the cancelled ones and those whose source cannot show how they ended. Mean retries: largest attempt minus 1, over incidents that carry an attempt; a dash where none does.",
		JA: "解決率は、キャンセルされたものと、結果を示せない情報源のものを除くインシデントのうち、解決したものの割合。平均リトライ回数は、試行回数が記録されたインシデントの（最大試行回数−1）の平均。記録がなければ「-」。",
	}))
	if b.Changes != nil {
		b.Notes = append(b.Notes, r.changeNote())
	}
	return b
}

// maxBars is how many codes the chart shows by name: what fits a screen.
const maxBars = 12

// codeChart shows the most frequent codes and, in the last bar, all others.
func codeChart(r *Report) *Chart {
	groups := r.Groups[queries.ByCode]
	c := &Chart{
		ID:         "chart-codes",
		Caption:    r.say(text{EN: "Incidents by error code and outcome", JA: "エラーコード別の発生件数と結果"}),
		Horizontal: true,
	}
	resolved := Series{Name: r.say(text{EN: "resolved", JA: "解決"}), Colour: blue}
	unresolved := Series{Name: r.say(text{EN: "not resolved", JA: "未解決"}), Colour: orange}
	unseen := Series{Name: r.say(text{EN: "end not shown", JA: "結果不明"}), Colour: skyBlue}
	cancelled := Series{Name: r.say(text{EN: "cancelled", JA: "キャンセル"}), Colour: grey}
	add := func(name string, g queries.Group) {
		c.Labels = append(c.Labels, axisLabel(name))
		c.Ends = append(c.Ends, group(g.Incidents))
		c.Tips = append(c.Tips, r.groupTip(name, g))
		resolved.Values = append(resolved.Values, float64(g.Resolved))
		unresolved.Values = append(unresolved.Values, float64(rated(g)-g.Resolved))
		unseen.Values = append(unseen.Values, float64(g.Outside()))
		cancelled.Values = append(cancelled.Values, float64(g.Cancelled))
	}
	for _, g := range groups[:min(len(groups), maxBars)] {
		add(r.name(queries.ByCode, g.Key), g)
	}
	if len(groups) > maxBars {
		var rest queries.Group
		for _, g := range groups[maxBars:] {
			rest.Incidents += g.Incidents
			rest.Resolved += g.Resolved
			rest.Rated += g.Rated
			rest.Cancelled += g.Cancelled
		}
		add(r.say(text{EN: "%s more codes", JA: "他%sコード"}, strconv.Itoa(len(groups)-maxBars)), rest)
	}
	c.Series = occurring(resolved, unresolved, unseen, cancelled)
	top := groups[0]
	c.Alt = r.say(text{
		EN: "Horizontal bars: incidents of each error code, split by outcome. %s has most: %s. The table has every number.",
		JA: "横棒グラフ：エラーコード別の発生件数（結果別）。最多は%sで%s。数値はすべて表にあります。",
	}, r.name(queries.ByCode, top.Key), r.count(top.Incidents, incidentNoun))
	return c
}

// groupTip is the tooltip of a group's bar.
func (r *Report) groupTip(name string, g queries.Group) string {
	tip := name + "\n" + r.count(g.Incidents, incidentNoun) + "\n" +
		r.say(text{EN: "resolved: ", JA: "解決："}) + r.rate(g.Resolved, rated(g))
	if n := g.Outside(); n > 0 {
		tip += "\n" + r.say(text{EN: "end not shown: ", JA: "結果不明："}) + group(n)
	}
	if g.Cancelled > 0 {
		tip += "\n" + r.say(text{EN: "cancelled: ", JA: "キャンセル："}) + group(g.Cancelled)
	}
	return tip
}
