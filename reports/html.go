package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strconv"
	"strings"
)

//go:embed page.html.tmpl
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"breaking": breaking}).Parse(pageHTML))

// breaking lets a line of a name end after each underscore.
func breaking(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "_", "_<wbr>"))
}

// A page is what page.html.tmpl shows.
type page struct {
	Lang, Title, Zone  string
	Policy             string // the content security policy: no request leaves the page
	Style              template.CSS
	Notice             string
	Notices            []Point
	Blocks             []pageBlock
	Contents, Numbers  string // labels
	Skip               string
	NoChart, Footer    string
	ECharts            template.HTML // the charts' library as text; empty: the page loads it from Address
	Address, Integrity string
	Script             template.JS
	HasCharts          bool
	Frame              *Frame // nil: the page stands alone
}

// A pageBlock is a block with what only HTML needs.
type pageBlock struct {
	*Block
	ID    string
	Lead  string
	Chart *pageChart
	Pair  bool // chart and table stand side by side on wide screens
}

type pageChart struct {
	*Chart
	Height int
	Spec   template.JS
}

// html writes the report as one page. echarts is the script of the charts; if
// it is empty, the page loads it from its public address.
func (r *Report) html(w io.Writer, echarts template.HTML) error {
	_, err := r.within(w, nil, echarts)
	return err
}

// within writes the page with what stands around it, and returns its policy.
func (r *Report) within(w io.Writer, f *Frame, echarts template.HTML) (string, error) {
	p := page{
		Frame:    f,
		Lang:     string(r.Lang),
		Title:    r.title(),
		Zone:     r.say(text{EN: "Time zone: %s", JA: "タイムゾーン：%s"}, r.Span.Location),
		Style:    template.CSS(pageCSS),
		Notice:   r.say(noticeLabel),
		Notices:  r.notices(),
		Contents: r.say(text{EN: "Contents", JA: "目次"}),
		Skip:     r.say(text{EN: "Skip to the report", JA: "本文へ移動"}),
		Numbers:  r.say(text{EN: "The numbers as a table", JA: "数値の表"}),
		NoChart:  r.say(text{EN: "The chart could not be drawn here; the table has its numbers.", JA: "グラフを表示できません。数値は表にあります。"}),
		Footer:   r.say(text{EN: "Made by Hansei from the stored events.", JA: "保存されたイベントからHanseiが作成しました。"}),
		Script:   template.JS(pageJS),
	}
	for _, section := range Sections {
		b := section.Build(r)
		if b == nil {
			continue
		}
		if b.Table != nil {
			r.fold(b.Table)
			b.Table.label()
		}
		view := pageBlock{Block: b, ID: section.ID, Lead: r.join(b.Lead)}
		if b.Chart != nil {
			spec, err := b.Chart.spec()
			if err != nil {
				return "", err
			}
			view.Chart = &pageChart{b.Chart, b.Chart.height(), template.JS(spec)} // encoding/json escapes < and >
			view.Pair = b.Chart.Horizontal && !b.Chart.Above && b.Table != nil
			p.HasCharts = true
		}
		p.Blocks = append(p.Blocks, view)
	}
	if p.HasCharts {
		p.ECharts, p.Address, p.Integrity = echarts, echartsAddress, echartsIntegrity
		if f != nil {
			p.Address = f.ECharts
		}
	}
	p.Policy = p.policy()
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, p); err != nil {
		return "", err
	}
	_, err := page.WriteTo(w)
	return p.Policy, err
}

// policy allows the page its own two scripts and nothing else: whatever text
// came with events, no browser runs it or sends anything anywhere.
func (p *page) policy() string {
	scripts := []string{scriptHash(string(p.Script))}
	switch {
	case !p.HasCharts:
	case p.ECharts != "":
		scripts = append(scripts, scriptHash(string(p.ECharts)))
	case p.Frame != nil:
		scripts = append(scripts, "'self'")
	default:
		scripts = append(scripts, p.Address)
	}
	styles, forms := "'unsafe-inline'", "'none'"
	if p.Frame != nil {
		styles, forms = "'unsafe-inline' 'self'; img-src 'self'", "'self'"
	}
	return "default-src 'none'; style-src " + styles + "; base-uri 'none'; form-action " + forms + "; script-src " + strings.Join(scripts, " ")
}

func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Shown is the cell's text in HTML, where digits are grouped.
func (c Cell) Shown() string {
	if !c.Numeric || strings.Trim(c.Text, "0123456789") != "" {
		return c.Text
	}
	return groupDigits(c.Text)
}

// Class is the cell's class in HTML.
func (c Cell) Class() string {
	var classes []string
	if c.Numeric {
		classes = append(classes, "number")
	}
	if c.Short {
		classes = append(classes, "short")
	}
	if c.Heat > 0 {
		classes = append(classes, "heat", "heat-"+strconv.Itoa(c.Heat))
	}
	return strings.Join(classes, " ")
}

// Percent is the step's place in the terms of SVG.
func (s Step) Percent() string { return strconv.FormatFloat(100*s.Place, 'f', 1, 64) + "%" }
