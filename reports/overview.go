package reports

import (
	"strings"
	"time"
	"unicode"

	"hansei/queries"
)

// overview is the report on the first screen: three sentences, five figures,
// three things to do.
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
	b.Lead = []string{r.outcome(), r.whatStoodOut(), r.whatWasWasted()}
	b.Figures = r.figures()
	if b.Points = r.toDo(); len(b.Points) > 0 {
		b.Do = r.say(text{EN: "To do", JA: "次にやること"})
	}
	if sentence := r.outside(); sentence != "" {
		b.Notes = append(b.Notes, sentence)
	}
	if !r.compared() {
		b.Notes = append(b.Notes, r.say(text{EN: "%s had no incidents to compare with.", JA: "比較対象の%sにはインシデントがありません。"}, r.Before.period))
	}
	return b
}

// outcome says how many incidents there were, whether that changed, and how
// they ended.
func (r *Report) outcome() string {
	t := r.Totals
	without := ""
	if t.Cancelled > 0 {
		without = r.say(text{EN: ", %s cancelled left out", JA: "、キャンセル%s件を除く"}, group(t.Cancelled))
	}
	var ending string
	switch {
	case t.Rated == 0 && t.Outside() > 0:
		ending = r.say(text{EN: "how they ended is not known", JA: "結果は不明"})
	case t.Rated == 0:
		ending = r.say(text{EN: "all were cancelled", JA: "すべてキャンセルされ"})
	case t.Rated < fewIncidents:
		ending = r.say(text{EN: "resolved: %s%s", JA: "解決は%s%s"}, r.ratio(t.Resolved, t.Rated), without)
	default:
		ending = r.say(text{EN: "%s were resolved (%s%s)", JA: "解決率は%s（%s%s）"}, percent(t.Resolved, t.Rated), r.ratio(t.Resolved, t.Rated), without)
	}
	tries := r.say(text{EN: "and no source told the number of retries", JA: "リトライ回数は不明"})
	if t.RetriesMean.Valid {
		tries = r.say(text{EN: "with %s retries on average", JA: "平均リトライ回数は%s"}, r.mean(t.RetriesMean))
	}
	return r.say(text{EN: "%s had %s among %s%s; %s, %s.", JA: "%sのインシデントは%s（イベント%s）%s、%s、%sでした。"},
		r.period(), r.count(t.Incidents, incidentNoun), r.count(t.Events, eventNoun), r.against(), ending, tries)
}

// against says how the number of incidents compares with the time before.
func (r *Report) against() string {
	if !r.compared() {
		return ""
	}
	c := r.countChange(r.Totals.Incidents, r.Totals.DaySquares, r.Before.Totals.Incidents, r.Before.Totals.DaySquares)
	told := r.say(noChange)
	if c.short != "" {
		told = r.say(text{EN: "%s per day", JA: "1日当たり%s"}, c.short)
	}
	return r.say(text{EN: ", against %s in %s (%s)", JA: "、%[2]sの%[1]s件から%[3]s"}, group(r.Before.Totals.Incidents), r.Before.period, told)
}

// whatStoodOut tells of the code that clearly rose most, or else of the most
// frequent one: whether it changed, whether it came at once and from which
// outage, how it ended.
func (r *Report) whatStoodOut() string {
	g, ok := r.standout()
	if !ok {
		return ""
	}
	code := r.name(queries.ByCode, g.Key)
	if !strings.ContainsFunc(code, unicode.IsLetter) {
		code = r.say(text{EN: "Error code %s", JA: "エラーコード%s"}, code) // a bare number among numbers
	}
	day := r.firstDay().AddDate(0, 0, int(g.BusiestDay))
	if r.Totals.Incidents == 1 {
		return r.say(text{EN: "Its error code was %s, on %s.", JA: "エラーコードは%s、発生日は%sです。"}, r.name(queries.ByCode, g.Key), r.dayName(day))
	}
	var parts []string
	c := r.changeOf(g).incidents
	n := r.count(g.Incidents, incidentNoun)
	switch {
	case g.Key == "":
		parts = append(parts, r.say(text{EN: "None of them carries an error code", JA: "エラーコードの記録はなし"}))
	case !r.compared():
		parts = append(parts, r.say(text{EN: "%s was most frequent with %s (%s)", JA: "最も多いのは%sの%s（全体の%s）"}, code, n, r.rate(g.Incidents, r.Totals.Incidents)))
	case c.short == "":
		parts = append(parts, r.say(text{EN: "%s was most frequent with %s, no clear change from %s", JA: "最も多いのは%sの%s（%s件から明確な変化なし）"}, code, n, group(r.Before.group(g).Incidents)))
	case r.Before.group(g).Incidents == 0:
		parts = append(parts, r.say(text{EN: "%s is new with %s", JA: "%sが新たに%s発生"}, code, n))
	case c.Value > 1:
		parts = append(parts, r.say(text{EN: "%s rose %s to %s", JA: "%sが%s増えて%s"}, code, strings.TrimPrefix(c.short, "+"), group(g.Incidents)+r.say(text{JA: "件"})))
	default:
		parts = append(parts, r.say(text{EN: "%s was most frequent, but fell %s to %s", JA: "最も多い%sは%s減って%s"}, code, strings.TrimPrefix(c.short, "-"), group(g.Incidents)+r.say(text{JA: "件"})))
	}
	if r.outage.incidents > 0 {
		parts = append(parts, r.fromOutage(g))
	} else if concentrated(g) {
		parts = append(parts, r.say(text{EN: "%s of them on %s", JA: "うち%s件が%sに集中"}, group(g.Busiest), r.dayName(day)))
	}
	parts = append(parts, r.ended(g))
	return strings.Join(parts, r.say(text{EN: ", ", JA: "、"})) + r.say(text{EN: ".", JA: "。"})
}

// concentrated reports whether most of g came on one of many days.
func concentrated(g queries.Group) bool {
	return mostOf(g.Busiest, g) && g.Busiest < g.Incidents
}

// ended says how a code's incidents ended.
func (r *Report) ended(g queries.Group) string {
	ending := r.say(text{EN: "how they ended is not known", JA: "結果は不明"})
	if g.Rated > 0 {
		ending = r.say(text{EN: "resolved: %s", JA: "解決は%s"}, r.rate(g.Resolved, g.Rated))
	}
	if g.RetriesMean.Valid {
		ending += r.say(text{EN: ", after %s retries on average", JA: "、平均リトライ回数は%s"}, r.mean(g.RetriesMean))
	}
	return ending
}

// noted is the least share of all incidents, one in so many, at which a code's
// rise makes the first screen: of many small codes, some look risen by chance.
const noted = 50

// standout is the code with the largest clear rise, or else the most frequent
// that has a name.
func (r *Report) standout() (out queries.Group, ok bool) {
	codes := r.Groups[queries.ByCode]
	var rise int64
	for _, g := range codes {
		c := r.changeOf(g).incidents
		if more := g.Incidents - r.Before.group(g).Incidents; c.Clear && c.Value > 1 && more > rise && g.Key != "" && g.Incidents*noted >= r.Totals.Incidents {
			out, rise = g, more
		}
	}
	switch {
	case rise > 0:
		return out, true
	case len(codes) == 0:
		return out, false
	case codes[0].Key == "" && len(codes) > 1:
		return codes[1], true
	}
	return codes[0], true
}

// whatWasWasted says how many retries could not have helped.
func (r *Report) whatWasWasted() string {
	if r.Totals.WithAttempts == 0 {
		return ""
	}
	top, categories := r.mostWasted()
	switch {
	case r.Totals.Wasted == 0:
		return r.say(text{EN: "No retry was wasted on what the same call cannot pass.", JA: "再実行では解決できないエラーへの無駄なリトライはありませんでした。"})
	case categories == 1:
		return r.say(text{EN: "%s could not have helped: %s errors.", JA: "無駄だったリトライは%s（カテゴリ：%s）です。"},
			r.count(r.Totals.Wasted, retryNoun), r.name(queries.ByCategory, top.Key))
	}
	return r.say(text{EN: "%s could not have helped: %s of them on %s, more than on any other category.", JA: "無駄だったリトライは%sで、うち%s回を占める%sが最多のカテゴリです。"},
		r.count(r.Totals.Wasted, retryNoun), group(top.Wasted), r.name(queries.ByCategory, top.Key))
}

// mostWasted is the category with most wasted retries, and how many have any.
func (r *Report) mostWasted() (top queries.Group, categories int) {
	for _, g := range r.Groups[queries.ByCategory] {
		if g.Wasted > 0 {
			categories++
		}
		if g.Wasted > top.Wasted {
			top = g
		}
	}
	return top, categories
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
