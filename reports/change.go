package reports

import (
	"math"
	"strconv"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// A change is what became of one number since the time before.
type change struct {
	analyze.Difference
	known bool   // there was something to compare with, and its noise is known
	words string // the change and its interval: "+36% (+4% to +78%)"
	full  string // the same after from and to: "33 → 45: +36% (+4% to +78%)"
	short string // the change alone, where it is clear: "+36%"
}

var noChange = text{EN: "no clear change", JA: "明確な変化なし"}

// compared reports whether there is a time before to compare with.
func (r *Report) compared() bool { return r.Before.Totals.Incidents > 0 }

// told finishes a change: from and to as they are shown, and its figures, whose
// unit stands behind the change itself alone.
func (r *Report) told(d analyze.Difference, from, to string, show func(v float64) string, unit text) change {
	c := change{Difference: d, known: true}
	switch {
	case math.IsInf(d.Value, 0) && d.Clear:
		c.short = r.say(text{EN: "new", JA: "新規"})
		c.words = c.short
	case math.IsInf(d.Value, 0) || math.IsInf(d.High, 0):
		c.words = r.say(noChange)
	case d.Clear:
		c.short = show(d.Value) + r.say(unit)
		c.words = r.say(text{EN: "%s (%s to %s)", JA: "%s（%s〜%s）"}, c.short, show(d.Low), show(d.High))
	default:
		c.words = r.say(text{EN: "%s (%s to %s)", JA: "%s（%s〜%s）"}, r.say(noChange), show(d.Low), show(d.High))
	}
	c.full = from + " → " + to + r.say(text{EN: ": ", JA: "："}) + c.words
	return c
}

// countChange compares a count with that of the time before, per day.
func (r *Report) countChange(now, squares, before, squaresBefore int64) change {
	d := analyze.RatioOfCounts(
		analyze.Count{N: now, Days: spanDays(r.Span), Squares: squares},
		analyze.Count{N: before, Days: spanDays(r.Before.Span), Squares: squaresBefore})
	return r.told(d, group(before), group(now), func(v float64) string { return signedPercent(v - 1) }, text{})
}

// rateChange compares a rate with that of the time before; unknown where one
// of them has nothing to rest on.
func (r *Report) rateChange(won, n, wonBefore, nBefore int64) change {
	if n == 0 || nBefore == 0 {
		return change{}
	}
	return r.told(analyze.DifferenceOfRates(won, n, wonBefore, nBefore), r.rate(wonBefore, nBefore), r.rate(won, n), signedPoints, text{EN: " points", JA: "ポイント"})
}

// meanChange compares the mean of retries; unknown where the noise is.
func (r *Report) meanChange(now, before analyze.Sample) change {
	d, ok := analyze.DifferenceOfMeans(now, before)
	if !ok {
		return change{}
	}
	show := func(s analyze.Sample) string {
		return r.say(text{EN: "%s (n = %s)", JA: "%s（%s件）"}, decimal(float64(s.Sum)/float64(s.N)), group(s.N))
	}
	return r.told(d, show(before), show(now), signedDecimal, text{})
}

func spanDays(s queries.Span) float64 { return s.To.Sub(s.From).Hours() / 24 }

// manyPercent is where the upper end of an interval no longer says how many.
const manyPercent = 999

// signedPercent writes a part of 1 with its sign: "+36%".
func signedPercent(v float64) string {
	n := int64(math.Round(100 * v))
	if n > manyPercent {
		return ">+" + group(manyPercent) + "%"
	}
	if n > 0 {
		return "+" + group(n) + "%"
	}
	return group(n) + "%"
}

// signedPoints writes a difference of rates in points: "+8", and with a decimal
// where it would else look like none: "+0.3".
func signedPoints(v float64) string {
	v *= 100
	if math.Abs(v) < 1 {
		return plus(v, 1)
	}
	return plus(v, 0)
}

func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', 1, 64) }

// signedDecimal writes a difference of means: "+0.25".
func signedDecimal(v float64) string { return plus(v, 2) }

// plus writes v with its sign and so many decimals; what rounds to zero has no
// sign.
func plus(v float64, decimals int) string {
	scale := math.Pow10(decimals)
	v = math.Round(v*scale) / scale
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if v > 0 {
		return "+" + s
	}
	if v == 0 {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// A groupChange is what became of a row of a breakdown.
type groupChange struct{ incidents, rate, retries change }

// changeOf compares g with the group of its name in the time before, which may
// not have had it.
func (r *Report) changeOf(g queries.Group) groupChange {
	if !r.compared() {
		return groupChange{}
	}
	b := r.Before.group(g)
	return groupChange{
		incidents: r.countChange(g.Incidents, g.DaySquares, b.Incidents, b.DaySquares),
		rate:      r.rateChange(g.Resolved, g.Rated, b.Resolved, b.Rated),
		retries:   r.meanChange(sampleOf(g), sampleOf(b)),
	}
}

func sampleOf(g queries.Group) analyze.Sample {
	return analyze.Sample{N: g.WithAttempts, Sum: g.Retries, Squares: g.RetriesSquares}
}

// changeTable has what became of each row of groups, and of those that the
// time before had alone.
func (r *Report) changeTable(d queries.Dimension, words groupTexts) *Table {
	if !r.compared() {
		return nil
	}
	t := &Table{
		Caption: r.say(text{EN: "Change against %s, with 95%% intervals", JA: "%sからの変化（95%%信頼区間）"}, r.Before.period),
		Columns: []string{r.say(words.key)},
		Folded:  true,
	}
	if d == queries.ByOperation {
		t.Columns = append(t.Columns, r.say(agentColumn))
	}
	t.Columns = append(t.Columns, r.say(incidentsColumn), r.say(rateColumn), r.say(retriesColumn))
	for _, g := range append(r.Groups[d][:len(r.Groups[d]):len(r.Groups[d])], r.gone(d)...) {
		c := r.changeOf(g)
		row := []Cell{{Text: r.label(d, g.Key)}}
		if n := len(t.Rows); n < len(r.Groups[d]) { // those after them are gone
			row[0].To = anchor(d, n)
		}
		if d == queries.ByOperation {
			row = append(row, Cell{Text: clean(g.Agent)})
		}
		t.Rows = append(t.Rows, append(row, c.incidents.cell(), c.rate.cell(), c.retries.cell()))
	}
	t.shorten()
	return t
}

// gone are the groups of the time before that are no more, as rows of zeros.
func (r *Report) gone(d queries.Dimension) []queries.Group {
	var out []queries.Group
	here := map[groupKey]bool{}
	for _, g := range r.Groups[d] {
		here[keyOf(g)] = true
	}
	for _, b := range r.Before.Groups[d] {
		if !here[keyOf(b)] {
			out = append(out, queries.Group{Dimension: d, Key: b.Key, Agent: b.Agent})
		}
	}
	return out
}

func (c change) cell() Cell {
	if !c.known {
		return Cell{Text: dash}
	}
	return Cell{Text: c.full}
}

// changeNote says how changes are computed.
func (r *Report) changeNote() string {
	return r.say(text{
		EN: "Changes: of counts per day, by the exact interval for the ratio of two Poisson rates (Przyborowski and Wilenski 1940), with both counts divided by the dispersion of their days, as failures come in bursts (Pearson's X² over its degrees of freedom, McCullagh and Nelder 1989); of rates in points, by Newcombe's hybrid score interval (1998, method 10); of mean retries by Welch's t interval (1947). All at 95%; an interval that takes in no change is called “no clear change”. Each row stands alone: of twenty rows without any change, one will still look changed.",
		JA: "変化の計算：件数は1日当たりの比で、2つのポアソン率の比の正確な区間（Przyborowski・Wilenski 1940）。失敗は集中して起きるため、両方の件数を日別件数の過分散（ピアソンのX²÷自由度、McCullagh・Nelder 1989）で割ってから計算。解決率は差（ポイント）で、Newcombeのハイブリッドスコア区間（1998、方法10）。平均リトライ回数はWelchのt区間（1947）。すべて95%信頼区間で、変化なしを含む場合は「明確な変化なし」とする。行ごとに判定するため、変化のない20行のうち1行程度は変化ありに見える。",
	})
}
