package reports

import (
	"strings"
	"time"

	"hansei/queries"
)

// overview is the report in three sentences and seven numbers.
var overview = Section{"overview", buildOverview}

func buildOverview(r *Report) *Block {
	b := &Block{
		Name:    r.say(text{EN: "Summary", JA: "概要"}),
		Heading: r.say(text{EN: "In brief", JA: "概要"}),
	}
	if r.Totals.Incidents == 0 {
		b.Lead, b.Points = r.nothing()
		return b
	}
	b.Lead = []string{r.outcome(), r.mostFrequent(), r.whatIsLeft()}
	t := r.Totals
	b.Figures = []Figure{
		{Label: r.say(text{EN: "Incidents", JA: "インシデント"}), Value: group(t.Incidents)},
		{Label: r.say(rateColumn), Value: percent(t.Resolved, t.Incidents-t.Cancelled)},
		{Label: r.say(retriesColumn), Value: r.mean(t.RetriesMean)},
		{Label: r.say(text{EN: "Resolved", JA: "解決"}), Value: group(t.Resolved)},
		{Label: r.say(text{EN: "Open", JA: "未完了"}), Value: group(t.Open)},
		{Label: r.say(text{EN: "Cancelled", JA: "キャンセル"}), Value: group(t.Cancelled)},
		{Label: r.say(text{EN: "Events", JA: "イベント"}), Value: group(t.Events)},
	}
	return b
}

// outcome says how many incidents there were and how they ended.
func (r *Report) outcome() string {
	t := r.Totals
	counted := t.Incidents - t.Cancelled
	without := ""
	if t.Cancelled > 0 {
		without = r.say(text{EN: ", %s cancelled left out", JA: "、キャンセル%s件を除く"}, group(t.Cancelled))
	}
	var ending string
	switch {
	case counted == 0:
		ending = r.say(text{EN: "all were cancelled", JA: "すべてキャンセルされ"})
	case counted < fewIncidents:
		ending = r.say(text{EN: "resolved: %s%s", JA: "解決は%s%s"}, r.ratio(t.Resolved, counted), without)
	default:
		ending = r.say(text{EN: "%s were resolved (%s%s)", JA: "解決率は%s（%s%s）"}, percent(t.Resolved, counted), r.ratio(t.Resolved, counted), without)
	}
	tries := r.say(text{EN: "and no source told the number of retries", JA: "リトライ回数は不明"})
	if t.RetriesMean.Valid {
		tries = r.say(text{EN: "with %s retries on average", JA: "平均リトライ回数は%s"}, r.mean(t.RetriesMean))
	}
	return r.say(text{EN: "%s had %s among %s; %s, %s.", JA: "%sのインシデントは%s（イベント%s）、%s、%sでした。"},
		r.period(), r.count(t.Incidents, incidentNoun), r.count(t.Events, eventNoun), ending, tries)
}

// mostFrequent says which code and which day had most incidents.
func (r *Report) mostFrequent() string {
	codes := r.Groups[queries.ByCode]
	if len(codes) == 0 {
		return ""
	}
	top := codes[0]
	if top.Key == "" && len(codes) > 1 {
		top = codes[1] // the most frequent of those that have a name
	}
	code := r.name(queries.ByCode, top.Key)
	day, n := r.busiest()
	if r.Totals.Incidents == 1 {
		return r.say(text{EN: "Its error code was %s, on %s.", JA: "エラーコードは%s、発生日は%sです。"}, code, r.dayName(day))
	}
	ofAll := percent(top.Incidents, r.Totals.Incidents)
	if r.Totals.Incidents < fewIncidents {
		ofAll = r.ratio(top.Incidents, r.Totals.Incidents)
	}
	if top.Key == "" {
		return r.say(text{
			EN: "None carries an error code: %s (%s of all); the busiest day was %s with %s.",
			JA: "エラーコードはなく%s（全体の%s）、最も多い日は%sの%sです。",
		}, r.count(top.Incidents, incidentNoun), ofAll, r.dayName(day), r.count(n, incidentNoun))
	}
	return r.say(text{
		EN: "The most frequent error code was %s with %s (%s of all); the busiest day was %s with %s.",
		JA: "最も多いエラーコードは%sの%s（全体の%s）、最も多い日は%sの%sです。",
	}, code, r.count(top.Incidents, incidentNoun), ofAll, r.dayName(day), r.count(n, incidentNoun))
}

// whatIsLeft says what still asks for somebody's attention.
func (r *Report) whatIsLeft() string {
	var parts []string
	if n := r.Totals.Incidents - r.Totals.Cancelled - r.Totals.Resolved; n > 0 {
		parts = append(parts, r.say(text{EN: "%s not resolved (%s still open)", JA: "未解決%s件（うち未完了%s件）"}, group(n), group(r.Totals.Open)))
	}
	for _, g := range r.Groups[queries.ByTaxonomy] {
		if g.Key == "unknown" {
			parts = append(parts, r.say(text{EN: "%s matched by no rule", JA: "どのルールにも一致しないもの%s件"}, group(g.Incidents)))
		}
	}
	if n := r.changes(); n > 0 {
		parts = append(parts, r.say(text{EN: "%s to change", JA: "しきい値の変更提案%s"}, r.count(n, thresholdNoun)))
	}
	if len(parts) == 0 {
		return ""
	}
	return r.say(text{EN: "Left to look at: %s.", JA: "確認が必要なもの：%s。"}, strings.Join(parts, r.say(text{EN: "; ", JA: "、"})))
}

// nothing says that there were no incidents, and what to check when that is a
// surprise.
func (r *Report) nothing() (lead []string, points []Point) {
	lead = []string{r.say(text{EN: "No incidents in %s.", JA: "%sのインシデントはありません。"}, r.period())}
	if r.Totals.Events > 0 {
		lead = append(lead, r.say(text{
			EN: "%s arrived, and none opened an incident.",
			JA: "イベントは%sありましたが、新しいインシデントは発生していません。",
		}, r.count(r.Totals.Events, eventNoun)))
	}
	if len(r.Months) > 0 {
		shown := r.Months[:min(len(r.Months), 6)]
		points = append(points, Point{Text: r.say(text{EN: "Months that have incidents, newest first: %s.", JA: "インシデントのある月（新しい順）：%s。"}, strings.Join(shown, ", "))})
	} else {
		points = append(points, Point{Text: r.say(text{
			EN: "The store has no incidents at all: publish or import some first.",
			JA: "保存されたインシデントが一件もありません。先に送信または取り込みを行ってください。"}),
			Command: "hansei import --help"})
	}
	return lead, append(points,
		Point{Text: r.say(text{
			EN: "Days are those of the time zone %s; another one is set with --timezone.",
			JA: "日付のタイムゾーンは%sです。--timezone で変更できます。",
		}, r.Span.Location)},
		Point{Text: r.say(text{
			EN: "Events that could not be read are kept aside; see them with",
			JA: "読み取れなかったイベントは隔離されています。確認するには："}),
			Command: "hansei quarantine list"})
}

// busiest is the day with most incidents, the first of equals.
func (r *Report) busiest() (day time.Time, incidents int64) {
	for _, d := range r.days() {
		if d.total > incidents {
			day, incidents = d.day, d.total
		}
	}
	return day, incidents
}
