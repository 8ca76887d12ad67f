package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

const (
	// maxRulesFile bounds a rules file; the largest built-in one has 30 KiB.
	maxRulesFile = 1 << 20
	// maxRules bounds a rule set: ten times the built-in one.
	maxRules = 5000
)

// resolutionFile holds the phrases of [ResolutionOf], not rules.
const resolutionFile = "resolution.yaml"

// ruleFields are the keys that an entry of a rules file may have.
var ruleFields = []string{"name", "weight", "before", "codes", "phrases", "pattern", "with", "unless", "only", "line",
	"why", "advice", "examples", "counterexamples"}

// ruleEntry is the written form of a Rule.
type ruleEntry struct {
	Name            string   `yaml:"name"`
	Weight          string   `yaml:"weight"`
	Before          []string `yaml:"before"`
	Codes           []string `yaml:"codes"`
	Phrases         []string `yaml:"phrases"`
	Pattern         string   `yaml:"pattern"`
	With            []string `yaml:"with"`
	Unless          []string `yaml:"unless"`
	Only            []string `yaml:"only"`
	Line            bool     `yaml:"line"`
	Why             string   `yaml:"why"`
	Advice          Text     `yaml:"advice"`
	Examples        []string `yaml:"examples"`
	Counterexamples []string `yaml:"counterexamples"`
}

// readRules reads every rules file of dir: those named after a category, in
// the order of [Categories]. Any other YAML file is an error, so that a typing
// mistake in a file's name does not go unseen; hidden files are an editor's.
func readRules(dir fs.FS, origin string) ([]Rule, error) {
	files, err := fs.Glob(dir, "*.[yY]*[mM][lL]")
	if err != nil {
		return nil, fmt.Errorf("list rules: %v", err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return file[0] == '.' })
	for _, file := range files {
		c := Category(strings.TrimSuffix(file, ".yaml"))
		if !c.known() && (origin == "" || file != resolutionFile) {
			return nil, fmt.Errorf("%s: no such category; a rules file is named <category>.yaml", file)
		}
	}
	read, errs := make([][]Rule, len(Categories)), make([]error, len(Categories))
	var wg sync.WaitGroup
	for i, row := range Categories {
		if file := string(row.Name) + ".yaml"; slices.Contains(files, file) {
			wg.Go(func() { read[i], errs[i] = readRulesFile(dir, file, row.Name) })
		}
	}
	wg.Wait()
	var rules []Rule
	seen := map[string]string{}
	for i := range read {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for k := range read[i] {
			r := &read[i][k]
			if where, ok := seen[r.Name]; ok {
				return nil, fmt.Errorf("%s: rule %q is already in %s", r.File, r.Name, where)
			}
			seen[r.Name] = r.File
			r.File = origin + r.File
		}
		rules = append(rules, read[i]...)
	}
	if len(rules) > maxRules {
		return nil, fmt.Errorf("%d rules, at most %d are taken", len(rules), maxRules)
	}
	return rules, nil
}

func readRulesFile(dir fs.FS, file string, c Category) ([]Rule, error) {
	text, err := fs.ReadFile(dir, file)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	if len(text) > maxRulesFile {
		return nil, fmt.Errorf("%s: %d bytes, at most %d are taken", file, len(text), maxRulesFile)
	}
	list, err := document(file, text)
	if list == nil || err != nil {
		return nil, err // an empty file has no rules
	}
	if list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d: want a list of rules", file, list.Line)
	}
	rules := make([]Rule, 0, len(list.Content))
	for _, node := range list.Content {
		r, err := readRule(node, c)
		if err != nil {
			return nil, fileError(file, node.Line, err)
		}
		r.File = fmt.Sprintf("%s:%d", path.Base(file), node.Line)
		rules = append(rules, r)
	}
	return rules, nil
}

// document returns what the one YAML document of a file holds; nil is nothing.
func document(file string, text []byte) (*yaml.Node, error) {
	var first, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fileError(file, 1, err)
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return first.Content[0], nil
	case err != nil:
		return nil, fileError(file, 1, err)
	}
	return nil, fmt.Errorf("%s:%d: a second YAML document begins here; leave out the --- before it, so that all rules stand in one list", file, second.Line)
}

// namedLine is how the YAML reader, and readRule, name the line of a fault.
var namedLine = regexp.MustCompile(`(?:yaml: |yaml: unmarshal errors:\s*)?line (\d+): `)

// fileError says where in file err lies: in the line that it names, or in line.
func fileError(file string, line int, err error) error {
	text := err.Error()
	if m := namedLine.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s:%s: %s", file, m[1], strings.Replace(text, m[0], "", 1))
	}
	return fmt.Errorf("%s:%d: %s", file, line, text)
}

// readRule turns one entry into a Rule and checks it.
func readRule(node *yaml.Node, c Category) (Rule, error) {
	if node.Kind != yaml.MappingNode {
		return Rule{}, errors.New("want a rule with a name")
	}
	for i := 0; i < len(node.Content); i += 2 {
		if key := node.Content[i].Value; !slices.Contains(ruleFields, key) {
			return Rule{}, fmt.Errorf("line %d: unknown field %q; there are: %s",
				node.Content[i].Line, key, strings.Join(ruleFields, ", "))
		}
	}
	var e ruleEntry
	if err := node.Decode(&e); err != nil {
		return Rule{}, err
	}
	r := Rule{
		Name: e.Name, Category: c, Weight: Cause, Before: e.Before, Codes: e.Codes, Phrases: e.Phrases,
		Pattern: e.Pattern, With: e.With, Unless: e.Unless, Only: e.Only, Line: e.Line,
		Why: strings.TrimSpace(e.Why), Advice: e.Advice, Examples: e.Examples, Counterexamples: e.Counterexamples,
	}
	if e.Weight != "" {
		w := slices.Index(weights[1:], e.Weight)
		if w < 0 {
			return r, fmt.Errorf("rule %q: no weight %q; there are: %s", r.Name, e.Weight, strings.Join(weights[1:], ", "))
		}
		r.Weight = Weight(w + 1)
	}
	if err := r.check(); err != nil {
		return r, err
	}
	for _, list := range [][]string{r.Phrases, r.With, r.Unless} {
		for _, s := range list {
			if _, err := parsePhrase(s); err != nil {
				return r, fmt.Errorf("rule %q: %q: %v", r.Name, s, err)
			}
		}
	}
	return r, nil
}

// check says what is wrong with r, but for its phrases, and compiles its pattern.
func (r *Rule) check() error {
	switch {
	case r.Name == "":
		return errors.New("a rule without a name")
	case !r.Category.known():
		return fmt.Errorf("rule %q: no category %q", r.Name, r.Category)
	case r.Weight < Hint || r.Weight > Decisive:
		return fmt.Errorf("rule %q: no %v", r.Name, r.Weight)
	case len(r.Phrases) == 0 && len(r.Codes) == 0 && !r.isForm():
		return fmt.Errorf("rule %q: needs phrases or codes", r.Name)
	case r.Pattern != "" && len(r.Phrases) == 0 && !r.isForm():
		return fmt.Errorf("rule %q: a pattern needs phrases, one of which stands near every match", r.Name)
	}
	r.only, r.byValue = newOnlySet(r.Only), strings.ContainsAny(strings.Join(r.Only, ""), "0123456789")
	if r.Pattern != "" && r.pattern == nil {
		p, err := newPattern(r.expression())
		if err != nil {
			return fmt.Errorf("rule %q: %v", r.Name, err)
		}
		r.pattern = p
	}
	return nil
}
