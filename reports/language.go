package reports

import (
	"fmt"
	"strings"
	"time"

	"hansei/analyze"
)

// A Lang is a language of the report.
type Lang string

// The languages.
const (
	EN Lang = "en"
	JA Lang = "ja"
)

// Langs are all languages, in the order that errors name them.
var Langs = []Lang{EN, JA}

// ParseLang returns the language of that name. Its error names the known ones.
func ParseLang(name string) (Lang, error) {
	return parse("language", name, Langs)
}

// A text is a format string in the languages of the report.
type text = analyze.Text

// A noun is what is counted; English tells one from many.
type noun struct{ one, many, ja string }

var (
	incidentNoun = noun{"%s incident", "%s incidents", "%s件"}
	eventNoun    = noun{"%s event", "%s events", "%s件"}
	changeNoun   = noun{"%s change", "%s changes", "%s件"}
	dayNoun      = noun{"%s day", "%s days", "%s日"}
	goalNoun     = noun{"%s goal", "%s goals", "%s件"}
	kindNoun     = noun{"%s kind", "%s kinds", "%s種類"}
	callNoun     = noun{"%s call", "%s calls", "%s回の呼び出し"}
	turnNoun     = noun{"%s turn", "%s turns", "%sターン"}
	retryNoun    = noun{"%s retry", "%s retries", "%s回"}
)

// say fills in t in the report's language.
func (r *Report) say(t text, args ...any) string {
	format := t.EN
	if r.Lang == JA {
		format = t.JA
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// count says n of a noun: "1 incident", "45件".
func (r *Report) count(n int64, of noun) string {
	switch {
	case r.Lang == JA:
		return fmt.Sprintf(of.ja, group(n))
	case n == 1:
		return fmt.Sprintf(of.one, "1")
	}
	return fmt.Sprintf(of.many, group(n))
}

// join makes one paragraph of sentences, some of which may be empty.
func (r *Report) join(sentences []string) string {
	var said []string
	for _, s := range sentences {
		if s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, r.say(text{EN: " ", JA: ""}))
}

// title names the report, its time and what it is limited to.
func (r *Report) title() string {
	title := r.say(text{EN: "Error report: %s", JA: "エラーレポート %s"}, r.period())
	if filtered := r.filtered(); filtered != "" {
		title += r.say(text{EN: " (%s)", JA: "（%s）"}, filtered)
	}
	return title
}

// period names the report's time for people: "January 2026", "2026年1月".
func (r *Report) period() string {
	from, last := r.firstDay(), r.lastDay()
	if r.wholeMonth() {
		if r.Lang == JA {
			return fmt.Sprintf("%d年%d月", from.Year(), from.Month())
		}
		return from.Format("January 2006")
	}
	if from.Equal(last) {
		return from.Format(time.DateOnly)
	}
	return r.say(text{EN: "%s to %s", JA: "%s から %s"}, from.Format(time.DateOnly), last.Format(time.DateOnly))
}

// month names the report's time for programs: "2026-01", or the ISO 8601
// interval of its first and last day where it is not one month.
func (r *Report) month() string {
	if r.wholeMonth() {
		return r.firstDay().Format("2006-01")
	}
	return r.firstDay().Format(time.DateOnly) + "/" + r.lastDay().Format(time.DateOnly)
}

func (r *Report) wholeMonth() bool {
	from := r.Span.From.In(r.Span.Location)
	year, month, _ := from.Date()
	start := time.Date(year, month, 1, 0, 0, 0, 0, r.Span.Location)
	return from.Equal(start) && r.Span.To.Equal(start.AddDate(0, 1, 0))
}

// firstDay and lastDay are noon UTC of the span's days, so that counting days
// on them is free of the zone's clock changes.
func (r *Report) firstDay() time.Time { return noon(r.Span.From.In(r.Span.Location)) }
func (r *Report) lastDay() time.Time {
	return noon(r.Span.To.Add(-time.Nanosecond).In(r.Span.Location))
}

func noon(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
}

// dayName names a day of the report: "January 14", "1月14日".
func (r *Report) dayName(day time.Time) string {
	if r.Lang == JA {
		return fmt.Sprintf("%d月%d日", day.Month(), day.Day())
	}
	return day.Format("January 2")
}

// weekday names a day's weekday in short.
func (r *Report) weekday(day time.Time) string {
	if r.Lang == JA {
		return [...]string{"日", "月", "火", "水", "木", "金", "土"}[day.Weekday()]
	}
	return day.Format("Mon")
}
