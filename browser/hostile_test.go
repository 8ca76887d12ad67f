package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// longWord does not break anywhere.
var longWord = strings.Repeat("W", 10_000)

// hostile are texts that a page must show and never obey.
var hostile = []string{
	`<script>window.hostile=1</script>`,
	`"><img src=x onerror=window.hostile=1>`,
	`' onmouseover='window.hostile=1`,
	`javascript:window.hostile=1`,
	`</script><script>window.hostile=1</script>`,
	longWord,
	"safe\u202egnp.exe\u2066 \u200eمرحبا",
	`{{.Code}} ${window.hostile=1} {b} %s`,
	`[link](javascript:window.hostile=1) **bold** | pipe`,
}

// writeHostile writes incidents of the demo's last month whose every text is
// hostile; the most frequent of each list, so that none is folded away.
func writeHostile(path string) error {
	var lines strings.Builder
	out := json.NewEncoder(&lines)
	for i, text := range hostile {
		short, name := text[:min(len(text), 120)], text[:min(len(text), 1000)] // names have at most 1,024 bytes
		for k := range 45 {
			at := time.Date(2026, time.March, 2+i, 8, k, 0, 0, time.UTC)
			event := map[string]any{
				"id": fmt.Sprintf("hostile-%d-%d", i, k), "time": at, "incident": fmt.Sprintf("%s %d %d", short, i, k), "attempt": 1,
				"agent": short, "session": short, "operation": name, "step": short, "component": short, "code": name, "status": short,
				"message": text, "detail": short, "provider": short, "model": short, "score_name": short, "attrs": map[string]string{"note": short},
			}
			if err := out.Encode(event); err != nil {
				return err
			}
			event["id"], event["time"], event["attempt"] = fmt.Sprintf("hostile-%d-%d-end", i, k), at.Add(9*time.Second), 2
			event["kind"], event["resolution"], event["wait_ms"] = "end", name, 5000
			if k%3 == 0 {
				event["resolution"] = "human"
			}
			if err := out.Encode(event); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(path, []byte(lines.String()), 0o644)
}

// TestHostile wants every hostile text to stand on the page as it is, as far
// as it is not shortened or its marks are written out.
func TestHostile(t *testing.T) {
	t.Parallel()
	p := openReport(t, wideLight, "en")
	if n := ask[int](t, p, `document.querySelectorAll("body script:not([type])").length`); n != 1 {
		t.Errorf("%d scripts run on the page, want its own only", n)
	}
	act(t, p, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
	if !soon(t, p, `document.querySelector("noscript") === null`) {
		t.Error("not every row opens")
	}
	text := ask[string](t, p, `document.body.textContent`)
	for _, want := range hostile {
		if want == longWord {
			want = strings.Repeat("W", 40) + "…"
			text = strings.ReplaceAll(text, strings.Repeat("W", 60)+"…", want)
		}
		want = strings.NewReplacer("\u202e", "U+202E", "\u2066", "U+2066", "\u200e", "U+200E").Replace(want)
		if !strings.Contains(text, want) {
			t.Errorf("not on the page: %s", want)
		}
	}
	looksRight(t, p)
}
