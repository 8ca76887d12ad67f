package reports

import (
	"fmt"

	"hansei/analyze"
)

// hazardBars is the most retries that the chart of hazards shows: the top few
// changes, with room for their names.
const hazardBars = 16

// hazardChart shows, for the top changes of a cap, how often each retry
// resolves an incident: at least, as far as the counts can tell, and from which
// chance on a retry is worth its price. nil: no change rests on retries.
func (r *Report) hazardChart() *Chart {
	c := &Chart{
		ID:      "chart-hazards",
		Caption: r.say(text{EN: "Chance that a retry resolves the incident, for the first changes suggested; a retry left of its mark is not worth its price", JA: "提案上位の、リトライで解決する見込み。印より左で終わるリトライは費用に見合いません"}),
		Alt:     r.say(text{EN: "Horizontal bars: the 95% bounds of the chance that each retry resolves, with a mark from where on it pays. JSON has every number.", JA: "横棒グラフ：各リトライの解決見込みの95%区間と、見合う境目の印。数値はすべてJSONにあります。"}),

		Horizontal: true, Above: true, Percent: true,
	}
	least := Series{Name: r.say(text{EN: "at least (95%)", JA: "少なくとも（95%）"}), Colour: blue}
	most := Series{Name: r.say(text{EN: "at most (95%)", JA: "多くても（95%）"}), Colour: skyBlue}
	pays := Series{Name: r.say(text{EN: "worth it from here on", JA: "ここから見合う"}), Colour: orange}
	for _, s := range r.Suggestions {
		if s.Knob != "max_retries" || !isChange(s) || len(c.Labels)+len(s.Evidence) > hazardBars {
			continue
		}
		name := r.scope(s.Scope)
		for _, e := range s.Evidence {
			label := r.say(text{EN: "retry %d", JA: "リトライ%d"}, e.Retry)
			if e.Retry == 1 {
				label = axisLabel(name)
			}
			c.Labels = append(c.Labels, label)
			c.Ends = append(c.Ends, fmt.Sprintf("%d/%d", e.Won, e.AtRisk))
			c.Tips = append(c.Tips, r.hazardTip(name, e))
			least.Values = append(least.Values, tenth(100*e.BelievedLow))
			most.Values = append(most.Values, tenth(100*e.BelievedHigh)-tenth(100*e.BelievedLow))
			pays.Values = append(pays.Values, tenth(min(100, 100*e.Pays)))
		}
	}
	if len(c.Labels) == 0 {
		return nil
	}
	c.Series, c.Marks = []Series{least, most}, []Series{pays}
	return c
}

// tenth rounds to a tenth: a bar tells no more.
func tenth(v float64) float64 { return float64(int64(10*v+0.5)) / 10 }

func (r *Report) hazardTip(name string, e analyze.Evidence) string {
	return r.say(text{
		EN: "%s, retry %d\nresolved %d of %d: %.0f%% to %.0f%%\nworth its price from %.1f%% on",
		JA: "%s、リトライ%d\n%[4]d件中%[3]d件が解決：%.0[5]f%%〜%.0[6]f%%\n見合うのは%.1[7]f%%から",
	}, name, e.Retry, e.Won, e.AtRisk, 100*e.BelievedLow, 100*e.BelievedHigh, 100*e.Pays)
}
