package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// maxPages bounds how many pages are looked at in one view.
const maxPages = 24

// TestPages follows the links of serve's pages and wants each to look right.
func TestPages(t *testing.T) {
	for _, visit := range []struct {
		view view
		lang string
	}{{wideLight, "en"}, {phoneDark, "ja"}} {
		t.Run(visit.lang+" "+visit.view.name, func(t *testing.T) {
			t.Parallel()
			todo := []string{base + "/?lang=" + visit.lang}
			seen := map[string]bool{kindOf(todo[0]): true}
			for n := 0; len(todo) > 0 && n < maxPages; n++ {
				url := todo[0]
				todo = todo[1:]
				t.Run(strings.TrimPrefix(url, base), func(t *testing.T) {
					for _, link := range look(t, visit.view, url, fmt.Sprintf("page-%s-%s-%02d", visit.lang, visit.view.name, n)) {
						if other(link, visit.lang) && n > 0 {
							continue // the first page leads to the other language; the rest is looked at in its own visit
						}
						if kind := kindOf(link); !seen[kind] {
							seen[kind] = true
							todo = append(todo, link)
						}
					}
				})
			}
		})
	}
}

// look opens a page and returns the pages of serve that it links to.
func look(t *testing.T, v view, url, name string) []string {
	t.Helper()
	p := open(t, v)
	act(t, p, chromedp.Navigate(url))
	looksRight(t, p)
	picture(t, p, name)
	return ask[[]string](t, p, `Array.from(document.querySelectorAll("a[href]"), a => a.href.split("#")[0]).filter(h => h.startsWith(location.origin + "/") && !/format=|\/metrics|\/healthz|\/v1\//.test(h))`)
}

// other reports whether a link leads to another language.
func other(link, lang string) bool {
	u, err := url.Parse(link)
	return err == nil && u.Query().Get("lang") != "" && u.Query().Get("lang") != lang
}

// kindOf tells pages apart by their path, of which one is looked at for each
// set of parameters. Another month shows nothing that the latest has not.
func kindOf(url string) string {
	path, query, _ := strings.Cut(strings.TrimPrefix(url, base), "?")
	parts := strings.Split(path, "/")
	if len(parts) > 2 { // /incidents/<agent>/<incident>
		parts = append(parts[:2], "…")
	}
	kind := strings.Join(parts, "/")
	for _, parameter := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if name == "month" {
			continue
		}
		kind += "&" + name
		if name == "lang" {
			kind += value
		}
	}
	return kind
}

// No table of a page hides a column behind its edge, however narrow a window of
// a desk is: what does not fit beside each other is told below each other.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{700, 840, 1000} {
		for _, path := range []string{"/", "/report", "/incidents", "/faults", "/suggestions", "/rules", "/sources", "/deliveries"} {
			t.Run(fmt.Sprintf("%d%s", width, path), func(t *testing.T) {
				p := open(t, view{name: "desk", width: width, height: 900, scheme: "light"})
				act(t, p, chromedp.Navigate(base+path+"?lang=en"))
				complete(t, p)
				for _, table := range ask[[]string](t, p, `Array.from(document.querySelectorAll(".scroll"))
					.filter(e => e.scrollWidth > e.clientWidth + 1)
					.map(e => (e.getAttribute("aria-label") || e.className) + ": " + e.scrollWidth + " in " + e.clientWidth)`) {
					t.Error(table)
				}
			})
		}
	}
}
