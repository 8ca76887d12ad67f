package reports

import (
	"strconv"

	"hansei/analyze"
	"hansei/queries"
)

// outages says when providers failed, as far as agents saw it.
var outages = Section{"outages", buildOutages}

func buildOutages(r *Report) *Block {
	if len(r.Outages) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Outages", JA: "障害"}),
		Heading: r.say(text{EN: "Provider outages: bursts across agents", JA: "プロバイダー障害：複数エージェントにわたる急増"}),
	}
	worst, all := r.Outages[0], 0
	for _, o := range r.Outages {
		all += o.Incidents
		if o.Incidents > worst.Incidents {
			worst = o
		}
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "Provider outages: %d, the largest at %s with %s", JA: "プロバイダー障害：%d件、最大は%sの%s"},
		len(r.Outages), clean(worst.Provider), r.count(int64(worst.Incidents), incidentNoun))
	b.Lead = []string{r.say(text{
		EN: "%s of all incidents opened in outages. The largest: %s, %s, %s, %s of %d agents.",
		JA: "障害の間に起きたのは%s。最大のものは%s（%s）、%s、%s、%dエージェントです。",
	}, r.rate(int64(all), r.Totals.Incidents), clean(worst.Provider), r.name(queries.ByCategory, worst.Category), r.stretch(worst),
		r.count(int64(worst.Incidents), incidentNoun), worst.Agents)}
	b.Table = &Table{Caption: caption, Columns: []string{
		r.say(text{EN: "Provider, category", JA: "プロバイダー・カテゴリ"}), r.say(text{EN: "When", JA: "期間"}),
		r.say(incidentsColumn), r.say(text{EN: "Agents", JA: "エージェント数"}), r.say(text{EN: "Busy hour", JA: "通常の多い1時間"}),
	}}
	for i, o := range r.Outages {
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: clean(o.Provider) + r.say(text{EN: ", ", JA: "・"}) + r.name(queries.ByCategory, o.Category), Behind: r.behind(queries.ByOutage, strconv.Itoa(i), "")},
			{Text: r.stretch(o)}, number(int64(o.Incidents)), number(int64(o.Agents)), number(int64(o.Usual)),
		})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "An hour belongs to an outage when so many incidents of one provider and category, from 3 agents or more, would come less than once in a million hours (Poisson). Its mean is the 90% point of the hours that had any, or, if that is less, of the busiest hours of the days (at most three times the middle day's, unless a fifth of the days had as many); and what a third of the days had at that hour of the day or of the week, if that is more: the busy hour. The tuner's rule is the same, over all providers.",
		JA: "同じプロバイダーとカテゴリで3エージェント以上にわたり、100万時間に1回も起きない件数（ポアソン分布）となった時間を障害とします。平均には、発生のあった時間の90%点と、日ごとの最も多い1時間の90%点（中央の日の3倍まで。5日に1日は同数に達する場合を除く）の少ない方を使用し、毎日または毎週の同じ時刻に3回に1回は起きる件数がそれより多ければその件数とします（通常の多い1時間）。チューナーの基準も同じです（全プロバイダー対象）。",
	}))
	return b
}

// stretch names the time of an outage: "2026-03-18 13:00 to 17:00".
func (r *Report) stretch(o analyze.ProviderOutage) string {
	to := o.To.In(r.Span.Location)
	end := to.Format("15:04")
	if r.date(o.From) != r.date(o.To) {
		end = r.minute(o.To)
	}
	return r.say(text{EN: "%s to %s", JA: "%s〜%s"}, r.minute(o.From), end)
}
