package dashboard

import (
	"context"
	"net/http"
	"net/url"
)

// Warm makes the pages that people open first: those of the latest month, and
// the report of the month that ended last, in both languages. It returns when
// they are made, or ctx ends.
func (d *Dashboard) Warm(ctx context.Context) {
	mux := http.NewServeMux()
	d.Register(mux)
	span, err := d.Span(url.Values{"timezone": {d.Timezone}, "month": {"2026-01"}})
	if err != nil {
		return // no page can be made then, which each will say
	}
	now := d.Now().In(span.Location)
	ended := now.AddDate(0, 0, -now.Day()).Format("2006-01")
	for _, address := range []string{"/", "/incidents", "/faults", "/sources", "/suggestions", "/report", "/report?lang=ja", "/report?month=" + ended, "/report?lang=ja&month=" + ended} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil || ctx.Err() != nil {
			return
		}
		mux.ServeHTTP(nobody{}, r)
	}
}

// nobody takes a page that is made for the next reader.
type nobody struct{}

func (nobody) Header() http.Header         { return http.Header{} }
func (nobody) WriteHeader(int)             {}
func (nobody) Write(b []byte) (int, error) { return len(b), nil }
