package reports

import (
	"strings"
	"testing"

	"hansei/queries"
	"hansei/queries/golden"
)

const goalsFile = `# What was expected.
goals:
  - name: Retry success of API failures
    metric: retry_success
    code: API_FAILURE
    target: ">= 90%"
  - metric: resolution_rate
    target: ">= 60%"
  - metric: resolution_rate
    category: auth
    target: ">= 75%"
  - {metric: retries_mean, agent: agentskills, target: "<= 1.2"}
  - {metric: incidents, code: FILE_NOT_FOUND, target: <= 25}
  - {metric: wasted_retries, target: <= 0}
  - {metric: resolution_rate, code: BANNER, target: ">= 90%"}
`

func TestGoals(t *testing.T) {
	list, err := ParseGoals("goals.yaml", []byte(goalsFile))
	if err != nil {
		t.Fatal(err)
	}
	db := openTest(t)
	var b strings.Builder
	for _, lang := range Langs {
		var m mdWriter
		r := collect(t, db, Options{Span: months[0].span, Lang: lang, Goals: list})
		m.block(r, goals.Build(r))
		b.WriteString(m.String())
	}
	golden.Check(t, "goals", b.String())
	filtered := months[0].span
	filtered.Filter.Agent = "monadic"
	if r := collect(t, db, Options{Span: filtered, Goals: list}); goals.Build(r) != nil {
		t.Error("goals of all agents in the report of one")
	}
}

func TestGoalVerdicts(t *testing.T) {
	rate := func(won, n int64) queries.GoalSums { return queries.GoalSums{Rated: n, Resolved: won} }
	for _, test := range []struct {
		target string
		metric string
		now    queries.GoalSums
		want   goalVerdict
	}{
		{">= 0.9", "resolution_rate", rate(36, 40), notClear}, // 77 to 96 %
		{">= 0.9", "resolution_rate", rate(400, 410), met},
		{">= 90%", "resolution_rate", rate(20, 40), missed},
		{"<= 10%", "resolution_rate", rate(20, 40), missed},
		{">= 90%", "resolution_rate", rate(0, 0), noData},
		{"<= 3", "incidents", queries.GoalSums{Incidents: 3}, met},
		{"<= 3", "incidents", queries.GoalSums{Incidents: 4}, missed},
		{"<= 1", "retries_mean", queries.GoalSums{WithAttempts: 1, Retries: 5, RetriesSquares: 25}, notClear},
		{"<= 1", "retries_mean", queries.GoalSums{WithAttempts: 100, Retries: 300, RetriesSquares: 1000}, missed},
	} {
		g := Goal{Metric: test.metric}
		if err := g.target(test.target, metricNamed(test.metric)); err != nil {
			t.Fatal(err)
		}
		if got := (GoalResult{Goal: g, Now: test.now}).verdict(); got != test.want {
			t.Errorf("%s %s of %+v: %s, want %s", test.metric, test.target, test.now, got, test.want)
		}
	}
}

func TestGoalErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"- metric: open", `goals.yaml:1: want the key goals with a list`},
		{"goals:\n  - metric: speed\n    target: <= 1", `goals.yaml:2: metric "speed" is not known; known are resolution_rate, retry_success,`},
		{"goals:\n  - metric: open\n    target: few", `goals.yaml:3: target "few": write it like`},
		{"goals:\n  - metric: open\n    target: <= 5%", `goals.yaml:3: target "<= 5%": open is a number`},
		{"goals:\n  - metric: resolution_rate\n    target: '>= 90'", `goals.yaml:3: target ">= 90": resolution_rate is at most 100%`},
		{"goals:\n  - metric: open\n    targte: <= 5", `goals.yaml:3: key "targte" is not known`},
		{"goals:\n  - metric: open\n    category: [a]\n    target: <= 5", `goals.yaml:3: category: want one value`},
		{"goals:\n  - metric: open\n    category: nope\n    target: <= 5", `goals.yaml:3: category "nope" is not known`},
		{"goals:\n  - metric: open", `goals.yaml:2: target ""`},
		{"goals: [", "goals.yaml: line 1"},
	} {
		if _, err := ParseGoals("goals.yaml", []byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
	if goals, err := ParseGoals("goals.yaml", []byte("# none\n")); goals != nil || err != nil {
		t.Errorf("an empty file: %v, %v", goals, err)
	}
}
