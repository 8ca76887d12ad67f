package reports

import (
	"database/sql"
	"strings"

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
	}
	half := r.say(text{EN: "Half of %s took up to %s.", JA: "解決した%sの半数は%s以内に解決しました。"},
		r.count(all.Timed, resolvedNoun), r.span(all.P50MS))
	if all.Timed >= fewIncidents {
		half = r.say(text{EN: "Half of %s took up to %s, nine of ten up to %s.", JA: "解決した%sの半数は%s以内、9割は%s以内に解決しました。"},
			r.count(all.Timed, resolvedNoun), r.span(all.P50MS), r.span(all.P90MS))
	}
	b.Lead = []string{half, r.untimed(all)}
	b.Table = &Table{Caption: b.Heading, Columns: []string{
		r.say(text{EN: "Category", JA: "カテゴリ"}), r.say(text{EN: "Timed", JA: "時間が分かる件数"}), r.say(text{EN: "Not resolved", JA: "未解決"}),
		r.say(text{EN: "p50", JA: "p50（中央値）"}), r.say(text{EN: "p90", JA: "p90"}),
	}}
	for _, t := range r.Times[1:] {
		p90 := dash
		if t.Timed >= fewIncidents {
			p90 = r.span(t.P90MS)
		}
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: r.label(queries.ByCategory, t.Category), Behind: r.behind(queries.ByCategory, t.Category, "")}, number(t.Timed), number(t.Incidents - t.Resolved),
			{Text: r.span(t.P50MS), Numeric: true}, {Text: p90, Numeric: true},
		})
	}
	b.Notes = []string{r.say(text{
		EN: "From the first failure to the outcome that resolved it, over resolved incidents only: what is still open may take longer than any of these, and what was given up never ends. p90 only of %d or more.",
		JA: "最初の失敗から解決までの時間。解決したインシデントのみの値であり、未完了のものはこれより長くなる可能性があります。p90は%d件以上の場合のみ。",
	}, fewIncidents)}
	return b
}

// untimed says what the times leave out.
func (r *Report) untimed(all queries.ResolutionTime) string {
	var parts []string
	if n := all.Incidents - all.Resolved; n > 0 {
		parts = append(parts, r.say(text{EN: "%s not resolved", JA: "未解決%s件"}, group(n)))
	}
	if n := all.Resolved - all.Timed; n > 0 {
		parts = append(parts, r.say(text{EN: "%s resolved in the very record of the failure, which tells no time", JA: "失敗と解決が同じ記録にあり時間が分からないもの%s件"}, group(n)))
	}
	if len(parts) == 0 {
		return ""
	}
	return r.say(text{EN: "Left out: %s.", JA: "対象外：%s。"}, strings.Join(parts, r.say(text{EN: "; ", JA: "、"})))
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
