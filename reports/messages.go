package reports

import (
	"slices"

	"hansei/queries"
)

// messages says which messages come most, and news which were not there before.
var (
	messages = Section{"messages", buildMessages}
	news     = Section{"news", buildNews}
)

// How many messages are shown: a screen of the most frequent, and half of one
// each of the new and the returned.
const (
	mostMessages = 20
	mostNews     = 10
)

// The marks of a message.
const (
	markNew      = "new"
	markReturned = "returned"
)

func buildMessages(r *Report) *Block {
	if len(r.Messages) == 0 {
		return nil
	}
	top := r.Messages[0]
	b := &Block{
		Name:    r.say(text{EN: "Messages", JA: "メッセージ"}),
		Heading: r.say(text{EN: "Messages: what was reported most", JA: "メッセージ別：最も多く報告されたもの"}),
	}
	shown := r.Messages[:min(len(r.Messages), mostMessages)]
	b.Table = r.messageTable(b.Heading, shown)
	b.Heading = r.say(text{EN: "Messages: %s, the most frequent with %s", JA: "メッセージ別：%s、最多は%s"},
		r.count(top.Messages, kindNoun), r.count(top.Incidents, incidentNoun))
	var listed int64
	for _, m := range shown {
		listed += m.Incidents
	}
	b.Lead = []string{r.say(text{EN: "Of all incidents the messages of this table are %s.", JA: "この表のメッセージが占めるのは%sです。"}, r.rate(listed, r.Totals.Incidents))}
	if n := top.Messages; n > mostMessages {
		b.Notes = append(b.Notes, r.say(text{EN: "The %s most frequent of %s.", JA: "全%[2]s種類のうち上位%[1]s種類。"}, group(mostMessages), group(n)))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "Messages that differ only in numbers, names, paths and the like are one, by the fingerprint of their incident's first failure; the text is that of the first.",
		JA: "数値・名前・パスなどだけが異なるメッセージは、インシデントの最初の失敗のフィンガープリントにより1種類と数えます。文面は最初のもの。",
	}))
	return b
}

func buildNews(r *Report) *Block {
	var shown []queries.Message
	counts := map[string]int{}
	for _, m := range r.Messages {
		if m.Mark != "" && m.Comparable && counts[m.Mark] < mostNews {
			counts[m.Mark]++
			shown = append(shown, m)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "New", JA: "新規・再発"}),
		Heading: r.say(text{EN: "New and returned messages: what was not there before", JA: "新規・再発メッセージ：以前にはなかったもの"}),
	}
	b.Table = r.messageTable(b.Heading, shown)
	b.Heading = r.say(text{EN: "New and returned messages: %s new, %s returned", JA: "新規・再発メッセージ：新規%s種類、再発%s種類"}, group(shown[0].New), group(shown[0].Returned))
	if i := slices.IndexFunc(shown, func(m queries.Message) bool { return m.Mark == markNew }); i >= 0 {
		b.Lead = append(b.Lead, r.say(text{EN: "The most frequent new one came with %s: %s.", JA: "新規で最も多いものは%s：%s。"}, r.count(shown[i].Incidents, incidentNoun), r.saidOf(shown[i])))
	}
	b.Lead = append(b.Lead, r.say(text{EN: "Altogether: %s of message.", JA: "メッセージは全部で%sです。"}, r.count(shown[0].Messages, kindNoun)))
	if n := shown[0].New + shown[0].Returned; n > int64(len(shown)) {
		b.Notes = append(b.Notes, r.say(text{EN: "The most frequent %d of each.", JA: "それぞれ上位%d種類。"}, mostNews))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "New: no stored incident had the message before %s. Returned: before its first incident here it had been away for 30 days or more.",
		JA: "新規：%sより前に同じメッセージの記録がないもの。再発：今回の最初のインシデントまで30日以上起きていなかったもの。",
	}, r.date(r.Span.From)))
	return b
}

func (r *Report) messageTable(caption string, rows []queries.Message) *Table {
	t := &Table{Caption: caption, Columns: []string{
		r.say(text{EN: "Message", JA: "メッセージ"}), r.say(incidentsColumn), r.say(rateColumn),
		r.say(firstColumn), r.say(lastColumn), r.say(text{EN: "Mark", JA: "区分"}),
	}}
	for _, m := range rows {
		mark := Cell{Short: true}
		if m.Comparable {
			mark.Text, mark.Strong = r.mark(m.Mark), m.Mark != ""
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: r.saidOf(m), Behind: r.behind(queries.ByMessage, m.Fingerprint, "")}, number(m.Incidents),
			rateCell(queries.Group{Incidents: m.Incidents, Resolved: m.Resolved, Rated: m.Rated}),
			{Text: r.date(m.FirstSeen), Short: true}, {Text: r.date(m.LastSeen), Short: true}, mark,
		})
	}
	return t
}

// saidOf is the text of a message.
func (r *Report) saidOf(m queries.Message) string {
	if said := clean(m.Text); said != "" {
		return said
	}
	said := r.say(text{EN: "(no message)", JA: "（メッセージなし）"})
	if operation := clean(m.Operation); operation != "" {
		said += " " + operation // or all that say nothing would look the same
	}
	return said
}

func (r *Report) mark(mark string) string {
	switch mark {
	case markNew:
		return r.say(text{EN: "NEW", JA: "新規"})
	case markReturned:
		return r.say(text{EN: "RETURNED", JA: "再発"})
	}
	return ""
}
