package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"hansei/classify"
	"hansei/queries"
)

// A Goal is a target for one number of a month, of all incidents or of a scope.
type Goal struct {
	Name    string // for people; empty: made of the rest
	Metric  string // of metrics
	Code    string
	Scope   queries.Filter
	AtMost  bool    // else at least
	Target  float64 // rates as parts of 1
	Percent bool    // the target is written so
}

// goalKeys are the keys of a goal in the file.
var goalKeys = []string{"name", "metric", "target", "agent", "operation", "category", "code", "provider"}

// ParseGoals reads a file of goals: a list under the key goals, each with a
// metric, a target such as ">= 90%" or "<= 1.5", and what it is limited to. An
// error tells the line.
func ParseGoals(name string, text []byte) ([]Goal, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(root.Content) == 0 {
		return nil, nil // an empty file
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode || len(top.Content) != 2 || top.Content[0].Value != "goals" || top.Content[1].Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d: want the key goals with a list, and nothing else", name, top.Line)
	}
	var goals []Goal
	for _, node := range top.Content[1].Content {
		goal, line, err := parseGoal(node)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		goals = append(goals, goal)
	}
	return goals, nil
}

// parseGoal reads one goal; line is where an error is.
func parseGoal(node *yaml.Node) (g Goal, line int, err error) {
	if node.Kind != yaml.MappingNode {
		return g, node.Line, fmt.Errorf("a goal has keys: %s", strings.Join(goalKeys, ", "))
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case !slices.Contains(goalKeys, key.Value):
			return g, key.Line, fmt.Errorf("key %q is not known; known are %s", key.Value, strings.Join(goalKeys, ", "))
		case fields[key.Value] != nil:
			return g, key.Line, fmt.Errorf("key %q stands twice", key.Value)
		case value.Kind != yaml.ScalarNode:
			return g, value.Line, fmt.Errorf("%s: want one value", key.Value)
		}
		fields[key.Value] = value
	}
	text := func(key string) string {
		if fields[key] == nil {
			return ""
		}
		return strings.TrimSpace(fields[key].Value)
	}
	at := func(key string) int {
		if fields[key] == nil {
			return node.Line
		}
		return fields[key].Line
	}
	g = Goal{Name: text("name"), Metric: text("metric"), Code: text("code"), Scope: queries.Filter{
		Agent: text("agent"), Operation: strings.TrimPrefix(text("operation"), "/"), Category: text("category"), Provider: text("provider"),
	}}
	m := metricNamed(g.Metric)
	if m == nil {
		return g, at("metric"), fmt.Errorf("metric %q is not known; known are %s", g.Metric, strings.Join(metricNames(), ", "))
	}
	if c := classify.Category(g.Scope.Category); c != "" && c.Row().Name != c {
		return g, at("category"), fmt.Errorf("category %q is not known", c)
	}
	if err := g.target(text("target"), m); err != nil {
		return g, at("target"), err
	}
	return g, 0, nil
}

// target reads ">= 90%".
func (g *Goal) target(text string, m *metric) error {
	number, ok := strings.CutPrefix(text, ">=")
	if !ok {
		number, g.AtMost = strings.CutPrefix(text, "<=")
	}
	wrong := fmt.Errorf("target %q: write it like \">= 90%%\" or \"<= 1.5\"", text)
	if !ok && !g.AtMost {
		return wrong
	}
	number, g.Percent = strings.CutSuffix(strings.TrimSpace(number), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0) {
		return wrong
	}
	if g.Percent {
		v /= 100
	}
	switch {
	case m.rate && v > 1:
		return fmt.Errorf("target %q: %s is at most 100%%", text, m.name)
	case !m.rate && g.Percent:
		return fmt.Errorf("target %q: %s is a number, not a percentage", text, m.name)
	}
	g.Target, g.Percent = v, m.rate
	return nil
}
