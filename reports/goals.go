package reports

import (
	"context"
	"strconv"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// goals hold the month's numbers against what was wanted of them.
var goals = Section{"goals", buildGoals}

// A GoalResult is what became of a goal.
type GoalResult struct {
	Goal
	Now, Before queries.GoalSums
}

// A metric is a number that a goal can be about.
type metric struct {
	name    string
	label   text
	meaning text // how it is reckoned
	rate    bool // a part of 1
	// part and whole of a rate or mean; whole is 0 where there is nothing to
	// reckon with. Of a count the whole is 1.
	of func(s queries.GoalSums) (part, whole int64)
	// sample is nil of what is no mean
	sample func(s queries.GoalSums) analyze.Sample
}

// metrics are in the order that errors name them.
var metrics = []metric{
	{name: "resolution_rate", label: rateColumn,
		meaning: text{EN: "Resolved incidents out of all but the cancelled ones and those whose source cannot show how they ended.", JA: "キャンセルされたものと、結果を示せない情報源のものを除くインシデントのうち、解決したもの。"},
		rate:    true, of: func(s queries.GoalSums) (int64, int64) { return s.Resolved, s.Rated }},
	{name: "retry_success", label: text{EN: "Retry success", JA: "リトライ成功率"},
		meaning: text{EN: "Resolved incidents out of those that made a retry, without the cancelled ones and those whose source cannot show how they ended.", JA: "リトライしたインシデント（キャンセルと、結果を示せない情報源のものを除く）のうち、解決したもの。"},
		rate:    true, of: func(s queries.GoalSums) (int64, int64) { return s.Won, s.Retried }},
	{name: "retries_mean", label: retriesColumn,
		meaning: text{EN: "Retries ÷ incidents that carry an attempt.", JA: "リトライ回数 ÷ 試行回数が記録されたインシデント。"},
		of:      func(s queries.GoalSums) (int64, int64) { return s.Retries, s.WithAttempts },
		sample: func(s queries.GoalSums) analyze.Sample {
			return analyze.Sample{N: s.WithAttempts, Sum: s.Retries, Squares: s.RetriesSquares}
		}},
	{name: "incidents", label: text{EN: "Incidents", JA: "インシデント"},
		meaning: text{EN: "All incidents that opened in the time.", JA: "期間中に発生したすべてのインシデント。"},
		of:      func(s queries.GoalSums) (int64, int64) { return s.Incidents, 1 }},
	{name: "open", label: text{EN: "Still open", JA: "未完了"},
		meaning: text{EN: "Incidents of which nothing tells how they ended.", JA: "どう終わったかの記録がないインシデント。"},
		of:      func(s queries.GoalSums) (int64, int64) { return s.Open, 1 }},
	{name: "wasted_retries", label: text{EN: "Wasted retries", JA: "無駄なリトライ"},
		meaning: text{EN: "Retries in categories that the same call cannot pass, and that no retry resolved.", JA: "再実行では解決できないカテゴリで、リトライでは解決しなかったインシデントのリトライ。"},
		of:      func(s queries.GoalSums) (int64, int64) { return s.Wasted, 1 }},
}

func metricNamed(name string) *metric {
	for i := range metrics {
		if metrics[i].name == name {
			return &metrics[i]
		}
	}
	return nil
}

func metricNames() []string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return names
}

// askGoals asks for the numbers of the goals. A report with a filter has none:
// goals have scopes of their own.
func (r *Report) askGoals(ctx context.Context, db queries.DB) (err error) {
	if r.filtered() != "" {
		return nil
	}
	for _, g := range r.Goals {
		result := GoalResult{Goal: g}
		now, before := r.Span, r.Before.Span
		now.Filter, before.Filter = g.Scope, g.Scope
		if result.Now, err = queries.Goal(ctx, db, now, g.Code); err != nil {
			return err
		}
		if result.Before, err = queries.Goal(ctx, db, before, g.Code); err != nil {
			return err
		}
		r.Results = append(r.Results, result)
	}
	return nil
}

// A goalVerdict says whether a goal was met.
type goalVerdict string

const (
	met      goalVerdict = "met"
	missed   goalVerdict = "missed"
	notClear goalVerdict = "not clear with this n"
	noData   goalVerdict = "no data"
)

var goalVerdictsJA = map[goalVerdict]string{met: "達成", missed: "未達", notClear: "この件数では判断できない", noData: "データなし"}

// verdict holds the 95 % interval of a rate or a mean against the target. A
// count is what it is.
func (g GoalResult) verdict() goalVerdict {
	m := metricNamed(g.Metric)
	part, whole := m.of(g.Now)
	if whole == 0 {
		return noData
	}
	v := float64(part) / float64(whole)
	low, high := v, v
	switch {
	case m.rate:
		low, high = analyze.RateInterval(part, whole)
	case m.sample != nil:
		var ok bool
		if low, high, ok = analyze.MeanInterval(m.sample(g.Now)); !ok {
			return notClear
		}
	}
	switch {
	case g.AtMost && high <= g.Target, !g.AtMost && low >= g.Target:
		return met
	case g.AtMost && low > g.Target, !g.AtMost && high < g.Target:
		return missed
	}
	return notClear
}

func buildGoals(r *Report) *Block {
	if len(r.Results) == 0 {
		return nil
	}
	b := &Block{
		Name:    r.say(text{EN: "Goals", JA: "目標"}),
		Heading: r.say(text{EN: "Goals against results", JA: "目標と実績"}),
	}
	counts := map[goalVerdict]int{}
	b.Table = &Table{Caption: b.Heading}
	for _, column := range []text{
		{EN: "Goal", JA: "目標"}, {EN: "Target", JA: "目標値"}, {EN: "Result", JA: "実績"}, {EN: "Verdict", JA: "判定"},
		{EN: "Before", JA: "前回"}, {EN: "Change", JA: "変化"},
	} {
		b.Table.Columns = append(b.Table.Columns, r.say(column))
	}
	for i, g := range r.Results {
		verdict := g.verdict()
		counts[verdict]++
		m := metricNamed(g.Metric)
		b.Table.Rows = append(b.Table.Rows, []Cell{
			{Text: r.goalName(g.Goal, m), Behind: r.goalBehind(i)}, {Text: g.targetText(), Short: true}, {Text: r.goalValue(m, g.Now)}, {Text: r.verdictName(verdict)},
			{Text: r.goalValue(m, g.Before)}, {Text: r.goalChange(m, g)},
		})
	}
	b.Heading = r.say(text{EN: "Goals: %d of %d met", JA: "目標：%[2]d件中%[1]d件を達成"}, counts[met], len(r.Results))
	b.Lead = []string{r.tally(counts)}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "A rate or mean is met or missed where its whole 95% interval is (Wilson 1927, Student's t); a count is what it is. Before is the time before, and the change is computed as elsewhere.",
		JA: "率と平均は、95%信頼区間（Wilson 1927、Studentのt）の全体が目標を満たすとき達成、全体が満たさないとき未達。件数はそのまま比較。前回は直前の期間。",
	}))
	return b
}

// tally says how many goals there are of each verdict that occurs.
func (r *Report) tally(counts map[goalVerdict]int) string {
	var parts []string
	for _, v := range []goalVerdict{met, missed, notClear, noData} {
		if counts[v] > 0 {
			parts = append(parts, r.say(text{EN: "%[1]d %[2]s", JA: "%[2]s%[1]d件"}, counts[v], r.verdictName(v)))
		}
	}
	return r.say(text{EN: "Of %s: %s.", JA: "目標%s：%s。"}, r.count(int64(len(r.Results)), goalNoun), strings.Join(parts, r.say(text{EN: ", ", JA: "、"})))
}

func (r *Report) verdictName(v goalVerdict) string {
	if r.Lang == JA {
		return goalVerdictsJA[v]
	}
	return string(v)
}

// goalName is the goal's own name, or its metric and scope.
func (r *Report) goalName(g Goal, m *metric) string {
	if g.Name != "" {
		return clean(g.Name)
	}
	parts := []string{r.say(m.label)}
	for _, part := range []struct {
		dimension queries.Dimension
		key       string
	}{{queries.ByCode, g.Code}, {queries.ByCategory, g.Scope.Category}, {queries.ByAgent, g.Scope.Agent},
		{queries.ByOperation, g.Scope.Operation}, {queries.ByProvider, g.Scope.Provider}} {
		if part.key != "" {
			parts = append(parts, r.name(part.dimension, part.key))
		}
	}
	return strings.Join(parts, " × ")
}

func (g Goal) targetText() string {
	sign := "≥ "
	if g.AtMost {
		sign = "≤ "
	}
	if g.Percent {
		return sign + strconv.FormatFloat(100*g.Target, 'g', 6, 64) + "%"
	}
	return sign + strconv.FormatFloat(g.Target, 'g', 6, 64)
}

// goalValue is a metric with what it rests on.
func (r *Report) goalValue(m *metric, s queries.GoalSums) string {
	part, whole := m.of(s)
	switch {
	case whole == 0:
		return dash
	case m.rate:
		return r.rate(part, whole)
	case m.sample != nil:
		return r.say(text{EN: "%s (n = %s)", JA: "%s（%s件）"}, decimal(float64(part)/float64(whole)), group(whole))
	}
	return group(part)
}

// goalChange is how a rate or mean changed; of a count the numbers say it.
func (r *Report) goalChange(m *metric, g GoalResult) string {
	part, whole := m.of(g.Now)
	partBefore, wholeBefore := m.of(g.Before)
	var c change
	switch {
	case m.rate:
		c = r.rateChange(part, whole, partBefore, wholeBefore)
	case m.sample != nil:
		c = r.meanChange(m.sample(g.Now), m.sample(g.Before))
	}
	if !c.known {
		return dash
	}
	return c.words
}
