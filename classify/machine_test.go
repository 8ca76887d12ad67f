package classify

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMachine wants the answers of package regexp, from every pattern of a rule and
// from expressions of every kind, for real lines and for random ones.
func TestMachine(t *testing.T) {
	patterns := []string{`^`, `$`, ``, `a`, `^a*$`, `(?i)straße|K`, `\bfoo\b`, `\Bfoo`, `(?m)^x$`, `(?s)a.b`, `a.b`, `^[^\d\s]+$`, `x{2,4}y`,
		`(a|ab)(c|bcd)$`, `[ぁ-ん]+た`, `^\s*(?:if|for)\b.*[{:]\s*$`, `[^\x00-\x7f]`, `a??b|(c+)?$`, `^(?:a|^b)`, `\z`, `(?i)k`}
	for _, r := range Builtin() {
		if r.Pattern != "" {
			patterns = append(patterns, r.expression())
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	var texts []string
	for _, line := range readCorpus(t) {
		lines := strings.Split(line.Message, "\n")
		texts = append(texts, lines[random.IntN(len(lines))])
	}
	letters := []rune("aabbccfoox xy\n\n_0 9:{}(=)ßſKkK\xffたん・")
	for range 500 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteRune(letters[random.IntN(len(letters))])
		}
		texts = append(texts, b.String(), b.String()+"\xff")
	}
	for _, s := range patterns {
		p, err := newPattern(s)
		if err != nil {
			t.Fatal(err)
		}
		re := regexp.MustCompile(s)
		for _, text := range texts {
			text = text[:min(len(text), 100)]
			if got, want := p.mayMatch([]byte(text)) && p.machine.match([]byte(text)) != nil, re.MatchString(text); got != want {
				t.Fatalf("%.100s: %q: got %v, want %v", s, text, got, want)
			}
		}
		if n := len(p.table.Load().states); n > maxStates {
			t.Errorf("%.100s: %d states", s, n)
		}
	}
}

// TestJoinMachines wants of one machine for all forms what the machine of each says,
// of lines of programs and of others.
func TestJoinMachines(t *testing.T) {
	c := builtinClassifier(t)
	matched := map[int32]bool{}
	for _, r := range Builtin() {
		for _, example := range append(r.Examples, r.Counterexamples...) {
			for line := range strings.Lines(example) {
				text := []byte(strings.TrimSpace(line))
				var want []int32
				for n, form := range c.forms {
					if c.rules[form].pattern.machine.match(text) != nil {
						want = append(want, int32(n))
						matched[form] = true
					}
				}
				if got := c.lines.match(text); !slices.Equal(got, want) {
					t.Errorf("%q: got %v, want %v", line, got, want)
				}
			}
		}
	}
	if len(matched) < len(c.forms) {
		t.Errorf("only %d of %d forms were met", len(matched), len(c.forms))
	}
	if n := len(c.lines.table.Load().states); n > maxStates {
		t.Errorf("%d states", n)
	}
}

// TestMachineForgets wants right answers of a machine that has more states than it
// keeps.
func TestMachineForgets(t *testing.T) {
	p, err := newPattern(`^[ab]*a[ab]{15}$`)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		text := make([]byte, 16+random.IntN(40))
		for i := range text {
			text[i] = "ab"[random.IntN(2)]
		}
		if got, want := p.machine.match(text) != nil, text[len(text)-16] == 'a'; got != want {
			t.Fatalf("%q: got %v", text, got)
		}
	}
	if table := p.table.Load(); table.emptied == 0 || len(table.states) > maxStates {
		t.Errorf("%d states, emptied %d times", len(table.states), table.emptied)
	}
}

// TestFormsAreKept wants room for the states of all forms: those that are forgotten are made
// again, which takes a hundred times the time of a look.
func TestFormsAreKept(t *testing.T) {
	c := builtinClassifier(t)
	for _, r := range Builtin() {
		for _, text := range slices.Concat(r.Examples, r.Counterexamples, r.Phrases, r.Unless, r.With) {
			for line := range strings.Lines(text) {
				c.lines.match([]byte(line))
			}
		}
	}
	if table := c.lines.table.Load(); table.emptied > 0 {
		t.Errorf("emptied %d times, now %d states", table.emptied, len(table.numbers))
	}
}

// Characters that no expression tells apart are one class: all letters of the
// world, of which there are hundreds of stretches.
func TestMachineClasses(t *testing.T) {
	p, err := newPattern(`^(?:\pL+|[0-9a-f]{4}-\pL)$`)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.classes; n > 12 {
		t.Errorf("%d classes of %d stretches", n, len(p.bounds))
	}
	for text, want := range map[string]bool{"жя漢é": true, "00af-ж": true, "00ag-ж": false, "a1": false, "\ufffd": false, "": false} {
		if got := p.match([]byte(text)) != nil; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
