package reports

import (
	"database/sql"

	"hansei/analyze"
	"hansei/queries"
)

// figures are the five numbers of the first screen, each with its change and
// its twelve months.
func (r *Report) figures() []Figure {
	t, b := r.Totals, r.Before.Totals
	figures := []struct {
		label  text
		value  string
		change change
		month  func(m queries.TrendMonth) sql.Null[float64]
	}{
		{text{EN: "Incidents", JA: "インシデント"}, group(t.Incidents), r.countChange(t.Incidents, t.DaySquares, b.Incidents, b.DaySquares),
			func(m queries.TrendMonth) sql.Null[float64] { return quotient(m.Incidents, 1) }},
		{rateColumn, r.rateFigure(t), r.rateChange(t.Resolved, t.Rated, b.Resolved, b.Rated),
			func(m queries.TrendMonth) sql.Null[float64] { return quotient(m.Resolved, m.Rated) }},
		{retriesColumn, r.mean(t.RetriesMean), r.meanChange(sampleOfTotals(t), sampleOfTotals(b)), monthMean},
		{text{EN: "Still open", JA: "未完了"}, group(t.Open), r.countChange(t.Open, t.OpenSquares, b.Open, b.OpenSquares),
			func(m queries.TrendMonth) sql.Null[float64] { return quotient(m.Open, 1) }},
		{text{EN: "Wasted retries", JA: "無駄なリトライ"}, r.count(t.Wasted, bareNoun), r.countChange(t.Wasted, t.WastedSquares, b.Wasted, b.WastedSquares),
			wastedOf},
	}
	var out []Figure
	for _, f := range figures {
		figure := Figure{Label: r.say(f.label), Value: f.value}
		if r.compared() && f.change.known {
			figure.Change = f.change.words
		}
		if len(r.Trend) > 1 {
			figure.Trend = r.trend(f.month)
		}
		out = append(out, figure)
	}
	return out
}

func sampleOfTotals(t queries.Totals) analyze.Sample {
	return analyze.Sample{N: t.WithAttempts, Sum: t.Retries, Squares: t.RetriesSquares}
}

var bareNoun = noun{"%s", "%s", "%s回"}

// rateFigure is the resolution rate, in words where a percentage would say
// more than there is.
func (r *Report) rateFigure(t queries.Totals) string {
	if t.Rated > 0 && t.Rated < fewIncidents {
		return r.ratio(t.Resolved, t.Rated)
	}
	return percent(t.Resolved, t.Rated)
}

// wastedOf is not known of a month of which only counts are left.
func wastedOf(m queries.TrendMonth) sql.Null[float64] {
	if m.Expired > 0 {
		return sql.Null[float64]{}
	}
	return quotient(m.Wasted, 1)
}

// trend is a figure's line of the twelve months. Months before the first that
// had incidents are gaps: nobody was listening.
func (r *Report) trend(of func(queries.TrendMonth) sql.Null[float64]) *Trend {
	t := &Trend{}
	first := r.Trend[0].Month
	for _, m := range r.months() {
		v := sql.Null[float64]{}
		if m.Month >= first {
			v = of(m)
		}
		t.Values = append(t.Values, v)
	}
	t.Alt = r.say(text{EN: "The twelve months to %s; the section on months has the numbers.", JA: "%sまでの12か月の推移。数値は月別の節にあります。"}, r.months()[trendMonths-1].Month)
	return t
}
