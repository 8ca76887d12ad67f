package reports

import (
	"bytes"
	"crypto/sha512"
	"database/sql"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"hansei/analyze"
	"hansei/queries"
	"hansei/queries/golden"
)

// openTest returns a DuckDB in memory with the schema and the rows of
// testdata/events.sql.
func openTest(t *testing.T) *sql.DB {
	t.Helper()
	return openFile(t, "testdata/events.sql")
}

// openFile is openTest with the rows of another file.
func openFile(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if err := queries.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
		t.Fatal(err)
	}
	if err := queries.TellIncidents(t.Context(), db, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	return db
}

func ints(v int64) *int64 { return &v }

// tuned are suggestions of every verdict.
var tuned = []analyze.Suggestion{
	{ID: "s1", Scope: analyze.Scope{Agent: "openstarry", Operation: "login", Category: "auth"}, Knob: "max_retries", Unit: "retries",
		Current: ints(2), Suggested: ints(2), Verdict: analyze.Keep, N: 31,
		Reason: analyze.Text{EN: "The retries pay as they are.", JA: "現在の値が妥当です。"}},
	{ID: "s2", Scope: analyze.Scope{Agent: "agentskills", Operation: "search", Category: "server_error"}, Knob: "max_retries", Unit: "retries",
		Current: ints(3), Suggested: ints(4), Verdict: analyze.Raise, N: 40, Extrapolated: true,
		Evidence: []analyze.Evidence{{Retry: 1, AtRisk: 40, Won: 16, Hazard: 0.4, Low: 0.26, High: 0.55}},
		Effect: analyze.Effect{Resolved: 1.9, Retries: 4, WaitS: 120.04,
			Interval: analyze.EffectIntervals{Resolved: [2]float64{0.4, 3.1}, Retries: [2]float64{2, 6}, WaitS: [2]float64{60, 180}}},
		Reason: analyze.Text{EN: "Retry 3 still resolves 50% of what reaches it (4 of 8).", JA: "3回目のリトライでも50%が成功しています（8件中4件）。"}},
	{ID: "s3", Scope: analyze.Scope{Agent: "monadic", Category: "rate_limit"}, Knob: "max_retries", Unit: "retries",
		Current: ints(5), Suggested: ints(3), Verdict: analyze.Lower, N: 12,
		Effect: analyze.Effect{Resolved: 0, Retries: -6, WaitS: -95.5},
		Reason: analyze.Text{EN: "No retry after the third ever passed.", JA: "3回を超えるリトライは一度も成功していません。"}},
	{ID: "s4", Scope: analyze.Scope{Agent: "a|b", Operation: "<b>"}, Knob: "max_retries", Unit: "retries", Verdict: analyze.TooLittleData, N: 1,
		Reason:    analyze.Text{EN: "1 incident is too little.", JA: "1件では判断できません。"},
		Published: []analyze.Published{{System: "AWS SDK", Setting: "2", Source: "its pages"}, {System: "Temporal", Source: "its pages"}}},
}

// months are the cases of the golden files.
var months = []struct {
	name        string
	span        queries.Span
	suggestions []analyze.Suggestion
}{
	{"full", queries.Month(2026, time.January, time.UTC), tuned},
	{"empty", queries.Month(2026, time.February, time.UTC), []analyze.Suggestion{}},
	{"one", queries.Month(2026, time.April, time.UTC), nil},
	{"unknown", queries.Month(2026, time.May, time.UTC), nil},
}

func collect(t *testing.T, db queries.DB, o Options) *Report {
	t.Helper()
	r, err := Collect(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// render renders without ECharts' script, so that the result is the same
// whether it was fetched or not, and without the style and script of every
// page, which are reviewed in their own files.
func render(t *testing.T, r *Report, f Format) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	if f == HTML {
		err = r.html(&b, "")
	} else {
		err = r.Render(&b, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(pageCSS, "/* page.css */\n", pageJS, "/* page.js */").Replace(b.String())
}

func TestRender(t *testing.T) {
	db := openTest(t)
	goals, err := ParseGoals("goals.yaml", []byte(goalsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, month := range months {
		for _, lang := range Langs {
			r := collect(t, db, Options{Span: month.span, Lang: lang, Suggestions: month.suggestions, Goals: goals, Behind: true})
			for _, f := range Formats {
				name := month.name + "." + string(lang) + "." + string(f)
				t.Run(name, func(t *testing.T) { golden.Check(t, name, render(t, r, f)) })
			}
		}
	}
}

// A report that was collected in one language is the same in the other as one
// that was collected in that.
func TestReportInOtherLanguage(t *testing.T) {
	db := openTest(t)
	o := Options{Span: queries.Month(2026, time.February, time.UTC), Lang: JA, Suggestions: tuned, Behind: true} // its month before has much
	want := collect(t, db, o)
	o.Lang = EN
	got := collect(t, db, o)
	for _, f := range Formats {
		if render(t, got.In(JA), f) != render(t, want, f) {
			t.Errorf("%s differs", f)
		}
	}
	if got.Lang != EN || strings.Contains(render(t, got, Markdown), "レポート") {
		t.Error("the report itself has changed")
	}
}

func TestSameDataSameBytes(t *testing.T) {
	o := Options{Span: months[0].span, Lang: JA, Suggestions: tuned, Behind: true}
	a, b := collect(t, openTest(t), o), collect(t, openTest(t), o)
	for _, f := range Formats {
		if render(t, a, f) != render(t, b, f) {
			t.Errorf("%s differs between two runs", f)
		}
	}
}

// The table that this project began with, to the letter.
func TestFirstTable(t *testing.T) {
	db := openTest(t)
	for lang, want := range map[Lang]string{
		JA: "\n| エラーコード | 発生件数 | 解決率 | 平均リトライ回数 |\n| --- | --- | --- | --- |\n| API_FAILURE | 45 | 90% | 1.8回 |\n| FILE_NOT_FOUND | 23 | 95% | - |\n",
		EN: "\n| Error code | Occurrences | Resolution rate | Mean retries |\n| --- | --- | --- | --- |\n| API_FAILURE | 45 | 90% | 1.8 |\n| FILE_NOT_FOUND | 23 | 95% | - |\n",
	} {
		if got := render(t, collect(t, db, Options{Span: months[0].span, Lang: lang}), Markdown); !strings.Contains(got, want) {
			t.Errorf("%s: no such table:\n%s\nin\n%s", lang, want, got)
		}
	}
}

func TestCharts(t *testing.T) {
	db := openTest(t)
	var b strings.Builder
	for _, month := range months {
		r := collect(t, db, Options{Span: month.span, Lang: JA})
		for _, section := range Sections {
			block := section.Build(r)
			if block == nil || block.Chart == nil {
				continue
			}
			c := block.Chart
			fmt.Fprintf(&b, "%s %s\n%s\n%s\n", month.name, c.ID, c.Caption, c.Alt)
			if len(c.Series) > 7 {
				t.Errorf("%s has %d colours", c.ID, len(c.Series))
			}
			for i, label := range c.Labels {
				fmt.Fprintf(&b, "\t%q", label)
				for _, s := range c.Series {
					fmt.Fprintf(&b, " %s=%v", s.Name, s.Values[i])
				}
				if c.Ends != nil {
					fmt.Fprintf(&b, " end %q", c.Ends[i])
				}
				fmt.Fprintf(&b, " tip %q\n", c.Tips[i])
			}
		}
	}
	golden.Check(t, "charts", b.String())
}

func TestChartOption(t *testing.T) {
	c := &Chart{ID: "c", Horizontal: true, Labels: []string{"</script>", "{b}"}, Tips: []string{"<b>", "x"}, Ends: []string{"1", "{2}"},
		Series: []Series{{"a", blue, []float64{1, 0}}, {"b", grey, []float64{0, 2}}}}
	spec, err := c.spec()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(spec, "<>") {
		t.Errorf("unsafe inside a script element: %s", spec)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, spec, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "option", indented.String()+"\n")
}

func TestLines(t *testing.T) {
	c := &Chart{ID: "c", Lines: true, Percent: true, Labels: []string{"1", "2", "3"}, Tips: []string{"a", "b", "c"},
		Series: []Series{{"a", blue, []float64{50, math.NaN(), 60}}}}
	spec, err := c.spec()
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, spec, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "lines", indented.String()+"\n")
}

func TestTrend(t *testing.T) {
	known := func(v float64) sql.Null[float64] { return sql.Null[float64]{V: v, Valid: true} }
	for _, test := range []struct {
		values []sql.Null[float64]
		path   string
		last   []string
	}{
		{nil, "", nil},
		{[]sql.Null[float64]{known(0)}, "M3.0 21.0", []string{"3.0", "21.0"}},
		{[]sql.Null[float64]{known(1), {}, known(2), known(1)}, "M3.0 12.0M63.0 3.0L93.0 12.0", []string{"93.0", "12.0"}},
		{[]sql.Null[float64]{known(1), {}}, "M3.0 3.0", nil},
	} {
		trend := &Trend{Values: test.values}
		if got := trend.Path(); got != test.path {
			t.Errorf("path of %v: %s, want %s", test.values, got, test.path)
		}
		if got := trend.Last(); !slices.Equal(got, test.last) {
			t.Errorf("last of %v: %v, want %v", test.values, got, test.last)
		}
	}
}

func TestTimeZone(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	db := openTest(t)
	r := collect(t, db, Options{Span: queries.Month(2026, time.January, tokyo)})
	var got jsonReport
	if err := json.Unmarshal([]byte(render(t, r, JSON)), &got); err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, d := range got.Daily {
		sum += d.Incidents
	}
	if got.Month != "2026-01" || got.Timezone != "Asia/Tokyo" || len(got.Daily) != 31 || sum != got.Totals.Incidents {
		t.Errorf("month %s, zone %s, %d days with %d of %d incidents", got.Month, got.Timezone, len(got.Daily), sum, got.Totals.Incidents)
	}
	week := queries.Span{From: time.Date(2026, 1, 5, 0, 0, 0, 0, tokyo), To: time.Date(2026, 1, 12, 0, 0, 0, 0, tokyo), Location: tokyo}
	if got := collect(t, db, Options{Span: week}).title(); got != "Error report: 2026-01-05 to 2026-01-11" {
		t.Errorf("title of a week: %q", got)
	}
}

func TestFilter(t *testing.T) {
	db := openTest(t)
	span := months[0].span
	span.Filter = queries.Filter{Agent: "agentskills", Category: "server_error"}
	for lang, want := range map[Lang]string{
		EN: "# Error report: January 2026 (agent agentskills, category server_error)\n",
		JA: "# エラーレポート 2026年1月（エージェント：agentskills、カテゴリ：サーバーエラー）\n",
	} {
		got := render(t, collect(t, db, Options{Span: span, Lang: lang, Suggestions: tuned}), Markdown)
		if !strings.HasPrefix(got, want) || strings.Contains(got, "FILE_NOT_FOUND") {
			t.Errorf("want the title %q and no other category in\n%s", want, got)
		}
		if !strings.Contains(got, "agentskills × search") || strings.Contains(got, "openstarry") || strings.Contains(got, "monadic") {
			t.Errorf("suggestions of other cells in\n%s", got)
		}
	}
	span.Filter = queries.Filter{Provider: "anthropic"}
	r := collect(t, db, Options{Span: span, Suggestions: tuned})
	if r.Suggestions != nil || len(tuned) != 4 || tuned[0].ID != "s1" {
		t.Errorf("suggestions %v of a provider, and the caller's are %v", r.Suggestions, tuned)
	}
	if got := render(t, r, JSON); !strings.Contains(got, `"filter": {
    "provider": "anthropic"
  }`) {
		t.Errorf("no filter in\n%s", got)
	}
}

func TestNotices(t *testing.T) {
	db := openTest(t)
	june := queries.Month(2026, time.June, time.UTC)
	for _, lang := range Langs {
		r := collect(t, db, Options{Span: june, Lang: lang})
		for _, f := range []Format{Markdown, HTML} {
			page := render(t, r, f)
			notice, heading := strings.Index(page, "1,005"), strings.Index(page, "<h2")
			if f == Markdown {
				heading = strings.Index(page, "\n## ")
			}
			if notice < 0 || notice > heading {
				t.Errorf("%s %s: no warning at the top of\n%s", lang, f, page)
			}
		}
	}
	if got := render(t, collect(t, db, Options{Span: months[0].span}), Markdown); !strings.Contains(got, "> **Note:** 2 events could not be read") || !strings.Contains(got, "`hansei quarantine list`") {
		t.Errorf("no note of the quarantine in\n%s", got)
	}
	for left := 1; left >= 0; left-- { // of what was not dropped
		note := []string{"", "1 event could not be read"}[left]
		if _, err := db.ExecContext(t.Context(), "DELETE FROM quarantine WHERE id NOT IN (SELECT id FROM quarantine ORDER BY id LIMIT ?)", left); err != nil {
			t.Fatal(err)
		}
		got := render(t, collect(t, db, Options{Span: months[0].span}), Markdown)
		if strings.Contains(got, "could not be read, kept aside") != (note != "") || !strings.Contains(got, note) {
			t.Errorf("%d pieces of bad input are left, want a note of %q in\n%s", left, note, got)
		}
	}
}

func TestCSV(t *testing.T) {
	goals, err := ParseGoals("goals.yaml", []byte(goalsFile))
	if err != nil {
		t.Fatal(err)
	}
	hostile := []analyze.Suggestion{{ID: "s-1", Scope: analyze.Scope{Agent: "=cmd()", Category: "auth"}, Knob: "max_retries", Verdict: analyze.TooLittleData}}
	page := render(t, collect(t, openTest(t), Options{Span: months[0].span, Goals: goals, Suggestions: hostile}), CSV)
	rows, err := csv.NewReader(strings.NewReader(page)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if rows[1][0] != "total" {
		t.Errorf("first row %q, want the total", rows[1])
	}
	sections := map[string]int{}
	for _, row := range rows[1:] {
		sections[row[0]]++
	}
	for _, section := range []string{"hour", "outage", "message", "wasted", "human", "day", "month", "retries", "time_to_resolution", "goal", "coverage", "ledger", "suggestion"} {
		if sections[section] == 0 {
			t.Errorf("no row of %s among %v", section, sections)
		}
	}
	for _, row := range rows[1:] {
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				continue // a number of ours
			}
			if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "@") {
				t.Errorf("a formula for a spreadsheet: %q", cell)
			}
		}
	}
}

func TestEmptyListsInJSON(t *testing.T) {
	page := render(t, collect(t, openTest(t), Options{Span: queries.Month(2020, time.March, time.UTC)}), JSON)
	for _, key := range []string{"by_code", "by_operation", "by_model", "retries", "hours", "outages", "messages", "wasted", "human", "coverage", "suggestions"} {
		if !strings.Contains(page, `"`+key+`": []`) {
			t.Errorf("%s is not [] in\n%s", key, page)
		}
	}
	if !strings.Contains(page, `"resolution_rate": null`) {
		t.Errorf("no null in\n%s", page)
	}
}

// TestScript checks the real file where it was fetched.
func TestScript(t *testing.T) {
	if !Offline() {
		t.Skip("echarts.common.min.js was not fetched")
	}
	script, err := assets.ReadFile(echartsFile)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum384(script)
	if got := "sha384-" + base64.StdEncoding.EncodeToString(sum[:]); got != echartsIntegrity {
		t.Errorf("%s has %s, the page asks for %s", echartsFile, got, echartsIntegrity)
	}
	var page bytes.Buffer
	r := collect(t, openTest(t), Options{Span: months[0].span})
	if err := r.Render(&page, HTML); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page.Bytes(), []byte(echartsAddress)) {
		t.Error("a page with the script inside names its public address")
	}
	if !bytes.Contains(page.Bytes(), []byte(inlineScript(string(script)))) {
		t.Error("the page does not hold the script as it is")
	}
}

func TestParse(t *testing.T) {
	if f, err := ParseFormat("html"); f != HTML || err != nil {
		t.Errorf("html: %q, %v", f, err)
	}
	if l, err := ParseLang("ja"); l != JA || err != nil {
		t.Errorf("ja: %q, %v", l, err)
	}
	if _, err := ParseFormat("xls"); err == nil || err.Error() != `unknown format "xls": known are md, html, json, csv` {
		t.Errorf("xls: %v", err)
	}
	if _, err := ParseLang("de"); err == nil || err.Error() != `unknown language "de": known are en, ja` {
		t.Errorf("de: %v", err)
	}
	if err := (&Report{}).Render(&bytes.Buffer{}, "xls"); err == nil {
		t.Error("rendered an unknown format")
	}
}
