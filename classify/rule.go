package classify

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"
)

// A Weight says how much a rule's evidence is worth against that of others.
type Weight uint8

// The weights, from the least. In a rules file they are hint, general, cause
// (when none is given), specific and decisive.
const (
	Hint     Weight = iota + 1 // says only that something failed, or where: "exit status 1", API_FAILURE
	General                    // a class of failures: HTTP 500, "timed out", TypeError
	Cause                      // a cause by its name: ECONNREFUSED, "no such file"
	Specific                   // a cause that hides behind general ones: insufficient_quota behind 429
	Decisive                   // settles the matter whatever else is said
)

// weights lists the names of the weights; the index is the Weight.
var weights = []string{"", "hint", "general", "cause", "specific", "decisive"}

// String returns the name that rules files use.
func (w Weight) String() string {
	if int(w) < len(weights) {
		return weights[w]
	}
	return fmt.Sprintf("weight %d", uint8(w))
}

// A Text is a sentence for people in our two languages.
type Text struct {
	EN string `yaml:"en"`
	JA string `yaml:"ja"`
}

// A Rule says which category a piece of evidence speaks for.
//
// Phrases, With and Unless have this form: letters match in either case, a
// space matches any white space, and both ends stand at the border of a word;
// "=" at the start makes the case of letters matter, "*" at an end opens that
// border, "#" is a number, "##" one above 0, "a * b" a gap within a line and
// "a ** b" one over lines. Codes (codes.go) are
// a value of a field, a HTTP status, "exit:137", a start such as "AADSTS*".
type Rule struct {
	Name     string
	Category Category
	Weight   Weight
	Before   []string // rules or categories that give way to this rule when both match, whatever their weight
	Codes    []string // structured values; one that reads like an identifier also counts as a phrase
	Phrases  []string // each alone is evidence
	Pattern  string   // regexp that must match near the phrase; "" for none
	With     []string // one of these must also stand in the text; empty for none
	Unless   []string // none of these may stand in the text
	Only     []string // nothing but these words and signs may stand in the text; empty for no such wish
	Line     bool     // quiets evidence of its weight or less on its own line, instead of being evidence; without Phrases each line of Pattern is the form of a whole line

	Why             string // why the evidence means the category
	Advice          Text   // what to do about it
	Examples        []string
	Counterexamples []string

	File string // where the rule was read, "quota.yaml:12"; the built-in ones start with "builtin:"

	pattern *pattern
	only    *onlySet
	byValue bool // only tells a number from another
}

// builtinFiles is what the File of a built-in rule starts with.
const builtinFiles = "builtin:"

//go:embed rules/*.yaml
var rulesFS embed.FS

// builtin reads the embedded rules once. They are tested, so an error is a
// mistake in the program and not a condition that a caller could handle.
var builtin = sync.OnceValue(func() []Rule {
	dir, err := fs.Sub(rulesFS, "rules")
	if err != nil {
		panic(err)
	}
	rules, err := readRules(dir, builtinFiles)
	if err != nil {
		panic(err)
	}
	return rules
})

// Builtin returns the rules that come with the program, in their order of
// precedence. The slice is the caller's; what its elements point to is not.
func Builtin() []Rule { return append([]Rule(nil), builtin()...) }

// Load reads a user's rules from the files <category>.yaml of dir and returns
// them merged with the built-in ones: a rule whose name is already there takes
// its place, the others follow. One mistake refuses the whole folder; the
// error names file, line and reason.
func Load(dir fs.FS) ([]Rule, error) {
	own, err := readRules(dir, "")
	if err != nil {
		return nil, err
	}
	return merge(append(Builtin(), own...)), nil
}

// merge lets the last rule of each name take the place of the first.
func merge(rules []Rule) []Rule {
	at := make(map[string]int, len(rules))
	out := make([]Rule, 0, len(rules))
	for _, r := range rules {
		if i, ok := at[r.Name]; ok {
			out[i] = r
			continue
		}
		at[r.Name] = len(out)
		out = append(out, r)
	}
	return out
}
