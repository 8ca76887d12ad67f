package reports

import (
	"html/template"
	"io"
)

// A Frame is what stands around a report that is shown as a page of a site. Its
// addresses are of the site's own.
type Frame struct {
	Top     template.HTML // above the report
	Style   string        // address of a style sheet beside the report's own
	Icon    string        // address of the site's icon, an SVG
	ECharts string        // address of [ECharts]; empty: the tables say it all
}

// RenderWithin writes the report as a page of a site. It returns the page's
// content security policy, which also stands in the page.
func (r *Report) RenderWithin(w io.Writer, f Frame) (policy string, err error) {
	return r.within(w, &f, "")
}

// Style is the style sheet of the report, for pages that look like it.
func Style() string { return pageCSS }

// ECharts returns the script of the charts; nil where the program was built
// without it.
func ECharts() []byte {
	script, err := assets.ReadFile(echartsFile)
	if err != nil {
		return nil
	}
	return script
}
