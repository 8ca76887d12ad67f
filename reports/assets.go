package reports

import (
	"embed"
	"html/template"
	"strings"
)

// The folder assets holds ECharts' script when "make" has fetched it, and else
// only a text that says so.
//
//go:embed assets
var assets embed.FS

const echartsFile = "assets/echarts.common.min.js"

// Where a page without the script inside finds it, and the hash that it must
// have. Both are of the file dist/echarts.common.min.js of the npm package echarts
// 6.1.0; the test compares the hash with that file.
const (
	echartsAddress   = "https://cdn.jsdelivr.net/npm/echarts@6.1.0/dist/echarts.common.min.js"
	echartsIntegrity = "sha384-Eocxm0VcwHzkU/WL/hiZUvWxg2ISrOO+xcgznp2yXB0nAUIgQUk+GcTHQ+v62nj9"
)

// Offline reports whether HTML reports hold ECharts' script, and so show their
// charts without a network.
func Offline() bool { return pageScript() != "" }

// pageScript is ECharts' script for a page to hold as text, or empty.
func pageScript() template.HTML {
	script, err := assets.ReadFile(echartsFile)
	if err != nil {
		return ""
	}
	return template.HTML(inlineScript(string(script)))
}

// inlineScript keeps a script from ending the element that it stands in, or
// from opening a comment there. Both only occur in string literals.
func inlineScript(s string) string {
	return strings.NewReplacer("</script", `<\/script`, "<!--", `<\!--`).Replace(s)
}
