package reports

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A Chart is a chart of stacked bars or of lines, before it becomes an option
// of ECharts. Labels, Tips and Ends have an entry for each bar or point.
type Chart struct {
	ID         string // fixed, so that the same data gives the same page
	Caption    string
	Alt        string // says the same in words
	Horizontal bool   // bars lie, the first on top
	Above      bool   // stands above its table, though its bars lie
	Percent    bool   // the axis of values goes from 0 to 100%
	Lines      bool   // a line with a point for each value, instead of bars; none lies
	Labels     []string
	Series     []Series // at most 7, as more colours are not told apart
	Marks      []Series // short lines across bars that lie, in front of them
	Tips       []string // plain text of the tooltips, in lines
	Ends       []string // plain text at the end of the bars; nil: none
}

// A Series is one colour of a chart. Values has an entry for each bar or point;
// NaN is a gap in a line.
type Series struct {
	Name   string
	Colour string
	Values []float64
}

// occurring leaves out series that are zero in every bar, unless all are.
func occurring(all ...Series) []Series {
	var some []Series
	for _, s := range all {
		if slices.ContainsFunc(s.Values, func(v float64) bool { return v != 0 }) {
			some = append(some, s)
		}
	}
	if some == nil {
		return all
	}
	return some
}

// A chartSpec is what the page's script gets of a chart.
type chartSpec struct {
	ID         string          `json:"id"`
	Horizontal bool            `json:"horizontal"`
	Tips       []string        `json:"tips"`
	Option     json.RawMessage `json:"option"`
}

// Sizes in CSS pixels: a lying bar of 26 leaves room for its label and gap.
const (
	barHeight    = 26
	aroundBars   = 76 // axis and legend
	uprightChart = 300
)

// height is how high the chart is drawn, in CSS pixels.
func (c *Chart) height() int {
	if c.Horizontal {
		return len(c.Labels)*barHeight + aroundBars
	}
	return uprightChart
}

// spec is the chart as JSON that is safe inside a script element.
func (c *Chart) spec() ([]byte, error) {
	var drawn interface {
		Validate()
		JSON() map[string]any
	}
	if c.Lines {
		drawn = c.line()
	} else {
		drawn = c.bar()
	}
	drawn.Validate()
	option, err := json.Marshal(drawn.JSON())
	if err != nil {
		return nil, err
	}
	return json.Marshal(chartSpec{c.ID, c.Horizontal, c.Tips, option})
}

// bar is the chart in the terms of go-echarts. Colours of text and lines are
// left to the page's script, which knows whether the page is light or dark.
func (c *Chart) bar() *charts.Bar {
	bar := charts.NewBar()
	bar.SetXAxis(c.Labels)
	if c.Horizontal {
		bar.XYReversal()
	}
	bar.SetGlobalOptions(c.options()...)
	for i, s := range c.Series {
		data := make([]opts.BarData, len(s.Values))
		for j, v := range s.Values {
			data[j] = opts.BarData{Value: v}
			if c.Ends != nil && i == len(c.Series)-1 {
				data[j].Label = c.endLabel(j)
			}
		}
		bar.AddSeries(s.Name, data,
			charts.WithBarChartOpts(opts.BarChart{Stack: "all", BarCategoryGap: "32%"}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: s.Colour}))
	}
	for _, s := range c.Marks {
		bar.Overlap(c.marks(s))
	}
	return bar
}

// markSymbol is an upright line; two specks beside it keep ECharts from
// stretching it to a square.
const markSymbol = "path://M4.25 0H5.75V10H4.25ZM0 5h.01v.01zM10 5h.01v.01z"

// markSize is in CSS pixels: about as high as a bar.
const markSize = 20

// marks draws marks as points whose symbol is a line.
func (c *Chart) marks(s Series) *charts.Scatter {
	scatter := charts.NewScatter()
	data := make([]opts.ScatterData, len(s.Values))
	for i, v := range s.Values {
		data[i] = opts.ScatterData{Value: []any{v, i}, Symbol: markSymbol, SymbolSize: markSize}
	}
	scatter.AddSeries(s.Name, data, charts.WithItemStyleOpts(opts.ItemStyle{Color: s.Colour}))
	return scatter
}

// line is the chart as lines.
func (c *Chart) line() *charts.Line {
	line := charts.NewLine()
	line.SetXAxis(c.Labels)
	line.SetGlobalOptions(c.options()...)
	for _, s := range c.Series {
		data := make([]opts.LineData, len(s.Values))
		for i, v := range s.Values {
			data[i] = opts.LineData{Value: v}
			if math.IsNaN(v) {
				data[i].Value = "-" // what ECharts takes for a gap
			}
		}
		line.AddSeries(s.Name, data,
			charts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 6}),
			charts.WithLineStyleOpts(opts.LineStyle{Color: s.Colour, Width: 2}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: s.Colour}))
	}
	return line
}

// options are what bars and lines have in common.
func (c *Chart) options() []charts.GlobalOpts {
	values, names := c.axes()
	pointer := "shadow"
	if c.Horizontal {
		names, values = values, names
	}
	if c.Lines {
		pointer = "line"
	}
	return []charts.GlobalOpts{
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(true), Top: "0", Left: "0", ItemWidth: 12, ItemHeight: 12, Icon: "rect"}),
		charts.WithGridOpts(opts.Grid{Left: c.leftMargin(), Right: c.rightMargin(), Top: "44", Bottom: "8", ContainLabel: opts.Bool(true)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "axis", AxisPointer: &opts.AxisPointer{Type: pointer}}),
		charts.WithXAxisOpts(names),
		charts.WithYAxisOpts(opts.YAxis{Type: values.Type, Min: values.Min, Max: values.Max, MinInterval: values.MinInterval,
			Inverse: opts.Bool(c.Horizontal), AxisLabel: values.AxisLabel}),
	}
}

// axes are the axis of values and that of names.
func (c *Chart) axes() (values, names opts.XAxis) {
	values = opts.XAxis{Type: "value", MinInterval: 1}
	if c.Percent {
		values.Min, values.Max = 0, 100
		values.AxisLabel = &opts.AxisLabel{Formatter: "{value}%"}
	}
	return values, opts.XAxis{Type: "category"}
}

// leftMargin leaves room for names that are drawn a little wider than ECharts
// measures them, as some fonts are: up to a twentieth of the longest.
func (c *Chart) leftMargin() string {
	if c.Horizontal {
		return "20"
	}
	return "10"
}

// rightMargin leaves room for what stands at the end of lying bars.
func (c *Chart) rightMargin() string {
	if !c.Horizontal {
		return "8"
	}
	if c.Percent {
		return "96"
	}
	return "44"
}

func (c *Chart) endLabel(bar int) *opts.Label {
	position := "top"
	if c.Horizontal {
		position = "right"
	}
	// Braces would be read as a placeholder.
	return &opts.Label{Show: opts.Bool(true), Position: position, Formatter: strings.NewReplacer("{", "(", "}", ")").Replace(c.Ends[bar])}
}
