// Package dashboard shows what is stored as pages for a browser.
//
// A [Dashboard] is the handler of all of [Pages]: made on the server, of the
// same sections and in the same words as the report, in English and Japanese.
// What a page shows stands in its address (month or from and to, timezone,
// lang, filters), so that a view can be sent to a colleague. Scripts only draw
// charts and keep the live page moving; without them every page says the same.
//
// What always holds: text that came with events is shown as text, and no page
// runs or loads anything that is not of this program. No page reads the whole
// history: a question has a span and a LIMIT. What takes long is kept in a
// [memory], and a page that shows an older answer says so.
package dashboard

import (
	"cmp"
	"context"
	"embed"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"hansei/analyze"
	"hansei/classify"
	"hansei/deliver"
	"hansei/queries"
	"hansei/reports"
)

// Options are what the pages ask. All must be set but Patience.
type Options struct {
	Store      *analyze.Store
	Classifier func() *classify.Classifier // in force
	RuleFolder func() RuleFolder
	Span       func(url.Values) (queries.Span, error)
	Tune       func(context.Context, queries.Span) (*analyze.Tuning, error)
	Report     func(context.Context, queries.Span, *analyze.Tuning) (*reports.Report, error)
	// Stamp changes when what reports rest on beside the store does.
	Stamp func() string
	// Do is what commands do under that name: decide, quarantine/requeue, quarantine/drop.
	Do         func(ctx context.Context, name string, values url.Values) error
	Deliveries func(context.Context) ([]deliver.Record, error) // the log, newest first
	File       http.HandlerFunc                                // answers the report in the format of the address
	Timezone   string                                          // of pages whose address names none
	Now        func() time.Time
	Patience   time.Duration // how long a page waits for newer answers where it has older ones; 0: 100 ms
	Log        *slog.Logger
}

// An InputError is an error that what was sent is to blame for. Status is that of
// HTTP; 0: 400.
type InputError struct {
	Err    error
	Status int
}

func (e *InputError) Error() string { return e.Err.Error() }

// A Page is one page. Show answers a GET; it returns what the page's template
// is executed with, or an error for [Dashboard.fail].
type Page struct {
	Path string
	Name text // in the navigation; empty: reached from another page
	Show func(d *Dashboard, q *request) error
	Post func(d *Dashboard, q *request) error // answers a POST; nil: none
}

// Pages are all pages, in the order of the navigation.
var Pages = []Page{
	home,
	report,
	incidents,
	incident,
	faults,
	suggestions,
	live,
	rules,
	sources,
	deliveries,
}

// A Dashboard answers for the pages. It is safe for concurrent use; the caller
// closes it.
type Dashboard struct {
	Options
	Live *Live // told by the pipeline of what was stored

	reports   memory[*rendered]
	tunings   memory[*analyze.Tuning]
	months    memory[[]queries.MonthCount]
	choices   memory[[]queries.Choice]
	faults    memory[[]queries.Fault]
	books     memory[*ledgers]
	found     memory[[]queries.FoundIncident]
	decisions memory[[]queries.Decision]
	refresh   memory[struct{}]
	work      *work
}

// New returns the handler of all pages.
func New(o Options) *Dashboard {
	o.Patience = cmp.Or(o.Patience, patience)
	d := &Dashboard{Options: o, Live: newLive(o.Now), work: newWork()}
	d.reports.long, d.tunings.long = true, true
	return d
}

// Close ends what is still being reckoned, and waits for it. Pages that are
// asked for later may fail.
func (d *Dashboard) Close() { d.work.close() }

//go:embed assets
var assets embed.FS

// Register adds the pages and what they load.
func (d *Dashboard) Register(mux *http.ServeMux) {
	for _, page := range Pages {
		mux.HandleFunc("GET "+page.Path, d.handle(page, page.Show))
		if page.Post != nil {
			mux.HandleFunc("POST "+page.Path, d.handle(page, page.Post))
		}
	}
	mux.HandleFunc("GET /live/stream", d.stream)
	mux.HandleFunc("GET /assets/{name}", d.handle(Page{}, (*Dashboard).asset))
	mux.HandleFunc("GET /favicon.ico", d.handle(Page{}, (*Dashboard).asset))
	mux.HandleFunc("GET /", d.handle(Page{}, func(*Dashboard, *request) error { return errNoPage }))
}

func (d *Dashboard) handle(page Page, answer func(*Dashboard, *request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := d.read(w, r, page)
		if err == nil {
			err = answer(d, q)
		}
		if err != nil {
			d.fail(q, err)
		}
	}
}
