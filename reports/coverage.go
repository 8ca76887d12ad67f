package reports

// coverage says how much the rates can be trusted.
var coverage = Section{"coverage", buildCoverage}

func buildCoverage(r *Report) *Block {
	if len(r.Coverage) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Coverage", JA: "カバレッジ"}),
		Heading: r.say(text{EN: "Coverage: what the sources were able to show", JA: "カバレッジ：情報源が示せた範囲"}),
		Lead: []string{r.say(text{
			EN: "Rates are exact only as far as a source tells outcomes, and mean retries as far as it tells attempts.",
			JA: "解決率は結果が、平均リトライ回数は試行回数が記録された範囲でのみ正確です。",
		})},
	}
	b.Table = &Table{Caption: b.Heading, Columns: []string{
		r.say(text{EN: "Source", JA: "情報源"}), r.say(incidentsColumn),
		r.say(text{EN: "With attempts", JA: "試行回数あり"}), r.say(text{EN: "With outcome", JA: "結果あり"}),
	}}
	for _, c := range r.Coverage {
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: clean(c.Source)}, number(c.Incidents), share(c.WithAttempts, c.Incidents), share(c.WithOutcome, c.Incidents),
		})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	return b
}

func share(part, whole int64) Cell {
	return Cell{Text: percent(part, whole), Note: group(part) + "/" + group(whole), Numeric: true}
}
