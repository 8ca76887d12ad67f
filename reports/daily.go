package reports

import (
	"slices"
	"strconv"
	"time"

	"hansei/queries"
)

// daily says on which days the incidents opened.
var daily = Section{"days", buildDaily}

// A dayCount is a day of the report, with or without incidents.
type dayCount struct {
	day   time.Time // noon UTC of the local day
	total int64
	of    map[string]int64 // taxonomy
	gone  bool             // its events have expired
}

// days are all days of the span in order.
func (r *Report) days() []dayCount {
	index := map[string]int{}
	var days []dayCount
	for day := r.firstDay(); !day.After(r.lastDay()); day = day.AddDate(0, 0, 1) {
		index[day.Format(time.DateOnly)] = len(days)
		days = append(days, dayCount{day: day, of: map[string]int64{}})
	}
	for _, row := range r.Daily {
		if i, ok := index[row.Day]; ok {
			days[i].total += row.Incidents
			days[i].of[row.Taxonomy] += row.Incidents
		}
	}
	for i := 0; r.Ledger.Aged() > 0 && i < len(days) && days[i].total == 0; i++ {
		days[i].gone = true // the oldest expire first
	}
	return days
}

// shownTaxonomies are the taxonomies that occur, in the order of the legend,
// then unknown ones as they come.
func (r *Report) shownTaxonomies() []string {
	occurs := map[string]bool{}
	for _, row := range r.Daily {
		occurs[row.Taxonomy] = true
	}
	var keys []string
	for _, t := range taxonomies {
		if occurs[t.key] {
			keys = append(keys, t.key)
			delete(occurs, t.key)
		}
	}
	for _, row := range r.Daily {
		if occurs[row.Taxonomy] {
			keys = append(keys, row.Taxonomy)
			delete(occurs, row.Taxonomy)
		}
	}
	return keys
}

func buildDaily(r *Report) *Block {
	if len(r.Daily) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Days", JA: "日別"}),
		Heading: r.say(text{EN: "Days: when incidents opened, by taxonomy", JA: "日別：いつ起きたか（分類別）"}),
		Chart:   dailyChart(r),
	}
	b.Table = r.dailyTable(b.Heading)
	day, most := r.busiest()
	b.Heading = r.say(text{EN: "Days: most on %s (%s), %s", JA: "日別：最多は%s（%s）の%s"}, r.dayName(day), r.weekday(day), r.count(most, incidentNoun))
	var quiet, gone int64
	var totals []int64
	for _, d := range r.days() {
		if d.gone {
			gone++
			continue
		}
		totals = append(totals, d.total)
		if d.total == 0 {
			quiet++
		}
	}
	slices.Sort(totals)
	if median := totals[len(totals)/2]; median > 0 {
		b.Lead = append(b.Lead, r.say(text{EN: "Half of the days had %s or more.", JA: "半数の日は%s以上です。"}, r.count(median, incidentNoun)))
	}
	if quiet > 0 {
		b.Lead = append(b.Lead, r.say(text{EN: "On %s there was none.", JA: "発生しなかった日は%sです。"}, r.count(quiet, dayNoun)))
	}
	if gone > 0 {
		b.Lead = append(b.Lead, r.say(text{
			EN: "The events of the first %s have expired (serve --keep), so nothing is said of them.",
			JA: "最初の%sのイベントは保存期間（serve --keep）を過ぎて削除されたため、集計に含まれません。",
		}, r.count(gone, dayNoun)))
	}
	b.Notes = []string{r.say(text{EN: "Incidents by the day of their first failure, in the time zone %s.", JA: "最初の失敗の日によるインシデント数（タイムゾーン：%s）。"}, r.Span.Location)}
	return b
}

func (r *Report) dailyTable(caption string) *Table {
	t := &Table{Caption: caption, Columns: []string{r.say(text{EN: "Day", JA: "日"})}, Folded: true}
	keys := r.shownTaxonomies()
	for _, key := range keys {
		t.Columns = append(t.Columns, r.name(queries.ByTaxonomy, key))
	}
	t.Columns = append(t.Columns, r.say(text{EN: "All", JA: "合計"}))
	for _, d := range r.days() {
		day := d.day.Format(time.DateOnly)
		row := []Cell{{Text: day, Behind: r.behind(queries.ByDay, day, "")}}
		switch {
		case d.gone:
			row[0].Behind = nil
		case d.total == 0:
			row[0].Behind = r.noIncident()
		}
		for _, key := range keys {
			row = append(row, d.cell(r, d.of[key]))
		}
		t.Rows = append(t.Rows, append(row, d.cell(r, d.total)))
	}
	return t
}

// cell shows a number of incidents, or that nobody knows it any more.
func (d *dayCount) cell(r *Report, n int64) Cell {
	if d.gone {
		return Cell{Text: r.say(expiredWord), Numeric: true}
	}
	return number(n)
}

var expiredWord = text{EN: "expired", JA: "期限切れ"}

func dailyChart(r *Report) *Chart {
	c := &Chart{
		ID:      "chart-days",
		Caption: r.say(text{EN: "Incidents per day by taxonomy", JA: "日別・分類別の発生件数"}),
	}
	keys := r.shownTaxonomies()
	for _, key := range keys {
		c.Series = append(c.Series, Series{Name: r.name(queries.ByTaxonomy, key), Colour: taxonomyOf(key).colour})
	}
	for _, d := range r.days() {
		label := strconv.Itoa(d.day.Day())
		if !r.wholeMonth() {
			label = d.day.Format("01-02")
		}
		c.Labels = append(c.Labels, label)
		tip := r.dayName(d.day) + r.say(text{EN: " (%s)", JA: "（%s）"}, r.weekday(d.day)) + "\n" + r.count(d.total, incidentNoun)
		if d.gone {
			tip = r.dayName(d.day) + "\n" + r.say(expiredWord)
		}
		for i, key := range keys {
			c.Series[i].Values = append(c.Series[i].Values, float64(d.of[key]))
			if d.of[key] > 0 {
				tip += "\n" + c.Series[i].Name + r.say(text{EN: ": ", JA: "："}) + group(d.of[key])
			}
		}
		c.Tips = append(c.Tips, tip)
	}
	day, most := r.busiest()
	c.Alt = r.say(text{
		EN: "Stacked bars: incidents of each day of %s, split by taxonomy. Most on %s: %s. The table has every number.",
		JA: "積み上げ棒グラフ：%sの日別発生件数（分類別）。最多は%sで%s。数値はすべて表にあります。",
	}, r.period(), r.dayName(day), r.count(most, incidentNoun))
	return c
}
