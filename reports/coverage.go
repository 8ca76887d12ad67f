package reports

import (
	"strings"

	"hansei/queries"
)

// coverage says how much the rates can be trusted.
var coverage = Section{"coverage", buildCoverage}

func buildCoverage(r *Report) *Block {
	if len(r.Coverage) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Coverage", JA: "カバレッジ"}),
		Heading: r.say(text{EN: "Coverage: what the sources were able to show", JA: "カバレッジ：情報源が示せた範囲"}),
		Lead: []string{r.say(text{
			EN: "Rates are exact only as far as a source tells outcomes, and mean retries as far as it tells attempts.",
			JA: "解決率は結果が、平均リトライ回数は試行回数が記録された範囲でのみ正確です。",
		})},
	}
	if sentence := r.outside(); sentence != "" {
		b.Lead = append(b.Lead, sentence)
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "Coverage: %s of incidents are in the resolution rates", JA: "カバレッジ：解決率の対象は%s"}, r.rate(r.Totals.Rated, r.Totals.Incidents))
	b.Notes = []string{r.say(text{
		EN: "With attempts, with outcome: incidents of which an event tells it. In the rates: all but the cancelled ones and those whose source cannot show how they ended.",
		JA: "「試行回数あり」「結果あり」は、イベントに記録のあるインシデント。「率の対象」は、キャンセルされたものと、結果を示せない情報源のものを除くすべて。",
	})}
	b.Table = &Table{Caption: caption, Columns: []string{
		r.say(text{EN: "Source", JA: "情報源"}), r.say(text{EN: "Shows", JA: "示せる内容"}), r.say(incidentsColumn),
		r.say(text{EN: "With attempts", JA: "試行回数あり"}), r.say(text{EN: "With outcome", JA: "結果あり"}),
		r.say(text{EN: "In the rates", JA: "率の対象"}),
	}}
	for _, c := range r.Coverage {
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: clean(c.Source), Behind: r.behind(queries.BySource, c.Source, "")}, {Text: r.shows(c)}, number(c.Incidents), share(c.WithAttempts, c.Incidents), share(c.WithOutcome, c.Incidents),
			share(c.Rated, c.Incidents),
		})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	return b
}

// outside says how many incidents no rate counts, and of which sources they
// are; empty where there are none.
func (r *Report) outside() string {
	n := r.Totals.Outside()
	if n == 0 {
		return ""
	}
	var names []string
	for _, c := range r.Coverage {
		if c.Outside() > 0 {
			names = append(names, clean(c.Source))
		}
	}
	list := strings.Join(names[:min(len(names), 5)], r.say(text{EN: ", ", JA: "、"}))
	return r.say(text{
		EN: "Of %s, %s are outside the resolution rates: their sources (%s) show failures, but not the retries that passed.",
		JA: "インシデント%sのうち%s件は解決率の対象外です。情報源（%s）は失敗を示しますが、成功したリトライは示せません。",
	}, r.count(r.Totals.Incidents, incidentNoun), group(n), list)
}

// shows lists what a source can show.
func (r *Report) shows(c queries.SourceCoverage) string {
	var parts []string
	for _, grade := range []struct {
		has  bool
		name text
	}{
		{c.Attempts.V, text{EN: "attempts", JA: "各試行"}},
		{c.Final.V, text{EN: "final failures", JA: "最後の失敗"}},
		{c.Recoveries.V, text{EN: "recoveries", JA: "成功したリトライ"}},
	} {
		if grade.has {
			parts = append(parts, r.say(grade.name))
		}
	}
	if len(parts) == 0 {
		return r.say(text{EN: "what the agent reports", JA: "エージェントの報告による"})
	}
	return strings.Join(parts, r.say(text{EN: ", ", JA: "、"}))
}

func share(part, whole int64) Cell {
	return Cell{Text: percent(part, whole), Note: group(part) + "/" + group(whole), Told: whole > 0, Numeric: true}
}
