package reports

import (
	"math"
	"strconv"
	"time"

	"hansei/queries"
)

// hours says at which hours of the week incidents open.
var hours = Section{"hours", buildHours}

func buildHours(r *Report) *Block {
	if len(r.Hours) == 0 {
		return nil
	}
	var week [8][24]int64 // 1 is Monday
	var all, inWork int64
	days := r.weekdays()
	each := func(h queries.Hour) float64 { return float64(h.Incidents) / float64(max(1, days[h.Weekday])) }
	most := r.Hours[0]
	for _, h := range r.Hours {
		week[h.Weekday][h.Hour] = h.Incidents
		all += h.Incidents
		if each(h) > each(most) {
			most = h
		}
		if h.Weekday <= 5 && h.Hour >= 9 && h.Hour < 18 {
			inWork += h.Incidents
		}
	}
	b := &Block{
		Name:    r.say(text{EN: "Hours", JA: "時間帯"}),
		Heading: r.say(text{EN: "Hours of the week: when incidents open", JA: "曜日と時間帯：いつ起きるか"}),
		Lead: []string{r.say(text{
			EN: "Of all incidents %s opened from Monday to Friday, 9:00 to 18:00, which is 27%% of the week.",
			JA: "月〜金曜日の9〜18時（1週間の27%%）に起きたのは%sです。",
		}, r.rate(inWork, all))},
	}
	b.Table = &Table{Caption: b.Heading, Columns: []string{r.say(text{EN: "Weekday", JA: "曜日"})}, Heat: true}
	b.Heading = r.say(text{EN: "Hours of the week: most on %ss at %d:00, %s", JA: "曜日と時間帯：最多は%s曜日%d時台の%s"}, r.weekdayName(most.Weekday), most.Hour, r.count(most.Incidents, incidentNoun))
	if n := days[most.Weekday]; n > 1 {
		b.Heading += r.say(text{EN: " on %d of them", JA: "（%d日間）"}, n)
	}
	for hour := range 24 {
		b.Table.Columns = append(b.Table.Columns, strconv.Itoa(hour))
	}
	for day := int64(1); day <= 7; day++ {
		name := r.weekdayShort(day)
		if n := days[day]; n > 1 {
			name += " ×" + strconv.Itoa(n)
		}
		row := []Cell{{Text: name, Behind: r.behind(queries.ByWeekday, strconv.FormatInt(day, 10), "")}}
		for hour := range 24 {
			c := number(week[day][hour])
			c.Heat = heat(each(queries.Hour{Weekday: day, Incidents: week[day][hour]}), each(most))
			row = append(row, c)
		}
		b.Table.Rows = append(b.Table.Rows, row)
	}
	b.Notes = []string{r.say(text{
		EN: "Incidents by the weekday and hour of their first failure, in the time zone %s. Shades compare the incidents per day, as one weekday may come more often than another.",
		JA: "最初の失敗の曜日と時刻によるインシデント数（タイムゾーン：%s）。曜日により日数が違うため、色の濃さは1日当たりの件数です。",
	}, r.Span.Location)}
	return b
}

// weekdays is how many days of the span are of each ISO weekday.
func (r *Report) weekdays() (days [8]int) {
	for day := r.firstDay(); !day.After(r.lastDay()); day = day.AddDate(0, 0, 1) {
		days[(day.Weekday()+6)%7+1]++
	}
	return days
}

// heat is the shade of n, where most has the darkest: none for none.
func heat(n, most float64) int { return min(int(math.Ceil(n/most*heatSteps)), heatSteps) }

// weekdayDate is a day with ISO weekday n, to name it.
func weekdayDate(n int64) time.Time {
	return time.Date(2024, time.January, int(n), 12, 0, 0, 0, time.UTC) // 1 January 2024 was a Monday
}

func (r *Report) weekdayShort(n int64) string { return r.weekday(weekdayDate(n)) }

func (r *Report) weekdayName(n int64) string {
	if r.Lang == JA {
		return r.weekdayShort(n)
	}
	return weekdayDate(n).Weekday().String()
}
