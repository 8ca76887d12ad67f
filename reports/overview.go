package reports

import (
	"slices"
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
		r.nothing(b)
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
	if n := r.Absent.expired(); n > 0 {
		b.Notes = append(b.Notes, r.say(text{
			EN: "%s of this time more have expired with their events and are not in this report; v_monthly counts them still.",
			JA: "このほか、期限切れでイベントが削除されたインシデントが%sあり、このレポートには含まれません（v_monthlyには件数が残っています）。",
		}, r.count(n, incidentNoun)))
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
	n, before := r.count(g.Incidents, incidentNoun), group(r.Before.group(g).Incidents)
	switch {
	case g.Key == "":
		parts = append(parts, r.say(text{EN: "None of them carries an error code", JA: "エラーコードの記録はなし"}))
	case !r.compared():
		parts = append(parts, r.say(text{EN: "%s was most frequent with %s (%s)", JA: "最も多いのは%sの%s（全体の%s）"}, code, n, r.rate(g.Incidents, r.Totals.Incidents)))
	case c.short == "":
		parts = append(parts, r.say(text{EN: "%s was most frequent with %s, no clear change from %s", JA: "最も多いのは%sの%s（%s件から明確な変化なし）"}, code, n, before))
	case r.Before.group(g).Incidents == 0:
		parts = append(parts, r.say(text{EN: "%s is new with %s", JA: "%sが新たに%s発生"}, code, n))
	case c.Value > 1:
		parts = append(parts, r.say(text{EN: "%s rose from %s to %s (%s per day)", JA: "%sが%s件から%s件に増加（1日当たり%s）"}, code, before, group(g.Incidents), c.short))
	default:
		parts = append(parts, r.say(text{EN: "%s was most frequent, but fell from %s to %s (%s per day)", JA: "最も多い%sは%s件から%s件に減少（1日当たり%s）"}, code, before, group(g.Incidents), c.short))
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

// whatWasWasted says how many retries did not help, and where they never do.
func (r *Report) whatWasWasted() string {
	switch {
	case r.Totals.WithAttempts == 0:
		return ""
	case len(r.Wasted) == 0:
		return r.say(text{EN: "No retry was wasted on what the same call cannot pass.", JA: "再実行では解決できないエラーへの無駄なリトライはありませんでした。"})
	}
	wasted := r.count(r.Totals.Wasted, retryNoun)
	g := r.mostVain()
	switch {
	case g != nil && g.Retries == r.Totals.Wasted:
		return r.say(text{
			EN: "%s could not have helped: %s in %s, where retries resolved %s incidents.",
			JA: "%[3]sの%[2]sでのリトライ%[1]sは無駄でした（リトライで解決したのは%[4]s）。",
		}, wasted, r.name(queries.ByCategory, g.Category), r.name(queries.ByOperation, g.Operation), r.helped(g))
	case g != nil:
		return r.say(text{
			EN: "%s went to errors that the same call cannot pass and did not resolve them: %s on %s in %s, where retries resolved %s incidents.",
			JA: "同じ呼び出しでは成功しないエラーへのリトライ%sは解決につながらず、うち%s回は%[4]sの%[3]sでした（リトライで解決したのは%[5]s）。",
		}, wasted, group(g.Retries), r.name(queries.ByCategory, g.Category), r.name(queries.ByOperation, g.Operation), r.helped(g))
	}
	top := &r.Wasted[0]
	return r.say(text{EN: "%s went to errors that the same call cannot pass and did not resolve them, most on %s in %s.", JA: "同じ呼び出しでは成功しないエラーへのリトライ%sは解決につながらず、最多は%[3]sの%[2]sでした。"},
		wasted, r.name(queries.ByCategory, top.Category), r.name(queries.ByOperation, top.Operation))
}

// mostVain is where most retries were wasted of where they do not help, or nil.
func (r *Report) mostVain() *queries.WastedGroup {
	if n := slices.IndexFunc(r.Wasted, func(g queries.WastedGroup) bool { return g.Vain() }); n >= 0 {
		return &r.Wasted[n]
	}
	return nil
}

// helped says of how many incidents with retries one resolved them.
func (r *Report) helped(g *queries.WastedGroup) string { return r.ratio(g.Tried-g.Incidents, g.Tried) }

// busiest is the day with most incidents, the first of equals.
func (r *Report) busiest() (day time.Time, incidents int64) {
	for _, d := range r.days() {
		if d.total > incidents {
			day, incidents = d.day, d.total
		}
	}
	return day, incidents
}
