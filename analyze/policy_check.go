package analyze

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"hansei/classify"
)

// StartPolicies is a policy file that sets nothing yet, to begin one with. What
// the documents name stands in it as comments, each with its source: a suggestion
// that is taken up puts nothing else in force.
func StartPolicies() []byte {
	head, entries, _ := strings.Cut(string(DefaultPolicies), "version: 1\npolicies:\n")
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("#\n# The documents of the five systems name these. None of them is in force until\n# it is written below policies without its mark.\n#\n")
	for line := range strings.Lines(entries) {
		b.WriteString("# " + line)
	}
	b.WriteString("version: 1\npolicies: []\n")
	return []byte(b.String())
}

// checkVersion wants the version that every policy file begins with.
func checkVersion(root *yaml.Node, version int) error {
	const begin = "a policy file begins with the line version: 1, and lists its entries under policies:"
	switch {
	case len(root.Content) == 0:
		return fmt.Errorf("it is empty; %s", begin)
	case version == 0:
		return fmt.Errorf("it names no version; %s", begin)
	case version != 1:
		return fmt.Errorf("version %d is not known; %s", version, begin)
	}
	return nil
}

// checkEntry looks for mistakes in an entry that its decoding would pass over: an
// unknown field or category, and a part of a number that has none.
func checkEntry(entry *yaml.Node) error {
	for k := 0; entry.Kind == yaml.MappingNode && k+1 < len(entry.Content); k += 2 {
		key, value := entry.Content[k], entry.Content[k+1]
		if err := fieldAmong(key, policyFields); err != nil {
			return err
		}
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		switch {
		case slices.Contains(wholeFields, key.Value) && value.ShortTag() == "!!float":
			return fmt.Errorf("line %d: %s is %s; it is a whole number", value.Line, key.Value, value.Value)
		case key.Value == "category":
			if err := checkCategory(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// wholeFields are the fields of an entry that take whole numbers.
var wholeFields = func() (names []string) {
	t := reflect.TypeFor[Policy]()
	for i := range t.NumField() {
		if t.Field(i).Type == reflect.TypeFor[*int]() {
			names = append(names, t.Field(i).Tag.Get("yaml"))
		}
	}
	return names
}()

func checkCategory(value *yaml.Node) error {
	var names []string
	for _, row := range classify.Categories {
		names = append(names, string(row.Name))
	}
	if value.Value == "" || slices.Contains(names, value.Value) {
		return nil
	}
	near := slices.MinFunc(names, func(a, b string) int { return edits(a, value.Value) - edits(b, value.Value) })
	return fmt.Errorf("line %d: category %q is not known; did you mean %s? There are: %s", value.Line, value.Value, near, strings.Join(names, ", "))
}

// edits is how many letters must be added, taken away or replaced to make b of a
// (Levenshtein 1966).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// decodePolicies reads the version and the entries of a policy file.
func decodePolicies(text []byte) (version int, entries []Policy, err error) {
	var file struct {
		Version  int      `yaml:"version"`
		Policies []Policy `yaml:"policies"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err = decoder.Decode(&file)
	return file.Version, file.Policies, err
}
