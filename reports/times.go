package reports

import (
	"database/sql"

	"hansei/queries"
)

// times says how long it took until incidents were resolved.
var times = Section{"times", buildTimes}

func buildTimes(r *Report) *Block {
	if len(r.Times) == 0 || r.Times[0].Timed == 0 {
		return nil
	}
	all := r.Times[0]
	b := &Block{
		Name:    r.say(text{EN: "Time to resolution", JA: "解決時間"}),
		Heading: r.say(text{EN: "Time to resolution: how long until it was resolved", JA: "解決までの時間"}),
		Lead:    []string{r.timeOfResolved(all), r.timeOfAll(all)},
	}
	b.Table = &Table{Caption: b.Heading}
	b.Heading = r.say(text{EN: "Time to resolution: half of what was resolved took up to %s", JA: "解決までの時間：解決したものの半数は%s以内"}, r.span(all.P50))
	for _, column := range []text{
		{EN: "Category", JA: "カテゴリ"}, {EN: "Resolved", JA: "解決"}, {EN: "p50", JA: "p50（中央値）"}, {EN: "p90", JA: "p90"},
		{EN: "All", JA: "未解決を含む全件"}, {EN: "Half of all within", JA: "全件の半数が解決"},
	} {
		b.Table.Columns = append(b.Table.Columns, r.say(column))
	}
	for _, t := range r.Times[1:] {
		if t.Seen == 0 {
			continue // the note counts them
		}
		p90 := dash
		if t.Timed >= fewIncidents {
			p90 = r.span(t.P90)
		}
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: r.label(queries.ByCategory, t.Category), Behind: r.behind(queries.ByCategory, t.Category, "")}, number(t.Timed),
			{Text: r.span(t.P50), Numeric: true}, {Text: p90, Numeric: true}, number(t.Seen), {Text: r.half(t), Numeric: true},
		})
	}
	if n := all.Incidents - all.Seen; n > 0 {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Left out: %s whose one record tells the failure and its end, and so no time.",
			JA: "対象外：失敗と結果が同じ記録にあり、時間が分からない%s。",
		}, r.count(n, incidentNoun)))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "From the first failure to the outcome that resolved it. p50 and p90 are of the resolved incidents alone. Half of all counts the others too, as not resolved until the last event stored, whether open or given up: the median of the estimate of Kaplan and Meier (1958), in brackets its 95%% interval (Brookmeyer and Crowley 1982, log-log scale). p90 and half of all only of %d or more.",
		JA: "最初の失敗から解決までの時間。p50とp90は解決したインシデントのみの値。「全件の半数」は未解決のもの（未完了・断念）も、保存された最後のイベントまで未解決だったとして含めた中央値（Kaplan-Meier法、1958）。括弧内は95%%信頼区間（Brookmeyer・Crowley 1982、log-log変換）。p90と全件の半数は%d件以上の場合のみ。",
	}, fewIncidents))
	return b
}

// timeOfResolved tells how long the resolved incidents took.
func (r *Report) timeOfResolved(all queries.ResolutionTime) string {
	if all.Timed < fewIncidents {
		return r.say(text{EN: "Half of %s took up to %s.", JA: "解決した%sの半数は%s以内に解決しました。"},
			r.count(all.Timed, resolvedNoun), r.span(all.P50))
	}
	return r.say(text{EN: "Half of %s took up to %s, nine of ten up to %s.", JA: "解決した%sの半数は%s以内、9割は%s以内に解決しました。"},
		r.count(all.Timed, resolvedNoun), r.span(all.P50), r.span(all.P90))
}

// timeOfAll tells within which time half of all incidents were resolved, those
// that never were among them.
func (r *Report) timeOfAll(all queries.ResolutionTime) string {
	switch {
	case all.Seen < fewIncidents || all.Seen == all.Timed:
		return ""
	case !all.Half.Valid:
		return r.say(text{EN: "Of all %s, resolved or not, fewer than half were.", JA: "未解決を含む全%sでは、解決したのは半数未満です。"}, r.count(all.Seen, incidentNoun))
	}
	return r.say(text{EN: "Counting also those that were not, half of all %s were resolved within %s.", JA: "未解決を含む全%sでは、半数が解決するまで%sかかっています。"},
		r.count(all.Seen, incidentNoun), r.half(all))
}

// half is the time within which half of all incidents were resolved, with its
// interval; a dash where there are too few to speak of.
func (r *Report) half(t queries.ResolutionTime) string {
	if t.Seen < fewIncidents {
		return dash
	}
	if !t.Half.Valid {
		return r.say(text{EN: "not reached", JA: "半数に達せず"})
	}
	if r.span(t.HalfLow) == r.span(t.HalfHigh) {
		return r.span(t.Half) // the interval says nothing at this rounding
	}
	if !t.HalfHigh.Valid {
		return r.say(text{EN: "%s (%s or more)", JA: "%s（%s以上）"}, r.span(t.Half), r.span(t.HalfLow))
	}
	return r.say(text{EN: "%s (%s to %s)", JA: "%s（%s〜%s）"}, r.span(t.Half), r.span(t.HalfLow), r.span(t.HalfHigh))
}

var resolvedNoun = noun{"%s resolved incident", "%s resolved incidents", "%s件"}

// units are the units of a time, each from twice its length on, as "90 s" says
// more than "2 min".
var units = []struct {
	ms   int64
	text text
}{
	{24 * 3600_000, text{EN: "%s days", JA: "%s日"}},
	{3600_000, text{EN: "%s h", JA: "%s時間"}},
	{60_000, text{EN: "%s min", JA: "%s分"}},
}

// span writes milliseconds for people: "4.2 s", "3 min".
func (r *Report) span(ms sql.Null[int64]) string {
	if !ms.Valid {
		return dash
	}
	for _, u := range units {
		if ms.V >= 2*u.ms {
			return r.say(u.text, group((ms.V+u.ms/2)/u.ms))
		}
	}
	if ms.V >= 10_000 {
		return r.say(text{EN: "%s s", JA: "%s秒"}, group((ms.V+500)/1000))
	}
	return r.say(text{EN: "%s s", JA: "%s秒"}, decimal(float64(ms.V)/1000))
}
