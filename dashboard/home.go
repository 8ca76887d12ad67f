package dashboard

import (
	"time"

	"hansei/queries"
)

// home is the state of the present month, and the months before it.
var home = Page{Path: "/{$}", Name: text{EN: "Months", JA: "月別"}, Show: (*Dashboard).home}

type homePage struct {
	Now    queries.MonthCount // of the present month
	Period string
	Live   LiveState
	Months []monthRow
}

type monthRow struct {
	queries.MonthCount
	Name  string
	Width int // of its bar, of 100
}

func (d *Dashboard) home(q *request) error {
	months, err := d.monthCounts(q)
	if err != nil {
		return err
	}
	now := d.Now().In(q.location)
	present := queries.Month(now.Year(), now.Month(), q.location)
	data := homePage{Period: q.Wording.Period(present), Live: d.Live.State(0), Now: queries.MonthCount{Month: now.Format("2006-01")}}
	var most int64 = 1
	for _, m := range months {
		most = max(most, m.Incidents)
		if m.Month == data.Now.Month {
			data.Now = m
		}
	}
	for _, m := range months {
		at, err := time.ParseInLocation("2006-01", m.Month, q.location)
		if err != nil {
			return err
		}
		data.Months = append(data.Months, monthRow{m, q.Wording.Period(queries.Month(at.Year(), at.Month(), q.location)), int(max(1, 100*m.Incidents/most))})
	}
	q.Title, q.Data = q.say(text{EN: "What went wrong, and what to change", JA: "何が失敗し、何を変えるべきか"}), data
	return d.show(q, "home")
}
