package reports

import (
	"database/sql"
	"slices"
	"time"

	"hansei/queries"
)

// byMonth says how the twelve months went, this one last.
var byMonth = Section{"months", buildByMonth}

// trendMonths is how far back the report looks: a year shows every season once.
const trendMonths = 12

// trendSpan is the twelve months up to that of the span's last day.
func (r *Report) trendSpan() queries.Span {
	s := r.Span
	year, month, _ := r.lastDay().Date()
	s.From = time.Date(year, month, 1, 0, 0, 0, 0, s.Location).AddDate(0, 1-trendMonths, 0)
	return s
}

// months are the twelve months in order; one without incidents is all zero.
func (r *Report) months() []queries.TrendMonth {
	found := map[string]queries.TrendMonth{}
	for _, m := range r.Trend {
		found[m.Month] = m
	}
	var all []queries.TrendMonth
	from := r.trendSpan().From.In(r.Span.Location)
	for i := range trendMonths {
		m := found[from.AddDate(0, i, 0).Format("2006-01")]
		m.Month = from.AddDate(0, i, 0).Format("2006-01")
		all = append(all, m)
	}
	return all
}

func buildByMonth(r *Report) *Block {
	if len(r.Trend) < 2 {
		return nil // one month is no trend
	}
	b := &Block{
		Name:    r.say(text{EN: "Months", JA: "月別"}),
		Heading: r.say(text{EN: "Twelve months: how often, how well resolved, after how many retries", JA: "12か月の推移：発生件数・解決率・平均リトライ回数"}),
		Chart:   monthChart(r),
	}
	b.Table = &Table{Caption: b.Heading, Folded: true, Columns: []string{
		r.say(text{EN: "Month", JA: "月"}), r.say(incidentsColumn), r.say(rateColumn), r.say(retriesColumn),
	}}
	b.Heading, b.Lead = r.monthLead()
	var expired int64
	for _, m := range r.months() {
		expired += m.Expired
		if m.Month < r.Trend[0].Month {
			continue // before the first incident nobody was listening
		}
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: m.Month, Behind: r.monthBehind(m)}, number(m.Incidents), rateCell(queries.Group{Resolved: m.Resolved, Rated: m.Rated}),
			{Text: r.mean(monthMean(m)), Numeric: true},
		})
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "An incident belongs to the month of its first failure in the time zone %s, however long it took.",
		JA: "インシデントは最初の失敗があった月に属します（タイムゾーン：%s）。",
	}, r.Span.Location))
	if first := r.Trend[0].Month; first > r.months()[0].Month {
		b.Notes = append(b.Notes, r.say(text{EN: "The table begins with %s, the first of the twelve months that has incidents.", JA: "表は、12か月のうち最初にインシデントがある%sから始まります。"}, first))
	}
	if expired > 0 {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Of %s only monthly counts are left, as their events have expired; their months are those of UTC.",
			JA: "%sは保存期限を過ぎ、月別の集計だけが残っています。その月はUTCによります。",
		}, r.count(expired, incidentNoun)))
	}
	if r.Span.Filter.Provider != "" {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Incidents whose events have expired are left out: the counts that remain of them name no provider.",
			JA: "保存期限を過ぎたインシデントは含みません。残っている集計にプロバイダーの記録がないためです。",
		}))
	}
	return b
}

// monthBehind is what a month rests on: its figures, and its codes.
func (r *Report) monthBehind(m queries.TrendMonth) *Behind {
	if m.Incidents == 0 || !r.Behind {
		return r.noIncident()
	}
	b := &Behind{Lines: []Line{
		{Text: r.say(text{EN: "Resolved", JA: "解決"}), Note: r.rate(m.Resolved, m.Rated)},
		{Text: r.say(text{EN: "Outside the rates: cancelled, or the end is not shown", JA: "率の対象外（キャンセル・結果不明）"}), Note: group(m.Incidents - m.Rated)},
		{Text: r.say(text{EN: "Still open", JA: "未完了"}), Note: group(m.Open)},
		{Text: r.say(text{EN: "Retries", JA: "リトライ"}), Note: r.say(text{EN: "%s in %s that tell them", JA: "%s（記録のある%s）"}, group(m.Retries), r.count(m.WithAttempts, incidentNoun))},
	}}
	if m.Expired == 0 {
		b.Lines = append(b.Lines, Line{Text: r.say(text{EN: "Wasted retries", JA: "無駄なリトライ"}), Note: group(m.Wasted)})
	}
	t := Table{Caption: r.say(text{EN: "Error codes: %d of %s", JA: "エラーコード：%[2]s種類のうち%[1]d種類"}, len(m.Top), group(m.Codes)), Columns: []string{
		r.say(text{EN: "Error code", JA: "エラーコード"}), r.say(incidentsColumn), r.say(rateColumn),
	}}
	for _, f := range m.Top {
		t.Rows = append(t.Rows, []Cell{{Text: r.name(queries.ByCode, f.Code)}, number(f.Incidents), rateCell(queries.Group{Resolved: f.Resolved, Rated: f.Rated})})
	}
	b.Tables = []Table{t}
	if m.Expired == 0 && slices.Contains(r.Months, m.Month) {
		b.Notes = []string{r.say(text{EN: "The report of that month: hansei report --month %s", JA: "この月のレポート：hansei report --month %s"}, m.Month)}
	}
	return b
}

// monthLead says which month had most, and between what the months lie.
func (r *Report) monthLead() (heading string, lead []string) {
	var most queries.TrendMonth
	var low, high *queries.TrendMonth
	shown := 0
	for _, m := range r.months() {
		if m.Incidents == 0 {
			continue
		}
		shown++
		if m.Incidents > most.Incidents {
			most = m
		}
		if m.Rated < fewIncidents {
			continue
		}
		if low == nil || m.Resolved*low.Rated < low.Resolved*m.Rated {
			low = &m
		}
		if high == nil || m.Resolved*high.Rated > high.Resolved*m.Rated {
			high = &m
		}
	}
	heading = r.say(text{EN: "Twelve months: most in %s, %s", JA: "12か月の推移：最多は%sの%s"}, most.Month, r.count(most.Incidents, incidentNoun))
	lead = []string{r.say(text{EN: "Of %d months, %d had incidents.", JA: "%dか月のうち%dか月にインシデントがありました。"}, trendMonths, shown)}
	switch {
	case low == nil || low.Month == high.Month:
	case percent(low.Resolved, low.Rated) == percent(high.Resolved, high.Rated):
		lead = append(lead, r.say(text{EN: "The resolution rate stayed at %s.", JA: "解決率は%sで変わりませんでした。"}, percent(low.Resolved, low.Rated)))
	default:
		lead = append(lead, r.say(text{
			EN: "The resolution rate lay between %s in %s and %s in %s.",
			JA: "解決率は%s（%s）から%s（%s）の間でした。",
		}, percent(low.Resolved, low.Rated), low.Month, percent(high.Resolved, high.Rated), high.Month))
	}
	return heading, lead
}

func monthChart(r *Report) *Chart {
	c := &Chart{
		ID:      "chart-months",
		Caption: r.say(text{EN: "Incidents per month by outcome", JA: "月別の発生件数と結果"}),
		Alt:     r.say(text{EN: "Stacked bars: incidents of each of twelve months, split by outcome. The table has every number.", JA: "積み上げ棒グラフ：12か月の月別発生件数（結果別）。数値はすべて表にあります。"}),
	}
	resolved := Series{Name: r.say(text{EN: "resolved", JA: "解決"}), Colour: blue}
	unresolved := Series{Name: r.say(text{EN: "not resolved", JA: "未解決"}), Colour: orange}
	other := Series{Name: r.say(text{EN: "outside the rates", JA: "率の対象外"}), Colour: grey}
	for _, m := range r.months() {
		c.Labels = append(c.Labels, m.Month)
		tip := m.Month + "\n" + r.count(m.Incidents, incidentNoun)
		if m.Rated > 0 {
			tip += "\n" + r.say(text{EN: "resolved: ", JA: "解決："}) + r.rate(m.Resolved, m.Rated)
		}
		if mean := monthMean(m); mean.Valid {
			tip += "\n" + r.say(retriesColumn) + r.say(text{EN: ": ", JA: "："}) + r.mean(mean)
		}
		c.Tips = append(c.Tips, tip)
		resolved.Values = append(resolved.Values, float64(m.Resolved))
		unresolved.Values = append(unresolved.Values, float64(m.Rated-m.Resolved))
		other.Values = append(other.Values, float64(m.Incidents-m.Rated))
	}
	c.Series = occurring(resolved, unresolved, other)
	return c
}

// monthMean is the mean of retries of a month; not valid where no incident
// carries an attempt.
func monthMean(m queries.TrendMonth) sql.Null[float64] { return quotient(m.Retries, m.WithAttempts) }

func quotient(part, whole int64) sql.Null[float64] {
	if whole == 0 {
		return sql.Null[float64]{}
	}
	return sql.Null[float64]{V: float64(part) / float64(whole), Valid: true}
}
