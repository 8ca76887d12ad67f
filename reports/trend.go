package reports

import (
	"fmt"
	"strings"
)

// Size of the drawing of a [Trend], in its own units.
const (
	trendWidth  = 96
	trendHeight = 24
	trendMargin = 3 // room for the last point
)

// Path is the line as the d attribute of an SVG path, from zero at the bottom
// to the largest value, so that a small change does not look like a large one.
func (t *Trend) Path() string {
	var b strings.Builder
	joined := false
	for i, v := range t.Values {
		if !v.Valid {
			joined = false
			continue
		}
		move := "M"
		if joined {
			move = "L"
		}
		x, y := t.place(i)
		fmt.Fprintf(&b, "%s%.1f %.1f", move, x, y)
		joined = true
	}
	return b.String()
}

// Last is the place of the last value, as the attributes of an SVG circle; it
// is empty when that is not known.
func (t *Trend) Last() []string {
	last := len(t.Values) - 1
	if last < 0 || !t.Values[last].Valid {
		return nil
	}
	x, y := t.place(last)
	return []string{fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y)}
}

func (t *Trend) place(i int) (x, y float64) {
	most := 0.0
	for _, v := range t.Values {
		if v.Valid {
			most = max(most, v.V)
		}
	}
	x, y = trendMargin, trendHeight-trendMargin
	if len(t.Values) > 1 {
		x += float64(i) * (trendWidth - 2*trendMargin) / float64(len(t.Values)-1)
	}
	if most > 0 {
		y -= t.Values[i].V / most * (trendHeight - 2*trendMargin)
	}
	return x, y
}
