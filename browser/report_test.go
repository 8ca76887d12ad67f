package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const month = "2026-03"

// maxReport is what a report of the demo fleet may have, of which ECharts has 1.1 MB.
const maxReport = 3 << 20

// copies is where the reports of both languages are served once made: making
// one takes serve longer than the browser to show it.
var copies string

// copyReports asks serve for the report in each language and serves the answers.
func copyReports() (stop func(), err error) {
	reports := http.NewServeMux()
	for _, lang := range []string{"en", "ja"} {
		answer, err := http.Get(base + "/report?format=html&month=" + month + "&lang=" + lang)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("report in %s: %s: %v", lang, answer.Status, err)
		}
		reports.HandleFunc("GET /"+lang, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(text)
		})
	}
	server := httptest.NewServer(reports)
	copies = server.URL
	return server.Close, nil
}

func reportURL(lang string) string { return copies + "/" + lang }

// openReport opens the demo's last month.
func openReport(t *testing.T, v view, lang string) *tab {
	t.Helper()
	p := open(t, v)
	act(t, p, chromedp.Navigate(reportURL(lang)))
	return p
}

func TestReport(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		for _, v := range views {
			t.Run(lang+" "+v.name, func(t *testing.T) {
				t.Parallel()
				p := openReport(t, v, lang)
				complete(t, p)
				picture(t, p, "report-"+lang+"-"+v.name)
				if v == wideLight || v == phoneDark { // opened rows differ in nothing but colour and width
					drill(t, p)
					picture(t, p, "opened-"+lang+"-"+v.name)
				}
				looksRight(t, p)
			})
		}
	}
}

// drill opens the first row of each table, by mouse and by keyboard in turn,
// and wants it to show what is behind it.
func drill(t *testing.T, p *tab) {
	t.Helper()
	sections := ask[[]string](t, p, `Array.from(document.querySelectorAll("section:has(.opens)"), s => s.id)`)
	if len(sections) < 12 {
		t.Errorf("rows open in %d sections only: %v", len(sections), sections)
	}
	for i, id := range sections {
		summary := fmt.Sprintf(`#%s .opens > summary`, id)
		if folded := fmt.Sprintf(`#%s details:not(.opens):not(.more):not([open]):has(.opens) > summary`, id); ask[bool](t, p, fmt.Sprintf("!!document.querySelector(%q)", folded)) {
			act(t, p, chromedp.Click(chromedp.CSS(folded)))
		}
		behind := fmt.Sprintf(`(r => getComputedStyle(r).display !== "none" && r.querySelectorAll("li").length > 0)(document.querySelector(%q).closest("tr").nextElementSibling)`, summary)
		if ask[bool](t, p, behind) {
			t.Errorf("%s: open before it is opened", id)
		}
		if i%2 == 0 {
			act(t, p, chromedp.Click(chromedp.CSS(summary)))
		} else {
			act(t, p, chromedp.Focus(chromedp.CSS(summary)), chromedp.KeyEvent(kb.Enter))
		}
		if !soon(t, p, behind) {
			t.Errorf("%s: nothing is behind its first row", id)
		}
	}
}

// TestFarSections wants sections that are not laid out yet to be reached by
// links and by keyboard.
func TestFarSections(t *testing.T) {
	t.Parallel()
	for _, v := range []view{wideLight, phoneDark} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			p := openReport(t, v, "en")
			complete(t, p)
			laidOut := `document.querySelector("#models summary").checkVisibility({ contentVisibilityAuto: true })`
			if !ask[bool](t, p, laidOut) {
				t.Error("a far section is never laid out")
			}
			act(t, p, chromedp.Evaluate[chromedp.Void](`document.documentElement.classList.remove("whole")`))
			if !soon(t, p, "!"+laidOut) {
				t.Error("a far section is laid out while the page opens")
			}
			act(t, p, chromedp.Evaluate[chromedp.Void](`Array.from(document.querySelectorAll("#models summary")).pop().focus({ preventScroll: true })`))
			for range 2 { // the table, its first row
				act(t, p, chromedp.KeyEvent(kb.Tab))
			}
			if at := ask[string](t, p, `document.activeElement.closest("section").id + " " + document.activeElement.tagName`); at != "coverage SUMMARY" {
				t.Errorf("the keyboard leads to %s", at)
			}
			act(t, p, chromedp.KeyEvent(kb.Enter))
			if !soon(t, p, `document.activeElement.closest("tr").nextElementSibling.querySelectorAll("li").length > 0`) {
				t.Error("its row does not open")
			}
			whole := `document.documentElement.classList.contains("whole")`
			if ask[bool](t, p, whole) {
				t.Error("all sections are laid out before a link leads to one")
			}
			act(t, p, chromedp.Evaluate[chromedp.Void](`document.querySelector("nav a[href='#suggestions']").click()`))
			if !ask[bool](t, p, whole) {
				t.Error("a link leads past sections whose heights are guessed")
			}
			if !soon(t, p, `(top => top >= 0 && top < 100)(document.querySelector("#suggestions h2").getBoundingClientRect().top)`) {
				t.Errorf("the contents do not lead to the suggestions, but to %v", ask[[]float64](t, p, `[scrollY, document.querySelector("#suggestions h2").getBoundingClientRect().top]`))
			}
		})
	}
}

// TestReportWithoutScript wants the report to need no script but for its charts.
func TestReportWithoutScript(t *testing.T) {
	t.Parallel()
	p := open(t, phoneLight)
	act(t, p, call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}), chromedp.Navigate(reportURL("en")))
	if ask[bool](t, p, `document.querySelector(".nochart").offsetHeight === 0`) {
		t.Error("nothing says that charts are missing")
	}
	drill(t, p)
}

// TestRowsOpen wants every row of a section's first table to open; a second one
// tells the same keys again.
func TestRowsOpen(t *testing.T) {
	t.Parallel()
	p := openReport(t, wideLight, "en")
	for _, id := range []string{"codes", "taxonomies", "categories", "agents", "operations", "providers", "models", "messages", "news",
		"outages", "wasted", "human", "times", "hours", "days", "retries", "coverage"} {
		shut := ask[int](t, p, fmt.Sprintf(`(table => table ? Array.from(table.tBodies[0].rows).filter(r => !r.matches(".behind") && !r.querySelector(".opens")).length : -1)(
			document.querySelector("#%s .scroll > table"))`, id))
		if shut != 0 {
			t.Errorf("%s: %d rows do not open (-1: no table)", id, shut)
		}
	}
}

// TestReportIsSmall wants one file that is not large.
func TestReportIsSmall(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		answer, err := http.Get(reportURL(lang))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v", answer.Status, err)
		}
		t.Logf("%s: %d bytes", lang, len(text))
		if len(text) > maxReport {
			t.Errorf("%s: %d bytes, at most %d", lang, len(text), maxReport)
		}
	}
}

// TestPrint wants paper to show folded numbers and legible charts.
func TestPrint(t *testing.T) {
	t.Parallel()
	p := openReport(t, wideDark, "ja")
	act(t, p, call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}),
		chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("beforeprint"))`))
	for what, expression := range map[string]string{
		"the contents are printed":    `getComputedStyle(document.querySelector("nav")).display !== "none"`,
		"the numbers of days are not": `document.querySelector("#days .scroll").offsetHeight === 0`,
		"the rest of the rows is not": `document.querySelector("#codes .rest").offsetHeight === 0`,
		"text is not black":           `getComputedStyle(document.body).color !== "rgb(0, 0, 0)"`,
		"a chart is wider than paper": `Array.from(document.querySelectorAll(".chart svg")).some(c => c.getBoundingClientRect().width > 680)`,
		"an unopened row is printed":  `Array.from(document.querySelectorAll(".behind")).some(r => r.offsetHeight > 0)`,
	} {
		if ask[bool](t, p, expression) {
			t.Error(what)
		}
	}
	pdf, err := chromedp.Run(p, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	if err != nil {
		t.Fatal(err)
	}
	if len(pdf) < 100_000 {
		t.Errorf("%d bytes of PDF", len(pdf))
	}
	keep(t, "report-ja.pdf", pdf)
}

// What opening the report may take: elements, most of which lie behind rows
// that are shut, and time of the processor until it has loaded, as a part of
// what it takes until all of it is laid out and drawn. Both are a third less.
const (
	maxElements = 24_000
	maxLoading  = 0.6
)

// TestReportOpensFast wants the report to be there soon: what takes long comes
// after its first screen.
func TestReportOpensFast(t *testing.T) {
	for _, v := range []view{wideLight, phoneDark} {
		p := open(t, v)
		act(t, p, call(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}), chromedp.Navigate(reportURL("en")))
		loaded := p.used(t)
		first := loaded
		if ask[bool](t, p, `Array.from(document.querySelectorAll(".chart")).some(c => c.getBoundingClientRect().top < innerHeight)`) {
			if !soon(t, p, `Array.from(document.querySelectorAll(".chart")).every(c => c.firstElementChild || c.getBoundingClientRect().top > innerHeight)`) {
				t.Errorf("%s: a chart of the first screen is not drawn", v.name)
			}
			first = p.used(t)
		} else if v == wideLight {
			t.Errorf("%s: no chart on the first screen", v.name)
		}
		complete(t, p)
		all := p.used(t)
		t.Logf("%s: %.0f ms of the processor, %.0f until the first screen is complete, %.0f until all is; loaded after %.0f ms, first seen after %.0f ms",
			v.name, 1000*loaded, 1000*first, 1000*all,
			ask[float64](t, p, `performance.timing.loadEventEnd - performance.timing.navigationStart`),
			ask[float64](t, p, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`))
		if loaded > maxLoading*all {
			t.Errorf("%s: %.2f of all the time is over before it has loaded", v.name, loaded/all)
		}
		if n := ask[int](t, p, `document.querySelectorAll("*").length`); n > maxElements {
			t.Errorf("%s: %d elements", v.name, n)
		}
	}
}

// used is how many seconds of the processor the page has used.
func (p *tab) used(t *testing.T) float64 {
	t.Helper()
	metrics, err := chromedp.Run(p, func(ctx context.Context, t *chromedp.Target) (float64, error) {
		got, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return 0, err
		}
		for _, m := range got.Metrics {
			if m.Name == "TaskDuration" {
				return m.Value, nil
			}
		}
		return 0, errors.New("no TaskDuration")
	})
	if err != nil {
		t.Fatal(err)
	}
	return metrics
}
