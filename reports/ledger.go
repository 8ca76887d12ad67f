package reports

import (
	"context"

	"hansei/queries"
)

// ledger is the books of the month: no event may be lost unseen.
var ledger = Section{"ledger", buildLedger}

func buildLedger(r *Report) *Block {
	l := r.Ledger
	b := &Block{
		Name:    r.say(text{EN: "Ledger", JA: "帳簿"}),
		Heading: r.say(text{EN: "Ledger: what became of every event that reached the stream", JA: "帳簿：ストリームに届いたイベントの行方"}),
	}
	if l.Balanced() {
		b.Lead = []string{r.say(text{
			EN: "The books balance: published = stored + deduplicated + quarantined + expired, and every stored event is there.",
			JA: "帳簿は一致しています：送信 = 保存 + 重複除外 + 隔離 + 期限切れ。保存したイベントはすべて存在します。"})}
	} else {
		b.Lead = []string{r.imbalance()}
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "Ledger: the books do not balance", JA: "帳簿：一致しません"})
	if l.Balanced() {
		b.Heading = r.say(text{EN: "Ledger: the books balance, %s published", JA: "帳簿：送信%sすべての行方が一致"}, r.count(l.Published, eventNoun))
	}
	b.Notes = []string{r.say(text{
		EN: "Every event is booked in the transaction that stores it, in the hour in which it happened; bad input in the hour of the event before it. What is found in the store is counted now.",
		JA: "各イベントは、保存と同じトランザクションで、発生した時刻の帳簿に記録されます（読み取れないものは直前のイベントの時刻）。ストア内の実数は現在の値です。",
	})}
	b.Table = &Table{Caption: caption, Columns: append([]string{r.say(text{EN: "Source", JA: "情報源"})}, r.bookColumns()...)}
	b.Table.Columns = append(b.Table.Columns, r.say(text{EN: "Found in the store", JA: "ストア内の実数"}))
	all := Cell{Text: r.say(text{EN: "All", JA: "合計"}), Behind: r.booksBehind()}
	b.Table.Rows = [][]Cell{append(bookRow(all, l), number(l.Rows))}
	for _, s := range r.Sources {
		if s.Day == "" {
			name := Cell{Text: r.sourceName(s.Source), Behind: r.sourceBehind(s.Source)}
			b.Table.Rows = append(b.Table.Rows, append(bookRow(name, s.Ledger), number(s.Rows)))
		}
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	if r.filtered() != "" {
		b.Notes = append(b.Notes, r.say(text{EN: "The books are of all events: the filter does not touch them.", JA: "帳簿は全イベントが対象で、絞り込みは適用されません。"}))
	}
	return b
}

// askSources asks for the books by source. They are of all events, so a report
// with a filter has only their sum.
func (r *Report) askSources(ctx context.Context, db queries.DB) (err error) {
	if r.filtered() == "" {
		r.Sources, err = queries.LedgerSources(ctx, db, r.Span)
	}
	return err
}

// booksBehind is the sum that the books must come to.
func (r *Report) booksBehind() *Behind {
	if !r.Behind {
		return nil
	}
	l := r.Ledger
	b := &Behind{Heading: r.say(text{
		EN: "%s published = %s stored + %s deduplicated + %s quarantined + %s expired",
		JA: "送信%s件 = 保存%s件 + 重複除外%s件 + 隔離%s件 + 期限切れ%s件",
	}, group(l.Published), group(l.Stored), group(l.Deduplicated), group(l.Quarantined), group(l.Expired))}
	for _, line := range []struct {
		means text
		n     int64
	}{
		{text{EN: "Published: reached the stream", JA: "送信：ストリームに届いたイベント"}, l.Published},
		{text{EN: "Stored: is in the store", JA: "保存：ストアに保存されたイベント"}, l.Stored},
		{text{EN: "Deduplicated: an event of the same id was there already", JA: "重複除外：同じIDのイベントがすでにあったもの"}, l.Deduplicated},
		{text{EN: "Quarantined: could not be read, and is kept aside unless it was dropped", JA: "隔離：読み取れず、（破棄されない限り）別に保管されているもの"}, l.Quarantined},
		{text{EN: "Expired: was stored, and is older than serve keeps events", JA: "期限切れ：保存期間を過ぎて削除されたもの"}, l.Aged()},
		{lostLine, l.Lost},
		{text{EN: "Found in the store: events that are really there now", JA: "ストア内の実数：現在ストアにあるイベント"}, l.Rows},
	} {
		if line.n > 0 || line.means != lostLine {
			b.Lines = append(b.Lines, Line{Text: r.say(line.means), Note: group(line.n)})
		}
	}
	return b
}

// lostLine stands only where something was lost.
var lostLine = text{EN: "Expired too: was lost from the stream before it was stored, counted by message", JA: "期限切れに含む：保存前にストリームから失われたもの（メッセージ単位）"}

func (r *Report) bookColumns() []string {
	return []string{
		r.say(text{EN: "Published", JA: "送信"}), r.say(text{EN: "Stored", JA: "保存"}), r.say(text{EN: "Deduplicated", JA: "重複除外"}),
		r.say(text{EN: "Quarantined", JA: "隔離"}), r.say(text{EN: "Expired", JA: "期限切れ"}),
	}
}

// bookRow is a row of the books, without what is found in the store.
func bookRow(name Cell, l queries.Ledger) []Cell {
	return []Cell{name, number(l.Published), number(l.Stored), number(l.Deduplicated), number(l.Quarantined), number(l.Expired)}
}

// sourceBehind is what the books of a source rest on: the days on which not all
// was stored, and the bad input by kind.
func (r *Report) sourceBehind(source string) *Behind {
	if !r.Behind {
		return nil
	}
	b := &Behind{}
	days := Table{Caption: r.say(text{EN: "Days on which not everything was simply stored, latest first", JA: "すべてがそのまま保存されたわけではない日（新しい順）"}),
		Columns: append([]string{r.say(text{EN: "Day", JA: "日"})}, r.bookColumns()...)}
	for _, s := range r.Sources {
		if s.Source == source && s.Day != "" {
			days.Rows = append(days.Rows, bookRow(Cell{Text: s.Day}, s.Ledger))
		}
	}
	if len(days.Rows) > 0 {
		b.Tables = append(b.Tables, days)
	} else {
		b.Notes = append(b.Notes, r.say(text{EN: "On every day all that was published was stored.", JA: "どの日も、送信されたイベントはすべて保存されています。"}))
	}
	if kinds := r.kindTables(r.depth.inputs[source]); len(kinds) > 0 {
		b.Tables = append(b.Tables, kinds...)
		b.Notes = append(b.Notes, r.say(text{
			EN: "Look further with: hansei quarantine list, hansei quarantine show ID. Read it again with: hansei quarantine requeue ID",
			JA: "詳細：hansei quarantine list、hansei quarantine show ID。再取り込み：hansei quarantine requeue ID",
		}))
	}
	return b
}

// sourceName names a source in the books.
func (r *Report) sourceName(source string) string {
	if source == "" {
		return r.say(lostName)
	}
	return r.name(queries.BySource, source)
}

// kindTables has a table for each kind of bad input, with its examples.
func (r *Report) kindTables(inputs []queries.QuarantineExample) (tables []Table) {
	kind := ""
	for _, i := range inputs {
		if i.Kind != kind || len(tables) == 0 {
			kind = i.Kind
			tables = append(tables, Table{
				Caption: r.say(text{EN: "Quarantined, %s: %s", JA: "隔離%s：%s"}, r.count(i.Inputs, eventNoun), cleanTo(i.Reason, exampleRunes)),
				Columns: []string{r.say(text{EN: "Example", JA: "例"}), r.say(text{EN: "Where it stood", JA: "位置"}), "ID"},
			})
		}
		t := &tables[len(tables)-1]
		t.Rows = append(t.Rows, []Cell{{Text: cleanTo(i.Raw, exampleRunes)}, {Text: clean(i.Place)}, {Text: clean(i.ID), Short: true}})
	}
	return tables
}

// imbalance says in what way the books do not balance.
func (r *Report) imbalance() string {
	l := r.Ledger
	return r.say(text{
		EN: "The books do not balance: %s published, but %s stored + %s deduplicated + %s quarantined + %s expired, and %s found in the store. The numbers of this report may be incomplete.",
		JA: "帳簿が一致しません：送信%s件に対し、保存%s件 + 重複除外%s件 + 隔離%s件 + 期限切れ%s件、ストア内の実数は%s件です。このレポートの数値は不完全な可能性があります。",
	}, group(l.Published), group(l.Stored), group(l.Deduplicated), group(l.Quarantined), group(l.Expired), group(l.Rows))
}

// notices stand above everything else: what makes the numbers doubtful.
func (r *Report) notices() []Point {
	var points []Point
	if !r.Ledger.Balanced() {
		points = append(points, Point{Text: r.imbalance()})
	}
	for _, told := range (Wording{r}).Lost(r.Losses, r.Span) {
		points = append(points, Point{Text: told})
	}
	if n := r.Ledger.Aside; n > 0 {
		points = append(points, Point{
			Text: r.say(text{
				EN: "%s could not be read, kept aside and not in the numbers below. See what and why with",
				JA: "読み取れなかったイベント%sが隔離されており、以下の数値に含まれていません。内容と理由の確認：",
			}, r.count(n, eventNoun)),
			Command: "hansei quarantine list",
		})
	}
	return points
}
