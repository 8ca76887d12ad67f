package reports

import "hansei/queries"

// wasted says which retries did not help, and whether they do elsewhere.
var wasted = Section{"wasted", buildWasted}

func buildWasted(r *Report) *Block {
	if len(r.Wasted) == 0 {
		return nil
	}
	var retries, incidents, waited int64
	for _, g := range r.Wasted {
		retries += g.Retries
		incidents += g.Incidents
		waited += g.WaitedMS.V
	}
	top := r.Wasted[0]
	b := &Block{
		Name:    r.say(text{EN: "Wasted retries", JA: "無駄なリトライ"}),
		Heading: r.say(text{EN: "Wasted retries: what cannot be retried, and was", JA: "無駄なリトライ：効果が見込めないのに繰り返したもの"}),
		Lead: []string{r.say(text{
			EN: "%s in %s did not help, most of them on %s in %s: %s.",
			JA: "効果のないリトライは%s（インシデント%s）。最も多いのは%[4]sの%[3]sで%[5]sです。",
		}, r.count(retries, retryNoun), r.count(incidents, incidentNoun), r.name(queries.ByCategory, top.Category),
			r.name(queries.ByOperation, top.Operation), r.count(top.Retries, retryNoun))},
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "Wasted retries: %s, most on %s in %s", JA: "無駄なリトライ：%s、最多は%[3]sの%[2]s"},
		group(retries)+r.say(text{JA: "回"}), r.name(queries.ByCategory, top.Category), r.name(queries.ByOperation, top.Operation))
	if waited > 0 {
		b.Lead = append(b.Lead, r.say(text{EN: "Agents waited %s for it.", JA: "そのための待機は計%sです。"}, r.lasting(float64(waited)/1000)))
	}
	b.Table = &Table{Caption: caption, Columns: []string{
		r.say(text{EN: "Category, operation", JA: "カテゴリ・操作"}), r.say(text{EN: "Wasted retries", JA: "無駄なリトライ"}),
		r.say(incidentsColumn), r.say(text{EN: "A retry resolved", JA: "リトライで解決"}), r.say(text{EN: "Waited", JA: "待機"}), r.say(text{EN: "Tokens", JA: "トークン"}),
	}}
	for _, g := range r.Wasted {
		wait, tokens := Cell{Text: dash, Numeric: true}, Cell{Text: dash, Numeric: true}
		if g.WaitedMS.Valid {
			wait.Text = r.lasting(float64(g.WaitedMS.V) / 1000)
		}
		if g.Tokens.Valid {
			tokens = number(g.Tokens.V)
		}
		b.Table.Rows = append(b.Table.Rows, []Cell{
			r.pairCell(queries.ByWasted, g.Category, g.Operation), number(g.Retries), number(g.Incidents), {Text: r.helped(&g), Numeric: true}, wait, tokens,
		})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "Retries of incidents whose category is not retryable and that no retry resolved; unknown and cancelled ones are left out. Waits and tokens are of the whole incidents. An agent that mends its call before it tries again may succeed: a retry resolved so many of all incidents that made one.",
		JA: "リトライ不可のカテゴリで、リトライでは解決しなかったインシデントのリトライ（不明とキャンセルを除く）。待機とトークンはインシデント全体のもの。エージェントが呼び出しを直して再実行すれば成功することもあるため、リトライを行った全インシデントのうち解決した件数を示します。",
	}))
	return b
}
