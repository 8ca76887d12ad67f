package reports

import (
	"strconv"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// suggestions says which thresholds to change, and why.
var suggestions = Section{"suggestions", buildSuggestions}

func buildSuggestions(r *Report) *Block {
	if r.Suggestions == nil {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Suggestions", JA: "提案"}),
		Heading: r.say(text{EN: "Suggestions: which thresholds to change, and why", JA: "しきい値の変更提案とその根拠"}),
	}
	caption := b.Heading
	b.Heading = r.say(text{EN: "Suggestions: no change", JA: "提案：変更なし"})
	if r.changes() > 0 {
		b.Heading = r.say(text{EN: "Suggestions: %s of %d thresholds", JA: "提案：%[2]d件のしきい値のうち%[1]sを変更"}, r.count(r.changes(), changeNoun), len(r.Suggestions))
	}
	b.Lead = []string{r.verdicts()}
	b.Notes = r.decisions()
	for _, n := range r.Oddities {
		b.Notes = append(b.Notes, r.say(text(n.Text)))
	}
	if len(r.Suggestions) == 0 {
		return b
	}
	b.Chart = r.hazardChart()
	b.Table = r.suggestionTable(caption)
	if n := len(r.Suggestions); n > maxRows {
		all := text{
			EN: "The first %s of %s thresholds. JSON and CSV have all.",
			JA: "全%[2]s件のうち最初の%[1]s件。JSONとCSVには全件があります。",
		}
		if r.tuning {
			all = text{
				EN: "The first %s of %s thresholds. --format json has all; --agent, --operation and --category tell of fewer.",
				JA: "全%[2]s件のうち最初の%[1]s件。--format json には全件があります。--agent、--operation、--category で絞り込めます。",
			}
		}
		b.Notes = append(b.Notes, r.say(all, group(maxRows), group(int64(n))))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "Effect: the recorded incidents replayed under the suggested value, against what was recorded; in brackets the 95% interval for another span of as many incidents.",
		JA: "効果は、記録されたインシデントを提案値で再現した結果と記録との差。括弧内は同数のインシデントに対する95%区間。",
	}))
	return b
}

// verdicts says how many thresholds there are of each verdict that occurs.
func (r *Report) verdicts() string {
	counts := map[analyze.Verdict]int{}
	for _, s := range r.Suggestions {
		counts[s.Verdict]++
	}
	var parts []string
	for _, v := range []analyze.Verdict{analyze.Raise, analyze.Lower, analyze.Keep, analyze.TooLittleData} {
		if counts[v] > 0 {
			parts = append(parts, r.say(text{EN: "%[2]d %[1]s", JA: "%s%d件"}, r.verdict(v), counts[v]))
		}
	}
	if len(parts) == 0 {
		return r.say(text{EN: "No threshold had incidents to judge it by.", JA: "判断できるインシデントのあるしきい値はありません。"})
	}
	return r.say(text{EN: "Of the thresholds looked at: %s.", JA: "調べたしきい値の内訳：%s。"}, strings.Join(parts, r.say(text{EN: ", ", JA: "、"})))
}

// changes is how many suggestions want a threshold changed.
func (r *Report) changes() int64 {
	var n int64
	for _, s := range r.Suggestions {
		if isChange(s) {
			n++
		}
	}
	return n
}

func isChange(s analyze.Suggestion) bool {
	return s.Verdict == analyze.Raise || s.Verdict == analyze.Lower
}

// shownSuggestions are the rows of the table: changes first, in the tuner's
// order, then the rest, as many as are shown.
func (r *Report) shownSuggestions() (shown []analyze.Suggestion) {
	for _, changes := range []bool{true, false} {
		for _, s := range r.Suggestions {
			if isChange(s) == changes && len(shown) < maxRows {
				shown = append(shown, s)
			}
		}
	}
	return shown
}

func (r *Report) suggestionTable(caption string) *Table {
	t := &Table{Caption: caption, Under: true}
	if r.tuning {
		t.Columns = append(t.Columns, r.say(text{EN: "Id", JA: "ID"}))
	}
	for _, column := range []text{
		{EN: "Scope", JA: "対象"}, {EN: "Threshold", JA: "しきい値"}, {EN: "Current → suggested", JA: "現在 → 提案"},
		{EN: "Verdict", JA: "判定"}, {EN: "Based on", JA: "根拠"}, {EN: "Effect", JA: "効果"}, {EN: "Reason", JA: "理由"},
	} {
		t.Columns = append(t.Columns, r.say(column))
	}
	for _, s := range r.shownSuggestions() {
		t.Rows = append(t.Rows, r.suggestionRow(s))
	}
	return t
}

func (r *Report) suggestionRow(s analyze.Suggestion) []Cell {
	change := r.change(s.Knob, s.Current, s.Suggested)
	if stop := r.stopBelow(s.Knob, s.Values); stop != "" {
		change = stop
	}
	if s.Extrapolated && isChange(s) {
		change += r.say(text{EN: " (extrapolated)", JA: "（外挿）"})
	}
	var row []Cell
	if r.tuning {
		row = append(row, Cell{Text: s.ID, Short: true})
	}
	return append(row, []Cell{
		{Text: r.scope(s.Scope), Behind: r.suggestionBehind(s)},
		{Text: clean(s.Knob), Short: true},
		{Text: change, Short: true},
		{Text: r.verdict(s.Verdict), Short: true},
		{Text: r.count(int64(s.N), basis(s.Knob)), Short: true},
		{Text: r.effect(s)},
		{Text: strings.Join(strings.Fields(r.say(s.Reason)+r.published(s.Knob, s.Published)), " ")},
	}...)
}

// published names what other systems ship, marked as not from the data.
func (r *Report) published(knob string, of []analyze.Published) string {
	if len(of) == 0 {
		return ""
	}
	var parts []string
	for _, p := range of {
		setting := r.say(analyze.QuantityOf(knob, p.Setting))
		if p.Setting == "" {
			setting = r.say(text{EN: "no limit", JA: "上限なし"})
		}
		parts = append(parts, p.System+" "+setting)
	}
	return r.say(text{
		EN: " Until then, what others ship as defaults (not from your data): %s.",
		JA: "それまでの参考（他のシステムの既定値。このデータからの値ではありません）：%s。",
	}, strings.Join(parts, r.say(text{EN: "; ", JA: "、"})))
}

// stopBelow writes the score below which iterating ends; the bar stays. Empty: the
// suggestion is of no score.
func (r *Report) stopBelow(knob string, values []float64) string {
	if knob != "score_bar" || len(values) != 1 {
		return ""
	}
	return r.say(text{EN: "stop below %s", JA: "%s未満で停止"}, r.say(analyze.QuantityOf(knob, strconv.FormatFloat(values[0], 'f', -1, 64))))
}

// change writes two values of a knob with their unit: "3 → 1 retry", "3回 → 1回".
func (r *Report) change(knob string, from, to *int64) string {
	before, after := r.fromTo(knob, from, to)
	return before + " → " + after
}

// fromTo writes two values of a knob; in English the unit stands with the second.
func (r *Report) fromTo(knob string, from, to *int64) (before, after string) {
	if r.Lang == EN && from != nil && to != nil {
		return strconv.FormatInt(*from, 10), r.quantity(knob, to)
	}
	return r.quantity(knob, from), r.quantity(knob, to)
}

// quantity writes a value of a knob with its unit.
func (r *Report) quantity(knob string, v *int64) string { return r.say(analyze.Quantity(knob, v)) }

// basis is what the evidence for a knob counts.
func basis(knob string) noun {
	switch knob {
	case "timeout", "retry_budget":
		return callNoun
	case "call_depth":
		return turnNoun
	}
	return incidentNoun
}

// scope names a cell by what it does not leave open.
func (r *Report) scope(s analyze.Scope) string {
	var parts []string
	for _, part := range []struct {
		dimension queries.Dimension
		key       string
	}{{queries.ByAgent, s.Agent}, {queries.ByOperation, s.Operation}, {queries.ByCategory, s.Category}, {queries.ByCode, s.Code}} {
		if part.key != "" {
			parts = append(parts, r.name(part.dimension, part.key))
		}
	}
	if len(parts) == 0 {
		return r.say(text{EN: "all", JA: "全体"})
	}
	return strings.Join(parts, " × ")
}
