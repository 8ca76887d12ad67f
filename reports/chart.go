package reports

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A Chart is a bar chart of stacked series, before it becomes an option of
// ECharts. Labels, Tips and Ends have an entry for each bar.
type Chart struct {
	ID         string // fixed, so that the same data gives the same page
	Caption    string
	Alt        string // says the same in words
	Horizontal bool   // bars lie, the first on top
	Percent    bool   // the axis of values goes from 0 to 100%
	Labels     []string
	Series     []Series // at most 7, as more colours are not told apart
	Tips       []string // plain text of the tooltips, in lines
	Ends       []string // plain text at the end of the bars; nil: none
}

// A Series is one colour of a chart. Values has an entry for each bar.
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
	bar := c.bar()
	bar.Validate()
	option, err := json.Marshal(bar.JSON())
	if err != nil {
		return nil, err
	}
	return json.Marshal(chartSpec{c.ID, c.Horizontal, c.Tips, option})
}

// bar is the chart in the terms of go-echarts. Colours of text and lines are
// left to the page's script, which knows whether the page is light or dark.
func (c *Chart) bar() *charts.Bar {
	bar := charts.NewBar()
	values, names := c.axes()
	bar.SetXAxis(c.Labels)
	if c.Horizontal {
		bar.XYReversal()
		names, values = values, names
	}
	bar.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(true), Top: "0", Left: "0", ItemWidth: 12, ItemHeight: 12, Icon: "rect"}),
		charts.WithGridOpts(opts.Grid{Left: "10", Right: c.rightMargin(), Top: "44", Bottom: "8", ContainLabel: opts.Bool(true)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "axis", AxisPointer: &opts.AxisPointer{Type: "shadow"}}),
		charts.WithXAxisOpts(names),
		charts.WithYAxisOpts(opts.YAxis{Type: values.Type, Min: values.Min, Max: values.Max, MinInterval: values.MinInterval,
			Inverse: opts.Bool(c.Horizontal), AxisLabel: values.AxisLabel}),
	)
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
	return bar
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
