package dashboard

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"time"

	"hansei/reports"
)

// asset answers with a file that pages load. A browser asks each time whether
// it has changed: after an update nothing old is shown.
func (d *Dashboard) asset(q *request) error {
	name := cmp.Or(q.r.PathValue("name"), "icon.svg") // /favicon.ico, which browsers ask for by themselves
	var text []byte
	switch name {
	case "report.css":
		text = []byte(reports.Style())
	case "echarts.js":
		text = reports.ECharts()
	default:
		text, _ = assets.ReadFile("assets/" + name) // what is not there is nil
	}
	if text == nil {
		return errNoPage
	}
	h := q.w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+tagOf(text)+`"`)
	h.Set("Content-Type", assetTypes[path.Ext(name)])
	http.ServeContent(q.w, q.r, "", time.Time{}, bytes.NewReader(text))
	return nil
}

var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// tagOf names the bytes of a file.
func tagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
