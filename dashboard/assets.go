package dashboard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"hansei/reports"
)

// asset answers with a file that pages load. A browser asks each time whether
// it has changed: after an update nothing old is shown.
func (d *Dashboard) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
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
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+tagOf(text)+`"`)
	if strings.HasSuffix(name, ".css") {
		h.Set("Content-Type", "text/css; charset=utf-8")
	} else {
		h.Set("Content-Type", "text/javascript; charset=utf-8")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// tagOf names the bytes of a file.
func tagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
