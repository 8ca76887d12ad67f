package browser

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func (v view) emulate() step {
	scheme := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: v.scheme}
	return chromedp.Steps(
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{scheme}}),
		call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: v.width, Height: v.height, DeviceScaleFactor: 1, Mobile: v.phone}),
	)
}

// What the tests ask of every page, as functions of the page.
//
//go:embed testdata/checks.js
var checks string

// looksRight wants what holds for every page in every view: it fits the
// window's width, every chart is drawn, every text can be read, and nothing of
// an event ran.
func looksRight(t *testing.T, p *tab) {
	t.Helper()
	complete(t, p)
	for _, check := range []string{"wide()", "undrawn()", "faint()", "structure()", "ran()"} {
		for _, fault := range ask[[]string](t, p, check) {
			t.Errorf("%s: %s", check, fault)
		}
	}
	p.quiet(t)
}

// complete waits until the page has laid out and drawn all that it has.
func complete(t *testing.T, p *tab) {
	t.Helper()
	act(t, p, chromedp.Evaluate[chromedp.Void](checks), chromedp.Evaluate[chromedp.Void]("whole()", chromedp.EvalAwaitPromise))
}

// picture keeps a picture of the whole page, where the flag asks for it.
func picture(t *testing.T, p *tab, name string) {
	t.Helper()
	if *shots == "" {
		return
	}
	complete(t, p)
	png, err := chromedp.Run(p, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	keep(t, name+".png", png)
}

// keep writes a file into the folder of pictures, where the flag asks for it.
func keep(t *testing.T, name string, content []byte) {
	t.Helper()
	if *shots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*shots, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}
