package browser

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	data  = flag.String("data", "", "folder with the demo's data, to use a copy of it instead of making it")
	shots = flag.String("shots", "", "folder to put a picture of each page in")
)

// base is where serve answers.
var base string

// browserContext has the one browser of all tests; each page is a tab of it.
var browserContext context.Context

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	chromium := findChromium()
	if chromium == "" {
		fmt.Println("no chromium here: the browser tests are skipped")
		return 0
	}
	folder, err := os.MkdirTemp("", "hansei-browser-")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(folder)
	stop, err := serve(folder)
	if err != nil {
		log.Print(err)
		return 1
	}
	defer stop()
	stopCopies, err := copyReports()
	if err != nil {
		log.Print(err)
		return 1
	}
	defer stopCopies()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox)
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	opened, closeBrowser := chromedp.NewContext(allocated)
	defer closeBrowser()
	if err := chromedp.Do(opened); err != nil {
		log.Printf("start %s: %v", chromium, err)
		return 1
	}
	browserContext = opened
	return m.Run()
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// serve builds the program, fills a data folder with the demo's fleet and the
// hostile events, and serves it. It sets base.
func serve(folder string) (stop func(), err error) {
	program := filepath.Join(folder, "hansei")
	filled := filepath.Join(folder, "data")
	fill := []string{program, "demo", "--no-open", "--data", filled}
	if *data != "" {
		fill = []string{"cp", "-r", *data, filled}
	}
	events := filepath.Join(folder, "hostile.jsonl")
	if err := writeHostile(events); err != nil {
		return nil, err
	}
	for _, step := range [][]string{
		{"go", "build", "-C", "..", "-tags", "duckdb_arrow", "-o", program, "./cmd/hansei"},
		fill,
		{program, "publish", "--data", filled, events},
	} {
		if out, err := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(step, " "), err, out)
		}
	}
	command := exec.Command(program, "serve", "--data", filled, "--listen", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0")
	talk, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		if err := command.Process.Signal(os.Interrupt); err == nil {
			command.Wait()
		}
	}
	address := regexp.MustCompile(`http=(http://[^ ]+)`)
	var told bytes.Buffer
	for lines := bufio.NewScanner(talk); lines.Scan(); {
		fmt.Fprintln(&told, lines.Text())
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			base = m[1]
			go func() { // so that serve never waits for its reader; ends with it
				for lines.Scan() {
				}
			}()
			return stop, ready()
		}
	}
	stop()
	return nil, fmt.Errorf("serve ended: %s", told.String())
}

// ready waits until serve answers.
func ready() error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); ; <-tick.C {
		answer, err := http.Get(base + "/healthz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(answer.Status)
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not answer: %w", base, err)
		}
	}
}

// A view is how a page is looked at.
type view struct {
	name          string
	scheme        string // light or dark
	width, height int64
	phone         bool
}

var (
	wideLight  = view{"wide-light", "light", 1400, 1000, false}
	wideDark   = view{"wide-dark", "dark", 1400, 1000, false}
	phoneLight = view{"phone-light", "light", 390, 844, true}
	phoneDark  = view{"phone-dark", "dark", 390, 844, true}
	views      = []view{wideLight, wideDark, phoneLight, phoneDark}
)

// A tab is one page, with what it did besides being shown.
type tab struct {
	context.Context
	mu       sync.Mutex
	requests []string
	errors   []string
}

// open opens a tab in a view.
func open(t *testing.T, v view) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browserContext)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // opens the tab, which a time limit would close
		t.Fatal(err)
	}
	ctx, cancelTime := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancelTime)
	page := &tab{Context: ctx}
	if err := chromedp.Listen(ctx, page.hear); err != nil {
		t.Fatal(err)
	}
	act(t, page, call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}), v.emulate(),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})) // as if no other tab were there
	return page
}

// hear notes requests and complaints of the page.
func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.errors = append(p.errors, fmt.Sprintf("console: %v", e.Args))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// quiet wants the page to have complained of nothing and asked nobody else.
func (p *tab) quiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		t.Errorf("the page complains: %s", e)
	}
	for _, url := range p.requests {
		if !strings.HasPrefix(url, base+"/") && !strings.HasPrefix(url, copies+"/") && !strings.HasPrefix(url, "data:") && url != "about:blank" {
			t.Errorf("a request leaves the machine: %s", url)
		}
	}
}

// A step is something done in a tab.
type step = chromedp.Action[chromedp.Void]

// call is a command of the browser's protocol.
func call[P, R any](command cdp.Command[P, R], parameters P) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, parameters)
		return chromedp.Void{}, err
	}
}

// act does steps in a tab.
func act(t *testing.T, p *tab, steps ...step) {
	t.Helper()
	if err := chromedp.Do(p, steps...); err != nil {
		t.Fatal(err)
	}
}

// soon reports whether an expression comes true within some seconds.
func soon(t *testing.T, p *tab, expression string) bool {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if ask[bool](t, p, expression) {
			return true
		}
	}
	return false
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, p *tab, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(p, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return answer
}
