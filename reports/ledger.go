package reports

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
	b.Table = &Table{Caption: b.Heading}
	row := []Cell{}
	for _, column := range []struct {
		head text
		n    int64
	}{
		{text{EN: "Published", JA: "送信"}, l.Published},
		{text{EN: "Stored", JA: "保存"}, l.Stored},
		{text{EN: "Deduplicated", JA: "重複除外"}, l.Deduplicated},
		{text{EN: "Quarantined", JA: "隔離"}, l.Quarantined},
		{text{EN: "Expired", JA: "期限切れ"}, l.Expired},
		{text{EN: "Found in the store", JA: "ストア内の実数"}, l.Rows},
	} {
		b.Table.Columns = append(b.Table.Columns, r.say(column.head))
		row = append(row, number(column.n))
	}
	b.Table.Rows = [][]Cell{row}
	if r.filtered() != "" {
		b.Notes = []string{r.say(text{EN: "The books are of all events: the filter does not touch them.", JA: "帳簿は全イベントが対象で、絞り込みは適用されません。"})}
	}
	return b
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
	if n := r.Ledger.Quarantined; n > 0 {
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
