package classify

import (
	"regexp"
	"testing"
)

// TestPatternStarts wants a pattern to be passed over where it cannot match, and
// only there.
func TestPatternStarts(t *testing.T) {
	for _, test := range []struct {
		pattern     string
		may, mayNot []string
	}{
		{`^(diff --git |@@ -\d+|\s*at )`, []string{"diff --git a b", "@@ -1", "at x", " at x", "diffuse"}, []string{"x diff --git a", "API Error: 429"}},
		{`^\s*(?i:warn)`, []string{"warn", "WARN", " Warn"}, nil},
		{`^レビュー|^ok`, []string{"レビュー", "ok", "\xff"}, []string{"done", "O"}},
		{`^[^a-z]`, []string{"A", "\xff", "é"}, []string{"a"}},
		{`^(a+|b*)c`, []string{"ac", "bc", "c"}, []string{"d"}},
		{`^(a{2}|b)`, []string{"aa", "b", "x"}, nil},
		{`^x?`, []string{"x", "y"}, nil},
		{`(^a)*b`, []string{"ab", "xb"}, nil},
		{`^a|b`, []string{"a", "xb"}, nil},
		{`(?m)^a`, []string{"a", "x\na"}, nil},
	} {
		p, err := newPattern(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range test.may {
			if !p.mayMatch([]byte(text)) {
				t.Errorf("%s: %q is passed over", test.pattern, text)
			}
		}
		for _, text := range test.mayNot {
			if p.mayMatch([]byte(text)) {
				t.Errorf("%s: %q is not passed over", test.pattern, text)
			}
		}
	}
	// Whatever a rule's pattern matches must not be passed over.
	corpus := readCorpus(t)
	for _, r := range Builtin() {
		re := regexp.MustCompile(r.expression())
		for _, line := range corpus {
			if r.pattern != nil && !r.pattern.mayMatch([]byte(line.Message)) && re.MatchString(line.Message) {
				t.Errorf("%s: %q is passed over", r.Name, line.Message)
			}
		}
	}
}
