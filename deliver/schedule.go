package deliver

import (
	"fmt"
	"time"
)

// A Kind is how long a period is.
type Kind string

// The kinds.
const (
	Month Kind = "month"
	Week  Kind = "week" // from Monday on, as ISO 8601 counts them
	Day   Kind = "day"
)

// A Period is the time that an edition reports on: [From, To).
type Period struct {
	Kind     Kind
	Name     string // 2026-01, 2026-W05 or 2026-01-31
	From, To time.Time
}

// String is the period's name in the register: month.2026-01.
func (p Period) String() string { return string(p.Kind) + "." + p.Name }

// ParsePeriod returns the period of that kind and name, whose days are those of loc.
func ParsePeriod(kind Kind, name string, loc *time.Location) (Period, error) {
	var day time.Time
	var err error
	switch kind {
	case Month:
		day, err = time.Parse("2006-01", name)
	case Day:
		day, err = time.Parse(time.DateOnly, name)
	case Week:
		var year, week int
		if _, err = fmt.Sscanf(name, "%4d-W%2d", &year, &week); err == nil {
			day = time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 7*(week-1)) // the 4th is always in week 1
		}
	default:
		return Period{}, fmt.Errorf("unknown kind of period %q: known are month, week, day", kind)
	}
	if err == nil {
		if p := periodOf(kind, start(day.Year(), day.Month(), day.Day(), loc)); p.Name == name {
			return p, nil
		}
	}
	return Period{}, fmt.Errorf("%s %q: write it like %s", kind, name, map[Kind]string{Month: "2026-01", Week: "2026-W05", Day: "2026-01-31"}[kind])
}

// start is the first moment of a day in loc, which is not midnight where the
// clocks are put forward over it.
func start(year int, month time.Month, day int, loc *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, loc)
	for noon := time.Date(year, month, day, 12, 0, 0, 0, loc); t.Day() != noon.Day(); {
		t = t.Add(15 * time.Minute)
	}
	return t
}

// periodOf returns the period in which t lies, in the location of t.
func periodOf(kind Kind, t time.Time) Period {
	year, month, day := t.Date()
	at := func(month time.Month, day int) time.Time {
		return start(year, month, day, t.Location())
	}
	switch kind {
	case Month:
		return Period{kind, t.Format("2006-01"), at(month, 1), at(month+1, 1)}
	case Week:
		day -= (int(t.Weekday()) + 6) % 7
		isoYear, week := t.ISOWeek()
		return Period{kind, fmt.Sprintf("%04d-W%02d", isoYear, week), at(month, day), at(month, day+7)}
	}
	return Period{kind, t.Format(time.DateOnly), at(month, day), at(month, day+1)}
}

// Last returns the period that ended last at now, whose location counts.
func Last(kind Kind, now time.Time) Period { return periodOf(kind, now).before() }

// before returns the period before p.
func (p Period) before() Period { return periodOf(p.Kind, p.From.Add(-time.Second)) }

// A Schedule says when editions are due.
type Schedule struct {
	Day          int  // of the month after the one that the report is of, 1 to 28; 0: no monthly report
	Hour, Minute int  // of that day, and of the days of digests
	Digest       Kind // Week or Day; empty: none
	Location     *time.Location
}

// Due returns the periods whose latest editions are due at now: of each kind
// the last one that ended and whose moment has come. It does not tell what was
// delivered already.
func (s Schedule) Due(now time.Time) []Period {
	var due []Period
	for _, kind := range []Kind{Month, s.Digest} {
		if kind == "" || kind == Month && s.Day == 0 {
			continue
		}
		p := Last(kind, now.In(s.Location))
		if now.Before(s.moment(p)) {
			p = p.before()
		}
		due = append(due, p)
	}
	return due
}

// Missed returns those of months, named like 2026-01, that ended before the one
// that is due at now and began after since, in their order.
func (s Schedule) Missed(months []string, since, now time.Time) ([]Period, error) {
	if s.Day == 0 {
		return nil, nil
	}
	due := s.Due(now)[0]
	var missed []Period
	for _, name := range months {
		p, err := ParsePeriod(Month, name, s.Location)
		if err != nil {
			return nil, err
		}
		if p.From.Before(due.From) && !p.From.Before(since) {
			missed = append(missed, p)
		}
	}
	return missed, nil
}

// moment is when the edition of p is due. Where clocks are put forward over it,
// it is as much later.
func (s Schedule) moment(p Period) time.Time {
	year, month, day := p.To.Date()
	if p.Kind == Month {
		day = s.Day
	}
	return time.Date(year, month, day, s.Hour, s.Minute, 0, 0, s.Location)
}
