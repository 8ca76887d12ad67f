package reports

import (
	"strconv"

	"hansei/analyze"
	"hansei/queries"
)

// goalBehind is how the result of goal i was reckoned, and incidents that count
// against it.
func (r *Report) goalBehind(i int) *Behind {
	if i >= len(r.depth.misses) {
		return nil
	}
	g := r.Results[i]
	m := metricNamed(g.Metric)
	b := &Behind{
		Lines: []Line{
			{Text: r.period(), Note: r.reckoned(m, g.Now)},
			{Text: r.Before.period, Note: r.reckoned(m, g.Before)},
		},
		Notes: []string{r.say(m.meaning)},
	}
	if misses := r.depth.misses[i]; len(misses) > 0 {
		b.Of = r.say(text{EN: "Incidents that count against it, those of most retries first", JA: "目標に反するインシデント（リトライの多い順）"})
		for _, k := range misses {
			b.Stories = append(b.Stories, r.story(r.depth.stories[k]))
		}
	}
	return b
}

// reckoned writes a metric with its parts and its 95 % interval.
func (r *Report) reckoned(m *metric, s queries.GoalSums) string {
	part, whole := m.of(s)
	switch {
	case whole == 0:
		return r.say(text{EN: "nothing to reckon with", JA: "対象なし"})
	case m.rate:
		low, high := analyze.RateInterval(part, whole)
		return r.say(text{EN: "%s of %s: %s, interval %s to %s", JA: "%[2]s件中%[1]s件：%[3]s、区間%[4]s〜%[5]s"},
			group(part), group(whole), percent(part, whole), points(low), points(high))
	case m.sample != nil:
		mean := decimal(float64(part) / float64(whole))
		low, high, ok := analyze.MeanInterval(m.sample(s))
		if !ok {
			return r.say(text{EN: "%s ÷ %s = %s", JA: "%s ÷ %s = %s"}, group(part), group(whole), mean)
		}
		return r.say(text{EN: "%s ÷ %s = %s, interval %s to %s", JA: "%s ÷ %s = %s、区間%s〜%s"}, group(part), group(whole), mean, hundredth(low), hundredth(high))
	}
	return group(part)
}

// hundredth writes a mean with two decimals.
func hundredth(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
