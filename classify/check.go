package classify

import (
	"fmt"
	"slices"
	"strings"

	"hansei/ingest"
)

// A Mismatch is an example of a rule that does not hold.
type Mismatch struct {
	Rule    string
	File    string // where the rule was read
	Example string
	Reason  string
}

// Check tries the examples and counterexamples of rules on c, which may hold
// other rules too: an example must get the rule's category, a counterexample
// must not be tagged by the rule.
func (c *Classifier) Check(rules []Rule) []Mismatch {
	var list []Mismatch
	for i := range rules {
		r := &rules[i]
		for _, x := range r.Examples {
			tag := c.Tag(&ingest.Event{Message: x})
			if tag.Category != r.Category {
				list = append(list, Mismatch{r.Name, r.File, x,
					fmt.Sprintf("want %s, got %s by rule %q", r.Category, tag.Category, tag.Rule)})
			}
		}
		for _, x := range r.Counterexamples {
			if c.Tag(&ingest.Event{Message: x}).Rule == r.Name {
				list = append(list, Mismatch{r.Name, r.File, x, "a counterexample is tagged by the rule"})
			}
		}
	}
	return list
}

// BuiltIn reports whether r comes with the program; other rules are a user's.
func (r *Rule) BuiltIn() bool { return strings.HasPrefix(r.File, builtinFiles) }

// Own returns those of rules that are a user's.
func Own(rules []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.BuiltIn() })
}
