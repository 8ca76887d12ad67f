package reports

import (
	"strings"

	"hansei/queries"
)

// human says what people had to decide or repair.
var human = Section{"human", buildHuman}

func buildHuman(r *Report) *Block {
	if len(r.Human) == 0 {
		return nil
	}
	var all, tried int64
	for _, g := range r.Human {
		all += g.Human
		tried += g.Retries
	}
	top := r.Human[0]
	b := &Block{
		Name:    r.say(text{EN: "People", JA: "人の対応"}),
		Heading: r.say(text{EN: "People: what went to a human", JA: "人の対応：人に引き継がれたもの"}),
		Lead: []string{r.say(text{
			EN: "Before that, %s were made; most often it was %s in %s: %s.",
			JA: "それまでのリトライは%[1]s。最も多いのは%[3]sの%[2]sで%[4]sです。",
		}, r.count(tried, retryNoun), r.name(queries.ByCategory, top.Category), r.name(queries.ByOperation, top.Operation), r.rate(top.Human, top.Incidents))},
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "People: a human had to decide or repair %s", JA: "人の対応：人が判断・修復したのは%s"}, r.rate(all, r.Totals.Incidents-r.Totals.Cancelled))
	b.Table = &Table{Caption: caption, Columns: []string{
		r.say(text{EN: "Category, operation", JA: "カテゴリ・操作"}), r.say(text{EN: "To a human", JA: "人の対応"}),
		r.say(text{EN: "Share", JA: "割合"}), r.say(text{EN: "Retries before", JA: "事前のリトライ"}), r.say(text{EN: "Median time", JA: "所要時間（中央値）"}),
	}}
	for _, g := range r.Human {
		took := Cell{Text: dash, Numeric: true}
		if g.Seconds.Valid {
			took.Text = r.lasting(g.Seconds.V)
		}
		b.Table.Rows = append(b.Table.Rows, []Cell{
			r.pairCell(queries.ByHuman, g.Category, g.Operation), number(g.Human), share(g.Human, g.Incidents), number(g.Retries), took,
		})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "Incidents that ended as human; the share is of all of that category and operation without the cancelled ones, the time from the first failure to the end.",
		JA: "結果が「人が対応」のインシデント。割合は同じカテゴリ・操作（キャンセルを除く）に占めるもの、所要時間は最初の失敗から終わりまで。",
	}))
	return b
}

// pairCell names a row of category and operation.
func (r *Report) pairCell(d queries.Dimension, category, operation string) Cell {
	return Cell{
		Text:   strings.Join([]string{r.name(queries.ByCategory, category), r.name(queries.ByOperation, operation)}, r.say(text{EN: ", ", JA: "・"})),
		Behind: r.behind(d, category+" "+operation, ""),
	}
}
