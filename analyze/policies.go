package analyze

import (
	"bytes"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// DefaultPolicies is a policy file with the thresholds that the documents of
// the five systems name, each with its source.
//
//go:embed policies.yaml
var DefaultPolicies []byte

// A Policy is the thresholds in force for a cell; nil and empty: not set. Its
// JSON form is what the bucket of policies holds.
type Policy struct {
	Agent      string    `yaml:"agent" json:"agent,omitempty"`
	Operation  string    `yaml:"operation" json:"operation,omitempty"`
	Category   string    `yaml:"category" json:"category,omitempty"`
	MaxRetries *int      `yaml:"max_retries" json:"max_retries,omitempty"`
	Delays     []float64 `yaml:"delays" json:"delays,omitempty"` // seconds before retry 1, 2, …; the last one repeats
	StopAfter  *int      `yaml:"stop_after" json:"stop_after,omitempty"`
	ScoreBar   *float64  `yaml:"score_bar" json:"score_bar,omitempty"`
	Timeout    *float64  `yaml:"timeout" json:"timeout,omitempty"` // seconds
	// CallDepth is how many calls a turn may make; RetryBudget how many retries an
	// agent may make, in percent of its first tries, beside 3 an hour.
	CallDepth   *int `yaml:"call_depth" json:"call_depth,omitempty"`
	RetryBudget *int `yaml:"retry_budget" json:"retry_budget,omitempty"`
}

// Policies are a policy file. They keep its comments and order.
type Policies struct {
	root    yaml.Node
	entries []Policy
	indent  int // spaces
}

// ParsePolicies reads a policy file. A key or a category that it does not know, a
// number below zero or with a part where whole ones are wanted, and another
// version are errors.
func ParsePolicies(text []byte) (*Policies, error) {
	p := &Policies{indent: indentOf(text)}
	if err := yaml.Unmarshal(text, &p.root); err != nil {
		return nil, err
	}
	if len(p.root.Content) == 0 {
		return nil, checkVersion(&p.root, 0)
	}
	if err := knownFields(&p.root); err != nil {
		return nil, err
	}
	version, entries, err := decodePolicies(text)
	if err != nil {
		return nil, err
	}
	if err := checkVersion(&p.root, version); err != nil {
		return nil, err
	}
	for i, e := range entries {
		negative := below(e.MaxRetries, 0) || below(e.StopAfter, 1) || below(e.CallDepth, 1) || below(e.RetryBudget, 0) || e.Timeout != nil && *e.Timeout <= 0
		if negative || slices.ContainsFunc(e.Delays, func(s float64) bool { return s < 0 }) {
			return nil, fmt.Errorf("line %d: max_retries, delays and retry_budget are 0 or more, stop_after and call_depth 1 or more, timeout above 0", p.list().Content[i].Line)
		}
	}
	p.entries = entries
	return p, nil
}

// The fields of a policy file, and those of its entries.
var (
	fileFields   = []string{"version", "policies"}
	policyFields = fieldsOf(reflect.TypeFor[Policy]())
)

func fieldsOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("yaml"))
	}
	return names
}

// knownFields names the first field of a policy file that there is none of, with
// those that there are: the decoder would name its types.
func knownFields(root *yaml.Node) error {
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return nil // the decoder says so
	}
	top := root.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		if err := fieldAmong(top.Content[i], fileFields); err != nil {
			return err
		}
		if top.Content[i].Value != "policies" {
			continue
		}
		for _, entry := range top.Content[i+1].Content {
			if err := checkEntry(entry); err != nil {
				return err
			}
		}
	}
	return nil
}

func fieldAmong(key *yaml.Node, known []string) error {
	if slices.Contains(known, key.Value) || key.Tag == "!!merge" {
		return nil
	}
	return fmt.Errorf("line %d: unknown field %q; there are: %s", key.Line, key.Value, strings.Join(known, ", "))
}

// below reports whether a value is set and too small.
func below(v *int, least int) bool { return v != nil && *v < least }

// list is the sequence of entries.
func (p *Policies) list() *yaml.Node {
	top := p.root.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value == "policies" {
			return top.Content[i+1]
		}
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	top.Content = append(top.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "policies"}, list)
	return list
}

// Of returns the thresholds in force for a cell, each from the most specific
// entry that sets it, the later of two.
func (p *Policies) Of(s Scope) Policy {
	out := Policy{Agent: s.Agent, Operation: s.Operation, Category: s.Category}
	order := slices.Clone(p.entries)
	slices.SortStableFunc(order, func(a, b Policy) int { return a.depth() - b.depth() })
	for _, e := range order {
		if e.Agent != "" && e.Agent != s.Agent || e.Operation != "" && e.Operation != s.Operation || e.Category != "" && e.Category != s.Category {
			continue
		}
		out.set(e)
	}
	return out
}

// set takes over the thresholds that e sets.
func (out *Policy) set(e Policy) {
	if e.MaxRetries != nil {
		out.MaxRetries = e.MaxRetries
	}
	if e.Delays != nil {
		out.Delays = e.Delays
	}
	if e.StopAfter != nil {
		out.StopAfter = e.StopAfter
	}
	if e.ScoreBar != nil {
		out.ScoreBar = e.ScoreBar
	}
	if e.Timeout != nil {
		out.Timeout = e.Timeout
	}
	if e.CallDepth != nil {
		out.CallDepth = e.CallDepth
	}
	if e.RetryBudget != nil {
		out.RetryBudget = e.RetryBudget
	}
}

// depth is how specific an entry is.
func (e Policy) depth() int {
	n := 0
	for _, name := range []string{e.Agent, e.Operation, e.Category} {
		if name != "" {
			n++
		}
	}
	return n
}

// Set writes what a suggestion suggests into the entry of its cell, which it
// makes when there is none. An entry's waits are no more than the retries that
// the cell may make: what is beyond them is left out, and a comment says so. It
// returns the value before and after, "" for none.
func (p *Policies) Set(s *Suggestion) (before, after string, err error) {
	entry := p.entry(s.Scope)
	value := settingNode(s)
	if at := fieldOf(entry, s.Knob); at >= 0 {
		before = flow(entry.Content[at])
		value.LineComment = entry.Content[at].LineComment
		entry.Content[at] = value
	} else {
		entry.Content = append(entry.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: s.Knob}, value)
	}
	if err := p.reload(); err != nil {
		return "", "", err
	}
	if at := fieldOf(entry, delaysKnob); at >= 0 {
		waits, most := entry.Content[at], p.Of(s.Scope).MaxRetries
		if most != nil && len(waits.Content) > *most {
			waits.Content = waits.Content[:*most]
			waits.LineComment = "as many as max_retries"
		}
	}
	if at := fieldOf(entry, s.Knob); at >= 0 {
		after = flow(entry.Content[at])
	}
	return before, after, p.reload()
}

// fieldOf returns where the value of an entry's field is; -1: it has none.
func fieldOf(entry *yaml.Node, name string) int {
	for i := 0; i+1 < len(entry.Content); i += 2 {
		if entry.Content[i].Value == name {
			return i + 1
		}
	}
	return -1
}

// reload reads the entries again from the nodes.
func (p *Policies) reload() error {
	text, err := p.Bytes()
	if err != nil {
		return err
	}
	again, err := ParsePolicies(text)
	if err == nil {
		p.entries = again.entries
	}
	return err
}

// entry finds or makes the entry of exactly this cell.
func (p *Policies) entry(s Scope) *yaml.Node {
	list := p.list()
	want := [3]string{s.Agent, s.Operation, s.Category}
	for _, e := range list.Content {
		var has [3]string
		for i := 0; i+1 < len(e.Content); i += 2 {
			if at := slices.Index([]string{"agent", "operation", "category"}, e.Content[i].Value); at >= 0 {
				has[at] = e.Content[i+1].Value
			}
		}
		if has == want {
			return e
		}
	}
	e := &yaml.Node{Kind: yaml.MappingNode}
	for i, key := range []string{"agent", "operation", "category"} {
		if want[i] != "" {
			value := &yaml.Node{}
			value.SetString(want[i])
			e.Content = append(e.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
		}
	}
	list.Content = append(list.Content, e)
	list.Style = 0 // an empty list stands in one line
	return e
}

// settingNode is the suggested value as YAML.
func settingNode(s *Suggestion) *yaml.Node {
	if s.Knob != delays.Knob {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(*s.Suggested, 10)}
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range s.Values {
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return list
}

// flow writes a value in one line.
func flow(n *yaml.Node) string {
	if n.Kind != yaml.SequenceNode {
		return n.Value
	}
	var parts []string
	for _, c := range n.Content {
		parts = append(parts, c.Value)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Setting is the suggested value as a policy file writes it.
func (s *Suggestion) Setting() string { return flow(settingNode(s)) }

// Changes reports whether the suggestion is one that a policy file can take: a
// bar is not lowered by machine.
func (s *Suggestion) Changes() bool {
	return s.isChange() && s.Knob != scoreBar.Knob
}

// Apart reports whether the suggestion is a change that no policy file can take:
// the score below which to stop iterating. The threshold score_bar of a file is the
// bar that passes.
func (s *Suggestion) Apart() bool { return s.isChange() && !s.Changes() }

// InWords writes what the suggestion asks for in English, for comments and logs.
func (s *Suggestion) InWords() string {
	if s.Apart() && len(s.Values) == 1 {
		return "stop iterating below " + QuantityOf(s.Knob, plainNumber(s.Values[0])).EN
	}
	return s.Knob + " to " + s.Setting()
}

// Bytes returns the file.
func (p *Policies) Bytes() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(p.indent)
	if err := e.Encode(&p.root); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// indentOf returns how far the first indented line of a file stands in, so that a
// change of one line changes no other.
func indentOf(text []byte) int {
	for line := range bytes.Lines(text) {
		if n := len(line) - len(bytes.TrimLeft(line, " ")); n > 1 && n < 10 && line[n] != '#' {
			return n
		}
	}
	return 2
}

// Patch returns the suggestions that change something as a policy file, each
// with its id and reason as a comment, and names those that no file can take.
func Patch(suggestions []Suggestion) ([]byte, error) {
	p, err := ParsePolicies([]byte("version: 1\npolicies: []\n"))
	if err != nil {
		return nil, err
	}
	p.list().Style = 0
	var apart []string
	for i := range suggestions {
		s := &suggestions[i]
		if s.Apart() {
			apart = append(apart, "left out, as a policy file has no threshold for it: "+s.ID+", "+s.InWords()+", of "+s.Scope.Words())
		}
		if !s.Changes() {
			continue
		}
		if _, _, err := p.Set(s); err != nil {
			return nil, err
		}
		e := p.entry(s.Scope)
		e.HeadComment = strings.TrimSpace(e.HeadComment + "\n" + s.ID + ": " + s.Reason.EN)
	}
	p.root.Content[0].HeadComment = strings.Join(apart, "\n")
	return p.Bytes()
}
