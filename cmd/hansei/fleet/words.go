package fleet

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"hansei/ingest"
)

// A text is one way in which an error is worded. Words in double braces are
// filled in, see words.fill.
type text struct {
	code, status, msg, detail string
	of                        string // the provider whose wording this is; then the agent wraps it
}

// choose picks one of the cell's texts that the called provider could have said.
func (c *chain) choose() {
	var fit []text
	for _, t := range c.cell.texts {
		if t.of == "" || c.model != nil && t.of == c.model.provider {
			fit = append(fit, t)
		}
	}
	c.text = fit[c.r.IntN(len(fit))]
}

// word writes the chosen text into e.
func (c *chain) word(e *ingest.Event) {
	w := c.words(e)
	e.Code, e.Status = c.text.code, c.text.status
	if c.cell.code != "" {
		e.Code = c.cell.code
	}
	e.Message = w.fill(c.text.msg)
	e.Detail = w.fill(c.text.detail)
	if c.text.of != "" && len(c.agent.wraps) > 0 {
		w.said = e.Message
		e.Message = w.fill(c.agent.wraps[w.same.IntN(len(c.agent.wraps))])
	}
}

// words fills the words of texts.
type words struct {
	chain *chain
	event *ingest.Event // whose text it is; nil for none
	same  *rand.Rand    // gives the same words to all attempts of an incident
	said  string        // the provider's text inside the agent's
}

func (c *chain) words(e *ingest.Event) *words {
	stream := uint64(0)
	if e == nil {
		stream = 1 // an event's own ids share no digits with its text
	}
	return &words{chain: c, event: e, same: rand.New(rand.NewPCG(c.seed, stream))}
}

// fill replaces each {{word}}: {{int 1 60}} by a number between, {{comma …}} the
// same with thousands separated, {{hex 8}} by digits, {{req}} by a request id that
// each attempt has anew, {{model}}, {{attempt}}, … by what the event has, and
// any name of pools by one of the pool. Unknown words stay as they are.
func (w *words) fill(t string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(t, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}}")
		b.WriteString(w.word(name))
		t = after
	}
}

func (w *words) word(name string) string {
	if pool, ok := pools[name]; ok {
		return pool[w.same.IntN(len(pool))]
	}
	if s, ok := w.known(name); ok {
		return s
	}
	var low, high int
	switch verb, args, _ := strings.Cut(name, " "); verb {
	case "int", "comma":
		if _, err := fmt.Sscan(args, &low, &high); err == nil {
			n := strconv.Itoa(low + w.same.IntN(high-low+1))
			if verb == "comma" {
				n = commas(n)
			}
			return n
		}
	case "hex":
		if n, err := strconv.Atoi(args); err == nil {
			return w.hex(n)
		}
	case "req":
		return fmt.Sprintf("req_%016x", w.chain.r.Uint64())
	case "ip": // a private network, so that no address of anyone is named
		return fmt.Sprintf("10.%d.%d.%d", w.same.IntN(4), w.same.IntN(32), 2+w.same.IntN(250))
	}
	return "{{" + name + "}}"
}

// known returns a word that the event or its model says.
func (w *words) known(name string) (string, bool) {
	e, c := w.event, w.chain
	switch name {
	case "said":
		return w.said, true
	case "model":
		if c.model != nil {
			return c.model.name, true
		}
		return c.agent.models[0].name, true
	case "vendor":
		if c.model != nil {
			return c.model.vendor, true
		}
	case "code":
		return c.text.code, true
	case "op":
		return c.cell.Operation, true
	case "attempt":
		return strconv.FormatInt(max(e.Attempt.V, 1), 10), true
	case "tries":
		return strconv.Itoa(c.cell.MaxRetries + 1), true
	case "took": // in seconds, as time limits are told
		return strconv.FormatInt(max(1, e.DurationMS.V/1000), 10), true
	case "score":
		return strconv.FormatFloat(e.Score.V, 'f', -1, 64), true
	case "bar":
		return strconv.FormatFloat(e.ScoreBar.V, 'f', -1, 64), true
	}
	return "", false
}

func (w *words) hex(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[w.same.IntN(16)]
	}
	return string(b)
}

func commas(n string) string {
	for i := len(n) - 3; i > 0; i -= 3 {
		n = n[:i] + "," + n[i:]
	}
	return n
}

// pools are the words that texts take by name.
var pools = map[string][]string{
	"company": {"東和精工", "北斗フーズ", "みらい電機", "青葉ロジスティクス", "日向製薬", "Kestrel Robotics", "Harbor Analytics", "Sable Energy"},
	"topic":   {"market-size", "competitors", "financials", "swot", "customer-voice", "supply-chain", "pricing"},
	"field":   {"revenue", "founded_year", "employees", "headquarters", "segments", "operating_margin"},
	"host":    {"api.example.com", "data.example.org", "search.example.net", "files.example.com", "cdn.example.org"},
	"page":    {"/news/2025/annual-report", "/ir/library/results.html", "/about/company", "/products/pricing", "/research/papers/414"},
	"module":  {"seaborn", "japanize_matplotlib", "lightgbm", "statsmodels", "openpyxl", "networkx", "geopandas", "pyarrow"},
	"npm":     {"cheerio", "zod", "csv-parse", "p-limit", "undici", "better-sqlite3"},
	"name":    {"df_clean", "totals", "ax2", "rows", "result", "config", "session", "page_count"},
	"key":     {"sales", "date", "region", "unit_price", "category_id", "customer"},
	"func":    {"load_table", "summarize", "draw_chart", "merge_sources", "fit_model", "normalize"},
	"py":      {"main.py", "analysis.py", "plot_sales.py", "etl/load.py", "report/build.py"},
	"ts":      {"src/index.ts", "src/api/client.ts", "src/lib/parse.ts", "tests/session.test.ts", "src/db/schema.ts"},
	"data":    {"data/sales_2025.csv", "input/customers.xlsx", "cache/pages.json", "work/results.parquet", "data/survey_q3.csv"},
	"out":     {"output/report.md", "output/slides.pptx", "output/summary.json", "output/figures/trend.png", "output/review.yaml"},
	"dir":     {"/srv/agents/run", "/home/mika/projects", "/var/lib/agent", "/workspace", "/home/deploy/jobs"},
	"tool":    {"fs.search", "web.browse", "git.diff", "db.query", "memory.recall", "calendar.find"},
	"branch":  {"feature/login-form", "fix/issue-214", "feature/i18n", "chore/deps", "fix/flaky-poll"},
	"font":    {"Noto Sans CJK JP", "IPAexGothic", "Hiragino Sans", "Helvetica Neue", "Source Han Sans"},
	"lib":     {"libcairo.so.2", "libGL.so.1", "libgomp.so.1", "libmagic.so.1"},
	"cmd":     {"tmux", "codex", "gemini", "pandoc", "ffmpeg", "rg"},
	"clock":   {"3pm", "6pm", "9pm", "11am", "1am"},
	"size":    {"2000x2000", "300x300", "1920x1080", "4096x4096"},
}
