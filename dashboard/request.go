package dashboard

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"hansei/analyze"
	"hansei/reports"
)

// A text is a sentence in the languages of the pages.
type text = analyze.Text

// maxPost bounds a form: a corrected text of quarantine and its escapes.
const maxPost = 16 << 20

// A request is what a page is asked for, and what it answers.
type request struct {
	reports.Wording
	w      http.ResponseWriter
	r      *http.Request
	page   Page
	values url.Values // of the address, or of the form that is posted

	Lang     reports.Lang
	Timezone string
	location *time.Location
	ownZone  string // of pages whose address names none

	patient time.Time // until when the page waits for newer answers
	of      *moment   // that its parts are asked of; nil: not asked yet

	// What the frame shows.
	Title  string
	Status int       // 0: 200
	AsOf   time.Time // of the data
	Behind bool      // events were stored since that are not counted yet
	Form   *form     // of time and filters; nil: the page has none
	Data   any       // of the page's own template
}

// read makes the request of a page. It is usable even where there is an error.
func (d *Dashboard) read(w http.ResponseWriter, r *http.Request, page Page) (*request, error) {
	q := &request{w: w, r: r, page: page, Timezone: d.Timezone, location: time.UTC, ownZone: d.Timezone, AsOf: d.Now(), patient: time.Now().Add(d.Patience)}
	var wrong error
	q.values, wrong = valuesOf(w, r)
	q.Lang = language(r, q.values.Get("lang"))
	q.Wording = reports.WordingIn(q.Lang)
	q.Title = q.say(page.Name)
	if lang := q.values.Get("lang"); lang != "" {
		if _, err := reports.ParseLang(lang); err != nil {
			wrong = &InputError{Err: err}
		}
	}
	zone := cmp.Or(q.values.Get("timezone"), d.Timezone)
	span, err := d.Span(url.Values{"timezone": {zone}, "month": {"2026-01"}})
	if err != nil {
		q.values.Del("timezone") // or every way back would lead here
		return q, err
	}
	q.Timezone, q.location = zone, span.Location
	return q, wrong
}

// valuesOf reads the parameters of the address and those of a posted form. Next
// to an error it returns those that can be read. Only forms without files are
// taken, so that nothing of a body reaches the disk.
func valuesOf(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = &InputError{Err: err}
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxPost)
		if refused := ParseForm(r); refused != nil {
			return values, refused
		}
		values = r.Form
	}
	for name, all := range values {
		for _, value := range all {
			if !utf8.ValidString(name + value) {
				values.Del(name)
				err = &InputError{Err: fmt.Errorf("parameter %q is not UTF-8", name)}
			}
		}
	}
	return values, err
}

// ParseForm reads a posted form into r.Form; nil where it can be read. A body in
// another form is refused, not overlooked.
func ParseForm(r *http.Request) *InputError {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return &InputError{fmt.Errorf("a body of type %.60q: send application/x-www-form-urlencoded", r.Header.Get("Content-Type")), http.StatusUnsupportedMediaType}
	}
	err = r.ParseForm()
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &InputError{fmt.Errorf("the form is longer than %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge}
	}
	if err != nil {
		return &InputError{Err: err}
	}
	return nil
}

// language is the one that is asked for, or that the browser prefers.
func language(r *http.Request, asked string) reports.Lang {
	if lang, err := reports.ParseLang(asked); err == nil {
		return lang
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		base, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if lang, err := reports.ParseLang(base); err == nil {
			return lang
		}
	}
	return reports.EN
}

func (q *request) say(t text, args ...any) string {
	format := t.EN
	if q.Lang == reports.JA {
		format = t.JA
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// kept are the parameters that go with the reader from page to page.
var kept = []string{"lang", "timezone", "month", "from", "to", "agent", "operation", "category", "provider"}

// Link is the address of a page with the kept parameters, and those of pairs
// beside or instead of them.
func (q *request) Link(path string, pairs ...string) string {
	values := url.Values{}
	for _, name := range kept {
		values.Set(name, q.values.Get(name))
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	maps.DeleteFunc(values, func(_ string, v []string) bool { return v[0] == "" })
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// Here is the address of this page with some parameters changed.
func (q *request) Here(pairs ...string) string {
	values := maps.Clone(q.r.URL.Query())
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return q.r.URL.EscapedPath() + "?" + values.Encode()
}

// Get is a parameter of the address.
func (q *request) Get(name string) string { return q.values.Get(name) }

// A link is an entry of the navigation.
type link struct {
	Name, Address string
	Current       bool
}

// Navigation lists the pages that have a name.
func (q *request) Navigation() []link {
	var links []link
	for _, p := range Pages {
		if p.Name != (text{}) {
			links = append(links, link{q.say(p.Name), q.Link(strings.TrimSuffix(p.Path, "{$}")), p.Path == q.page.Path})
		}
	}
	return links
}

// Time writes a time in the reader's zone.
func (q *request) Time(t time.Time) template.HTML {
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339Nano) + `">` + t.In(q.location).Format("2006-01-02 15:04:05") + `</time>`)
}

// Day writes the day of a time in the reader's zone.
func (q *request) Day(t time.Time) template.HTML {
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339Nano) + `">` + t.In(q.location).Format(time.DateOnly) + `</time>`)
}

// Duration writes a time span for people.
func (q *request) Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return q.say(text{EN: "%d days", JA: "%d日"}, int(d.Hours()/24))
}

// Millis is Duration of a number of milliseconds.
func (q *request) Millis(ms int64) string { return q.Duration(time.Duration(ms) * time.Millisecond) }
