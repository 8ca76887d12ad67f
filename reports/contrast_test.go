package reports

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// TestContrast wants every text of the page to be told from what is behind it:
// 4.5 to 1, as WCAG 2.2, criterion 1.4.3 asks, in light, in dark and on paper;
// and the marks of a story 3 to 1 (1.4.11).
func TestContrast(t *testing.T) {
	themes := regexp.MustCompile(`(?s):root(?:\.print)? \{(.*?)\}`).FindAllStringSubmatch(pageCSS, -1)
	if len(themes) != 3 {
		t.Fatalf("%d themes in page.css, want light, dark and print", len(themes))
	}
	for i, theme := range themes {
		colours := map[string][3]float64{}
		for _, c := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(theme[1], -1) {
			colours[c[1]] = rgb(t, c[2])
		}
		for _, pair := range []struct {
			text, behind string
			least        float64
		}{
			{"ink", "paper", 4.5}, {"soft", "paper", 4.5}, {"link", "paper", 4.5}, {"ink", "wash", 4.5}, {"soft", "wash", 4.5},
			{"link", "wash", 4.5}, {"ink", "notice", 4.5}, {"bad", "wash", 3}, {"mark", "wash", 3},
		} {
			if got := contrast(colours[pair.text], colours[pair.behind]); got < pair.least {
				t.Errorf("theme %d: %s on %s: %.2f to 1, want %.1f", i, pair.text, pair.behind, got, pair.least)
			}
		}
		for _, share := range []float64{0.10, 0.25, 0.42, 0.60} { // of the heat map's shades, as page.css has them
			var shade [3]float64
			for c := range shade {
				shade[c] = share*colours["hot"][c] + (1-share)*colours["paper"][c]
			}
			if got := contrast(colours["ink"], shade); got < 4.5 {
				t.Errorf("theme %d: ink on %.0f%% of the heat: %.2f to 1", i, 100*share, got)
			}
		}
		if got := contrast([3]float64{1, 1, 1}, colours["hot"]); got < 4.5 {
			t.Errorf("theme %d: white on the hottest shade: %.2f to 1", i, got)
		}
	}
}

// TestChartContrast wants the colours of charts to be told from the page that
// they stand on, light or dark: 3 to 1 (WCAG 2.2, 1.4.11).
func TestChartContrast(t *testing.T) {
	papers := regexp.MustCompile(`--paper: #([0-9a-f]{6});`).FindAllStringSubmatch(pageCSS, -1)
	for _, paper := range papers {
		for _, colour := range []string{blue, skyBlue, orange, vermilion, grey} {
			if got := contrast(rgb(t, colour[1:]), rgb(t, paper[1])); got < 3 {
				t.Errorf("%s on #%s: %.2f to 1", colour, paper[1], got)
			}
		}
	}
}

// rgb reads six hexadecimal digits as parts of 1.
func rgb(t *testing.T, digits string) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}
}

// contrast is the ratio of the relative luminances of two colours of sRGB.
func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) float64 {
		for i, v := range c {
			if c[i] = v / 12.92; v > 0.03928 {
				c[i] = math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
	}
	l, m := luminance(a), luminance(b)
	return (max(l, m) + 0.05) / (min(l, m) + 0.05)
}
