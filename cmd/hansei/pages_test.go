package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/deliver"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
	"hansei/queries/golden"
)

// hostile is text that a page must show as text.
const hostile = "<script>alert(1)</script>\"'></title><img src=x onerror=alert(1)> javascript:alert(1) \u202e\u2066 {{.}} "

// A site is the pages of a serve over a real pipeline.
type site struct {
	*testing.T
	app     *app
	local   *local
	handler http.Handler
}

// noonOfTest is when the clock of the pages stands.
var noonOfTest = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func openSite(t *testing.T, token string) *site {
	t.Helper()
	a := &app{streams: streams{out: io.Discard, err: io.Discard}, ctx: t.Context(), location: time.UTC, log: slog.New(slog.DiscardHandler),
		globals: globals{Data: t.TempDir(), Timezone: "UTC", Memory: "256MiB", Token: token}}
	f, err := lockFolder(t.Context(), a.Data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.openPipeline(f, pipelineOptions{threads: servingThreads, log: a.log, live: true})
	if err != nil {
		t.Fatal(err)
	}
	pages := a.pages(p)
	pages.Now = func() time.Time { return noonOfTest }
	pages.Patience = time.Minute // a busy machine shows what was just stored too
	p.page = pages.Live
	s := &site{T: t, app: a, local: newLocal(t.Context(), p), handler: a.handler(p, pages)}
	t.Cleanup(func() {
		pages.Close()
		if err := s.local.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// publish stores events by the way that all events go, and bad input.
func (s *site) publish(events []ingest.Event, bad ...string) {
	s.Helper()
	publisher := s.local.p.client.NewPublisher()
	for i := range events {
		if err := publisher.Publish(s.Context(), &events[i]); err != nil {
			s.Fatal(err)
		}
	}
	for _, text := range bad {
		r := ingest.Record{Raw: []byte(text), Position: "log.txt:7" + hostile, Err: fmt.Errorf("not JSON%s", hostile)}
		if err := publisher.PublishBad(s.Context(), "hansei", &r); err != nil {
			s.Fatal(err)
		}
	}
	if _, err := publisher.Flush(s.Context()); err != nil {
		s.Fatal(err)
	}
	if err := s.local.p.catchUp(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// fill publishes what every page has something to show of: a login that no
// retry ever resolved, a fetch that one did, and text that is hostile.
func (s *site) fill() {
	s.Helper()
	var events []ingest.Event
	for i := range 40 {
		for attempt := range 3 {
			e := ingest.Event{ID: fmt.Sprintf("l%d-%d", i, attempt), Time: time.Date(2026, 3, 1+i%14, 9, i, 20*attempt, 0, time.UTC), Kind: ingest.Failure,
				Agent: "bot", Operation: "login", Incident: fmt.Sprintf("login-%d", i), Attempt: ingest.Some(int64(attempt + 1)), MaxRetries: ingest.Some[int64](2),
				WaitMS: ingest.Some[int64](5000), Code: "401", Message: "401 Unauthorized: invalid API key", Provider: "openai"}
			events = append(events, e)
		}
		events = append(events, ingest.Event{ID: fmt.Sprintf("l%d-end", i), Time: time.Date(2026, 3, 1+i%14, 9, i, 59, 0, time.UTC), Kind: ingest.End, Agent: "bot", Operation: "login", Incident: fmt.Sprintf("login-%d", i)})
	}
	for i := range 20 {
		at := time.Date(2026, 2, 10, 10, i, 0, 0, time.UTC)
		events = append(events,
			ingest.Event{ID: fmt.Sprintf("f%d-1", i), Time: at, Kind: ingest.Failure, Agent: "ant", Operation: "fetch", Incident: fmt.Sprintf("fetch-%d", i), Attempt: ingest.Some[int64](1), Code: "429", Message: "429 Too Many Requests", Session: "s1"},
			ingest.Event{ID: fmt.Sprintf("f%d-2", i), Time: at.Add(5 * time.Second), Kind: ingest.Success, Agent: "ant", Operation: "fetch", Incident: fmt.Sprintf("fetch-%d", i), Attempt: ingest.Some[int64](2)})
	}
	long := strings.Repeat("x", 10_000)
	events = append(events, ingest.Event{ID: "evil", Time: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC), Kind: ingest.Failure,
		Agent: "evil " + hostile, Session: hostile, Operation: hostile, Step: hostile, Component: hostile, Incident: "i " + hostile, Attempt: ingest.Some[int64](1),
		Code: hostile, Status: hostile, Message: hostile + long, Detail: hostile, Provider: hostile, Model: hostile, TraceID: hostile,
		Attrs: map[string]string{"version": hostile, hostile: hostile}})
	s.publish(events, "no event "+hostile)
}

// get asks for an address, in a language of the browser.
func (s *site) get(address, language string) *httptest.ResponseRecorder {
	s.Helper()
	r := httptest.NewRequestWithContext(s.Context(), http.MethodGet, "http://127.0.0.1"+address, nil)
	r.Header.Set("Accept-Language", language)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (s *site) post(address string, values url.Values, headers ...string) *httptest.ResponseRecorder {
	s.Helper()
	r := httptest.NewRequestWithContext(s.Context(), http.MethodPost, "http://127.0.0.1"+address, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

var (
	addressRE = regexp.MustCompile(`(?:href|src|action|data-stream)="([^"]*)"`)
	idRE      = regexp.MustCompile(`<[^>]* id="([^"]*)"`)
	nextRE    = regexp.MustCompile(`rel="next" href="([^"]*)"`)
	scriptRE  = regexp.MustCompile(`<script[^>]*>`)
)

// checkPage says what is wrong with a page, whatever it is about.
func (s *site) checkPage(address, lang string, w *httptest.ResponseRecorder) {
	s.Helper()
	page := w.Body.String()
	for _, must := range []string{"<!doctype html>", `<html lang="` + lang + `">`, "<main", `role="banner"`, `role="navigation"`, `name="viewport"`, "</html>"} {
		if !strings.Contains(page, must) {
			s.Errorf("%s: no %s", address, must)
		}
	}
	if n := strings.Count(page, "<h1"); n != 1 {
		s.Errorf("%s: %d headings h1", address, n)
	}
	for _, never := range []string{"<script>alert", "<img src=x", "\u202e", "\u2066", "ZgotmplZ", "<no value>"} {
		if strings.Contains(page, never) {
			s.Errorf("%s: the page has %q", address, never)
		}
	}
	ids := map[string]bool{}
	for _, id := range idRE.FindAllStringSubmatch(page, -1) {
		if ids[id[1]] {
			s.Errorf("%s: the id %q is there twice, so a link to it may lead elsewhere", address, id[1])
		}
		ids[id[1]] = true
	}
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "script-src 'unsafe") {
		s.Errorf("%s: policy %q", address, policy)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		s.Errorf("%s: headers %v", address, w.Header())
	}
	if !strings.HasPrefix(address, "/report") {
		for _, script := range scriptRE.FindAllString(page, -1) {
			if script != `<script src="/assets/live.js" defer>` {
				s.Errorf("%s: %s", address, script)
			}
		}
	}
}

// links are the addresses of a page, as a browser reads them.
func links(page string) []string {
	var found []string
	for _, m := range addressRE.FindAllStringSubmatch(page, -1) {
		found = append(found, strings.NewReplacer("&amp;", "&", "&#39;", "'", "&#34;", `"`, "&#43;", "+").Replace(m[1]))
	}
	return found
}

// pageTable has each page with words that it must have.
var pageTable = []struct{ address, en, ja string }{
	{"/", "March 2026: so far", "2026年3月（現在まで）"},
	{"/report", "Error report: March 2026", "エラーレポート 2026年3月"},
	{"/report?month=2026-03&lang=", "February 2026", "2026年2月"},
	{"/report?from=2026-02-01&to=2026-03-31&month=2026-03", "2026-02-01 to 2026-03-31", "2026-02-01 から 2026-03-31"},
	{"/report?agent=ant&month=2026-02", "agent ant", "エージェント：ant"},
	{"/report?month=2025-01", "No incidents in January 2025", "2025年1月のインシデントはありません"},
	{"/incidents", "login-3", "断念"},
	{"/incidents?text=LOGIN-7&state=unresolved", "login-7", "login-7"},
	{"/incidents?text=nothing+like+it", "No incident fits", "該当するインシデントはありません"},
	{"/incident?of=bot&id=login-1", "Attempt 3", "試行 3"},
	{"/incident?of=ant&id=fetch-1&at=1770717660000000", "retried", "リトライで解決"},
	{"/faults", "401 Unauthorized", "最初のメッセージ"},
	{"/faults?show=new", ">new<", ">新規<"},
	{"/faults?show=returned", "No fault fits", "該当するものはありません"},
	{"/suggestions", "bot × login × auth", "bot × login × 認証"},
	{"/suggestions?agent=ant", "Suggestions", "提案"},
	{"/live", "Last failures", "最新の失敗"},
	{"/rules", "Categories and their rules", "カテゴリとルール"},
	{"/rules?message=429+Too+Many+Requests", "rate_limit", "レート制限"},
	{"/sources", "The books balance", "帳簿は一致しています"},
	{"/deliveries", "Nothing was delivered yet", "まだ配信はありません"},
}

// The log of deliveries tells what went where, and of what did not arrive.
func TestDeliveriesPage(t *testing.T) {
	s := openSite(t, "")
	record := deliver.Record{Kind: deliver.Month, Period: "2026-02", Way: "webhook", To: "hooks.example " + hostile, State: deliver.Failed, At: noonOfTest,
		Tries: []deliver.Try{{At: noonOfTest, Error: "403 Forbidden " + hostile}}}
	value, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.local.p.client.Register(stream.Deliveries).Set(t.Context(), "one", value, 0); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"en": "failed", "ja": "失敗"} {
		w := s.get("/deliveries", lang)
		s.checkPage("/deliveries", lang, w)
		for _, want := range []string{want, "403 Forbidden", "hooks.example", "month=2026-02"} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: no %q in the page", lang, want)
			}
		}
	}
}

// Every page answers in both languages, shows hostile text as text, and leads
// nowhere else.
func TestPages(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	seen := map[string]bool{}
	var queue []string
	visit := func(address, language string) string {
		w := s.get(address, language)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %.300s", address, w.Code, w.Body)
		}
		s.checkPage(address, language[:2], w)
		for _, link := range links(w.Body.String()) {
			if strings.HasPrefix(link, "#") {
				continue
			}
			if !strings.HasPrefix(link, "/") || strings.HasPrefix(link, "//") {
				t.Errorf("%s leads to %s", address, link)
			}
			link, _, _ = strings.Cut(link, "#")
			if !seen[link] {
				seen[link] = true
				queue = append(queue, link)
			}
		}
		return w.Body.String()
	}
	for _, page := range pageTable {
		for language, want := range map[string]string{"en-GB,ja;q=0.5": page.en, "ja": page.ja} {
			got := visit(page.address, language)
			if !strings.Contains(got, want) {
				t.Errorf("%s in %s does not say %q", page.address, language, want)
			}
			if language == "ja" && strings.Contains(got, "February 2026") {
				t.Errorf("%s in Japanese has an English month", page.address)
			}
		}
	}
	for _, link := range queue { // one step further, and what pages load
		if strings.HasPrefix(link, "/live/stream") {
			continue
		}
		if w := s.get(link, "en"); w.Code != http.StatusOK {
			t.Errorf("link %s: %d %.200s", link, w.Code, w.Body)
		} else if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && !strings.Contains(link, "format=") {
			lang := "en"
			if strings.Contains(link, "lang=ja") {
				lang = "ja"
			}
			s.checkPage(link, lang, w)
		}
	}
	if len(queue) < 100 {
		t.Errorf("only %d links", len(queue))
	}
}

// What cannot be answered says so, with its status and a way back.
func TestPageErrors(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	for _, test := range []struct {
		address string
		status  int
		want    string
	}{
		{"/nothing", 404, "Nothing is here"},
		{"/nothing?lang=ja", 404, "ページがありません"},
		{"/incident?of=bot&id=none", 404, "Nothing is here"},
		{"/incident?of=bot", 400, "needs of=AGENT and id=INCIDENT"},
		{"/incident?of=bot&id=login-1&at=x", 400, "is no time"},
		{"/report?month=2026-13", 400, "write it like 2026-01"},
		{"/report?from=2026-03-02&to=2026-03-01", 400, "lies after"},
		{"/report?from=0001-01-01&to=9999-12-31", 400, "longer than 10 years"},
		{"/incidents?from=2016-01-01&to=2026-01-01", 400, "longer than 10 years"},
		{"/incidents?agent=%27;drop+table+events", 400, "semicolon"},
		{"/incidents?agent=%ff%fe", 400, "UTF-8"},
		{"/incidents?month=%zz", 400, "%zz"},
		{"/incident?of=bot&id=login-1&at=9223372036854775807", 400, "is no time"},
		{"/incidents?after=-9223372036854775808", 400, "leave it out"},
		{"/report?category=nonsense", 400, "known are rate_limit"},
		{"/incidents?timezone=Mars/Olympus", 400, "name it like Asia/Tokyo"},
		{"/incidents?state=half", 400, "want open, resolved or unresolved"},
		{"/incidents?after=x", 400, "leave it out"},
		{"/faults?show=x", 400, "want new or returned"},
		{"/faults?after=x", 400, "begin with its first page"},
		{"/?lang=fr", 400, "known are en, ja"},
		{"/rules?message=" + strings.Repeat("x", 9000), 400, "more than 8192 bytes"},
	} {
		w := s.get(test.address, "en")
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%.60s: got %d %.900s, want %d %s", test.address, w.Code, w.Body, test.status, test.want)
		}
		lang := "en"
		if strings.Contains(test.address, "lang=ja") {
			lang = "ja"
		}
		s.checkPage(test.address[:min(len(test.address), 20)]+" (error)", lang, w)
		if back := links(w.Body.String()); !slices.ContainsFunc(back, func(l string) bool { return strings.HasPrefix(l, "/?") || l == "/" }) {
			t.Errorf("%.60s: no way back in %v", test.address, back)
		}
	}
	if w := s.get("/v1/nothing", "en"); w.Code != 404 || strings.Contains(w.Body.String(), "<html") {
		t.Errorf("the API answers programs with a page: %d %s", w.Code, w.Body)
	}
}

// A page of the list goes on where the one before ended.
func TestIncidentPages(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	found := map[string]bool{}
	address := "/incidents?from=2026-01-01&to=2026-03-31"
	for pages := 0; address != ""; pages++ {
		page := s.get(address, "en").Body.String()
		address = ""
		for _, link := range links(page) {
			if strings.HasPrefix(link, "/incident?") {
				u, _ := url.Parse(link)
				id := u.Query().Get("id")
				if found[id] {
					t.Errorf("%s is there twice", id)
				}
				found[id] = true
			}
		}
		if next := nextRE.FindStringSubmatch(page); next != nil {
			address = strings.ReplaceAll(next[1], "&amp;", "&")
		}
		if pages > 5 {
			t.Fatal("no end")
		}
	}
	if len(found) != 61 {
		t.Errorf("%d incidents, want 61", len(found))
	}
}

// Decisions and bad input are dealt with by forms, as by the commands.
func TestPageForms(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	page := s.get("/suggestions?month=2026-03", "en").Body.String()
	id := regexp.MustCompile(`name="id" value="(s-[0-9a-f]+)"`).FindStringSubmatch(page)
	if id == nil {
		t.Fatalf("no suggestion to decide on: %s", page)
	}
	form := url.Values{"id": {id[1]}, "month": {"2026-03"}, "who": {"Ada <b>"}, "decision": {"dismissed"}, "reason": {" "}}
	if w := s.post("/suggestions", form); w.Code != 400 || !strings.Contains(w.Body.String(), "dismissing needs a reason") {
		t.Errorf("dismissed without a reason: %d", w.Code)
	}
	form.Set("reason", strings.Repeat("x", 5000))
	if w := s.post("/suggestions", form); w.Code != 400 || !strings.Contains(w.Body.String(), "at most 4096") {
		t.Errorf("dismissed with a book: %d", w.Code)
	}
	form.Set("reason", "the key is <i>renewed</i>")
	if w := s.post("/suggestions", form, "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site decided: %d", w.Code)
	}
	if w := s.post("/suggestions", form, "Origin", "https://example.com"); w.Code != http.StatusForbidden {
		t.Errorf("another origin decided: %d", w.Code)
	}
	form.Set("who", "")
	if w := s.post("/suggestions", form); w.Code != 400 {
		t.Errorf("nobody decided: %d", w.Code)
	}
	form.Set("who", "Ada <b>")
	w := s.post("/suggestions", form)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("dismiss: %d %s", w.Code, w.Body)
	}
	back, anchor, _ := strings.Cut(w.Header().Get("Location"), "#")
	if anchor != id[1] {
		t.Errorf("leads back to %q", anchor)
	}
	if w := s.post("/suggestions", form); w.Code != http.StatusSeeOther {
		t.Errorf("the same form sent twice: %d %s", w.Code, w.Body)
	}
	late := url.Values{"id": {id[1]}, "month": {"2026-03"}, "who": {"Bob"}, "decision": {"accepted"}}
	if w := s.post("/suggestions", late); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "was dismissed by Ada &lt;b&gt; at 20") {
		t.Errorf("decided at the same time: %d %s", w.Code, w.Body)
	}
	page = s.get(back, "en").Body.String()
	known := regexp.MustCompile(`name="id" value="` + id[1] + `"><input type="hidden" name="known" value="([^"]+)"`).FindStringSubmatch(page)
	if known == nil {
		t.Fatal("the form does not tell which decision it shows")
	}
	if !strings.Contains(page, "Dismissed") || !strings.Contains(page, "the key is &lt;i&gt;renewed") || !strings.Contains(page, "Ada &lt;b&gt;") {
		t.Errorf("the decision is not shown: %s", page)
	}
	late.Set("known", known[1])
	if w := s.post("/suggestions", late); w.Code != http.StatusSeeOther {
		t.Errorf("decided again, having seen the first: %d %s", w.Code, w.Body)
	}
	bad := func() url.Values {
		page := s.get("/sources", "en").Body.String()
		id := regexp.MustCompile(`name="id" value="(q-[0-9a-f]+)"`).FindStringSubmatch(page)
		text := regexp.MustCompile(`(?s)<textarea[^>]*>\n(.*?)</textarea>`).FindStringSubmatch(page)
		if id == nil || text == nil {
			t.Fatalf("nothing in quarantine: %s", page)
		}
		return url.Values{"id": {id[1]}, "do": {"requeue"}, "edit": {html.UnescapeString(text[1])}}
	}
	form = bad()
	if w := s.post("/sources", form); w.Code != http.StatusSeeOther {
		t.Fatalf("requeue: %d %s", w.Code, w.Body)
	}
	if got := s.raw(); len(got) != 1 || strings.TrimSpace(got[0]) != strings.TrimSpace("no event "+hostile) {
		t.Errorf("requeued unchanged, it is as bad and as it was: got %q", got)
	}
	form = bad()
	form.Set("edit", "{\"time\":\"2026-03-10T00:00:00Z\",\r\n\"agent\":\"mended\"}")
	if w := s.post("/sources", form); w.Code != http.StatusSeeOther {
		t.Fatalf("requeue: %d %s", w.Code, w.Body)
	}
	if len(s.raw()) != 0 || !strings.Contains(s.get("/incidents", "en").Body.String(), "mended") {
		t.Errorf("not requeued: %q", s.raw())
	}
	if w := s.post("/sources", form); w.Code != http.StatusBadRequest {
		t.Errorf("requeued twice: %d", w.Code)
	}
	s.publish(nil, "bad again")
	form = bad()
	form.Set("do", "drop")
	if w := s.post("/sources", form); w.Code != http.StatusSeeOther || len(s.raw()) != 0 {
		t.Errorf("drop: %d, left %q", w.Code, s.raw())
	}
}

// A suggestion tells from where on a retry is worth it, its values with their
// unit, and by when to decide.
func TestSuggestionIsTold(t *testing.T) {
	s := openSite(t, "")
	var events []ingest.Event
	for i := range 120 {
		for attempt := range 2 {
			events = append(events, ingest.Event{ID: fmt.Sprintf("k%d-%d", i, attempt), Time: time.Date(2026, 3, 1+i%28, 9, attempt, 0, 0, time.UTC), Kind: ingest.Failure,
				Agent: "bot", Operation: "login", Incident: fmt.Sprintf("login-%d", i), Attempt: ingest.Some(int64(attempt + 1)), MaxRetries: ingest.Some[int64](1),
				WaitMS: ingest.Some[int64](60_000), Code: "401", Message: "401 Unauthorized: invalid API key"})
		}
	}
	s.publish(events)
	for lang, want := range map[string][]string{
		"en": {"<span>1 retry</span> → <strong>0 retries</strong>", "worth it from", `<td class="number">10.0%</td>`, `<line class="worth" x1="22.0"`, "120 incidents; decide by <time"},
		"ja": {"<span>1回</span> → <strong>0回</strong>", "見合う割合", "120件、決定期限 <time"},
	} {
		page := s.get("/suggestions?month=2026-03", lang).Body.String()
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: no %q in %s", lang, text, page)
			}
		}
	}
}

// A decision that no form of ours sends is refused, with the reason.
func TestHandMadeDecisions(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	id := regexp.MustCompile(`name="id" value="(s-[0-9a-f]+)"`).FindStringSubmatch(s.get("/suggestions?month=2026-03", "en").Body.String())
	if id == nil {
		t.Fatal("no suggestion to decide on")
	}
	for _, test := range []struct {
		name, set, to string
		code          int
		says          string
	}{
		{"unknown id", "ids", "s-000000000000", 400, "no suggestion s-000000000000"},
		{"id of another form", "ids", strings.Repeat("x", 1<<20), 400, "an id is written like"},
		{"twice the same", "ids", id[1] + "," + id[1], 400, "named twice"},
		{"no reason", "reason", " ", 400, "dismissing needs a reason"},
		{"a book of a reason", "reason", strings.Repeat("x", 5000), 400, "at most 4096"},
		{"nobody", "who", " ", 400, "needs who decides"},
		{"a book of a name", "who", strings.Repeat("名", 101), 400, "at most 100"},
		{"another decision", "decision", "maybe", 400, "want accepted, applied or dismissed"},
		{"no time", "known", "yesterday", 400, "not a time"},
		{"unknown field", "vote", "1", 400, "\"vote\" is not known"},
		{"no month", "month", "", 400, "not a month"},
	} {
		form := url.Values{"ids": {id[1]}, "month": {"2026-03"}, "who": {"Ada"}, "decision": {"dismissed"}, "reason": {"no"}}
		form.Set(test.set, test.to)
		w := s.post("/v1/decide", form)
		if w.Code != test.code || !strings.Contains(w.Body.String(), test.says) || w.Body.Len() > 500 {
			t.Errorf("%s: %d %.500s", test.name, w.Code, w.Body)
		}
		if test.set == "month" {
			continue // the page has one of its own
		}
		form.Set("id", form.Get("ids"))
		form.Del("ids")
		if w := s.post("/suggestions", form); w.Code != test.code {
			t.Errorf("%s, as the page's form: %d", test.name, w.Code)
		}
	}
	form := url.Values{"ids": {id[1]}, "month": {"2026-03"}, "who": {"Ada", "Bob"}, "decision": {"dismissed"}, "reason": {"no"}}
	if w := s.post("/v1/decide", form); w.Code != 400 || !strings.Contains(w.Body.String(), "who is given 2 times") {
		t.Errorf("two names: %d %s", w.Code, w.Body)
	}
	form.Set("who", "Ada")
	for _, path := range []string{"/v1/decide", "/suggestions"} {
		if w := s.post(path, form, "Content-Type", "application/json"); w.Code != http.StatusUnsupportedMediaType {
			t.Errorf("%s as JSON: %d %s", path, w.Code, w.Body)
		}
	}
	if got := s.decisions(); got != 0 {
		t.Errorf("%d decisions were kept", got)
	}
}

func (s *site) decisions() int {
	s.Helper()
	rows, err := queries.Decisions(s.Context(), s.local.p.store.Reader())
	if err != nil {
		s.Fatal(err)
	}
	return len(rows)
}

// Files that someone posts are not read: they would lie on the disk.
func TestPagesTakeNoFiles(t *testing.T) {
	s := openSite(t, "")
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		body := strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"lang\"; filename=\"f\"\r\n\r\nja\r\n--b--\r\n")
		r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1/suggestions", body)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		s.handler.ServeHTTP(httptest.NewRecorder(), r)
		if read := body.Size() - int64(body.Len()); read > 0 {
			t.Errorf("%s: %d bytes were read", method, read)
		}
	}
}

// raw is the bad input in quarantine.
func (s *site) raw() (all []string) {
	s.Helper()
	rows, err := queries.Quarantine(s.Context(), s.local.p.store.Reader(), "", 10)
	if err != nil {
		s.Fatal(err)
	}
	for _, row := range rows {
		all = append(all, row.Raw)
	}
	return all
}

// An agent that tells the largest numbers that may be takes no page from the others.
func TestPagesOfHugeNumbers(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	var events []ingest.Event
	for i := range 4 {
		events = append(events, ingest.Event{ID: fmt.Sprint("huge", i), Time: time.Date(2026, time.Month(2+i%2), 3, 0, i, 0, 0, time.UTC), Kind: ingest.Failure, Agent: "clock", Code: "401",
			Message: "401 Unauthorized: invalid API key", Attempt: ingest.Some[int64](ingest.MaxAttempt), MaxRetries: ingest.Some[int64](ingest.MaxInteger),
			WaitMS: ingest.Some[int64](ingest.MaxMillis), DurationMS: ingest.Some[int64](ingest.MaxMillis), Tokens: ingest.Some[int64](ingest.MaxTokens)})
	}
	s.publish(events)
	for _, address := range []string{"/", "/report", "/report?month=2026-03&format=json", "/report?from=2026-02-01&to=2026-03-31&agent=clock", "/incidents", "/faults", "/suggestions", "/sources"} {
		if w := s.get(address, "en"); w.Code != http.StatusOK {
			t.Errorf("%s: %d %.300s", address, w.Code, w.Body)
		}
	}
}

// With a token a browser gets in with it as the password.
func TestPagesToken(t *testing.T) {
	s := openSite(t, "secret")
	for path, open := range map[string]int{"/": 401, "/live/stream": 401, "/assets/report.css": 401, "/healthz": 200} {
		if w := s.get(path, "en"); w.Code != open {
			t.Errorf("%s: %d, want %d", path, w.Code, open)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://hansei.example/", nil)
	r.SetBasicAuth("anybody", "secret")
	w := httptest.NewRecorder()
	if s.handler.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("with the token: %d", w.Code)
	}
}

// The live page is told of what is stored, and without its script shows it too.
func TestLivePage(t *testing.T) {
	s := openSite(t, "")
	server := httptest.NewServer(s.handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/live/stream?lang=ja", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("got %s", kind)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
	}
	s.publish([]ingest.Event{{ID: "now", Time: time.Now(), Kind: ingest.Failure, Agent: "bot", Session: "s", Code: "429", Message: "429 slow down " + hostile}})
	told := ""
	for lines.Scan() {
		if told = lines.Text(); strings.Contains(told, "slow down") {
			break
		}
	}
	if !strings.Contains(told, "レート制限") || !strings.Contains(told, "再試行") || strings.Contains(told, "<script>") {
		t.Errorf("told %s", told)
	}
	if page := s.get("/live", "en").Body.String(); !strings.Contains(page, "slow down") || !strings.Contains(page, "retry") || !strings.Contains(page, `class="category">`) {
		t.Errorf("without a script: %s", page)
	}
}

// Small pages as they are.
func TestPagesGolden(t *testing.T) {
	s := openSite(t, "")
	for _, page := range []struct{ name, address, language string }{
		{"pages_empty.en", "/", "en"}, {"pages_missing.ja", "/nothing", "ja"},
	} {
		golden.Check(t, page.name, s.get(page.address, page.language).Body.String())
	}
	s.fill()
	golden.Check(t, "pages_incident.ja", s.get("/incident?of=ant&id=fetch-1&at=1770717660000000", "ja").Body.String())
}

// A fault without a message is named by what was tried, not by its fingerprint.
func TestFaultWithoutMessage(t *testing.T) {
	s := openSite(t, "")
	s.publish([]ingest.Event{{ID: "silent", Time: noonOfTest, Kind: ingest.Failure, Agent: "bot", Operation: "fetch"}})
	for lang, want := range map[string]string{"en": ">(no message) <bdi>fetch</bdi></a>", "ja": ">（メッセージなし） <bdi>fetch</bdi></a>"} {
		if page := s.get("/faults", lang).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s: no %q in\n%s", lang, want, page)
		}
	}
}
