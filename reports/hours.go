package reports

import (
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
	most := r.Hours[0]
	for _, h := range r.Hours {
		week[h.Weekday][h.Hour] = h.Incidents
		all += h.Incidents
		if h.Incidents > most.Incidents {
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
	for hour := range 24 {
		b.Table.Columns = append(b.Table.Columns, strconv.Itoa(hour))
	}
	for day := int64(1); day <= 7; day++ {
		row := []Cell{{Text: r.weekdayShort(day), Behind: r.behind(queries.ByWeekday, strconv.FormatInt(day, 10), "")}}
		for hour := range 24 {
			c := number(week[day][hour])
			c.Heat = heat(week[day][hour], most.Incidents)
			row = append(row, c)
		}
		b.Table.Rows = append(b.Table.Rows, row)
	}
	b.Notes = []string{r.say(text{
		EN: "Incidents by the weekday and hour of their first failure, in the time zone %s.",
		JA: "最初の失敗の曜日と時刻によるインシデント数（タイムゾーン：%s）。",
	}, r.Span.Location)}
	return b
}

// heat is the shade of n, where most has the darkest: none for none.
func heat(n, most int64) int {
	if n == 0 {
		return 0
	}
	return int(1 + (n*heatSteps-1)/most)
}

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
