package classify

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// isForm says whether r is a form: a rule that quiets lines by their looks alone,
// without a phrase that the finder could know them by. So it is tried only on the
// line of the evidence that would win, and where words would decide. Each line
// of its Pattern is a pattern of its own, for a whole line without the white
// space around it and what numbered allows before it.
func (r *Rule) isForm() bool { return r.Line && r.Pattern != "" && len(r.Phrases) == 0 }

// numbered is what grep and readers of files write before a line.
const numbered = `(?:(?:[\w./@+-]*\.[a-z]{1,4}[:-])?(?:\d+[:\t →|-])?|[\w./@+-]+[:-]\d+[:-])\s*`

// expression returns the regular expression of r: its Pattern, or one for all
// lines of that of a form.
func (r *Rule) expression() string {
	if !r.isForm() {
		return r.Pattern
	}
	var lines []string
	for line := range strings.Lines(r.Pattern) {
		lines = append(lines, "(?:"+strings.TrimSpace(line)+")")
	}
	return `^(?:` + numbered + `)?(?:` + strings.Join(lines, "|") + `)$`
}

// formMachine returns the machine of all forms.
func (c *Classifier) formMachine() *machine {
	var list []*machine
	for _, form := range c.forms {
		list = append(list, c.rules[form].pattern.machine)
	}
	return joinMachines(list)
}

// formLine is the longest line that is asked for its form.
const formLine = 2 * patternReach

// formed says whether the line of f has a form that quiets it, and if so notes
// that the line is quiet.
func (c *Classifier) formed(f *finding, s *scratch) bool {
	text := s.of(f)
	start := lineOf(text, int(f.from))
	if raisedBehind(text[start:f.to]) {
		return false
	}
	form := c.form(text, int(start), s)
	if form < 0 && c.traits[f.rule].weight <= Cause {
		form = c.within(text, int(start), s)
	}
	if form < 0 || c.traits[f.rule].weight > c.traits[form].weight {
		return false
	}
	s.quieten = append(s.quieten, quietLine{start, form, c.traits[form].weight, f.detail})
	return true
}

// raisedBehind says whether line, up to the end of what was found, holds the class of
// an exception and a colon behind a statement, as a trace has them whose lines were
// joined: "x = y[k] KeyError: 'k'".
func raisedBehind(line []byte) bool {
	for _, end := range [...]string{"Error:", "Exception:"} {
		at := bytes.Index(line, []byte(end))
		if at < 0 {
			continue
		}
		from := at
		for from > 0 && (word[line[from-1]] || line[from-1] == '.') {
			from--
		}
		before := bytes.TrimRight(line[:from], " ")
		if from < at && len(before) < from && len(before) > 0 && !endsInWord(before, "except", "catch", "raise", "throw", "new", "as", "or", "and") {
			return true
		}
	}
	return false
}

// endsInWord says whether text ends with one of words.
func endsInWord(text []byte, words ...string) bool {
	at := bytes.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.Contains(words, string(text[at+1:]))
}

const (
	// leastLines is how many lines a text has of which most have a form.
	leastLines = 3
	// mostLines is how many lines are asked for it: enough to see what a text is.
	mostLines = 12
)

// within returns the form of most lines of text when the line that starts at
// start stands among them, or -1: the words between two statements are the
// program's too. The last line is what was said in the end, and stands for itself;
// so does the first, where a program reports a failure and then how it is used.
func (c *Classifier) within(text []byte, start int, s *scratch) int32 {
	if start+lineLen(text[start:]) >= len(bytes.TrimRight(text, "\n ")) || start == 0 && byProgram(text) {
		return -1
	}
	lines, formed, form := 0, 0, int32(-1)
	for at := 0; at < len(text) && lines < mostLines; at += lineLen(text[at:]) {
		if !bytes.ContainsFunc(text[at:at+lineLen(text[at:])], unicode.IsLetter) {
			continue
		}
		lines++
		if f := c.form(text, at, s); f >= 0 {
			formed++
			form = f
		}
	}
	if lines < leastLines || formed*2 < lines {
		return -1
	}
	return form
}

// form returns the rule that is the form of the line that starts at text[start], the
// weightiest of several, or -1. In the message identifiers and numbers that mean nothing are alike to it: so
// the answer is that of all messages of the shape.
func (c *Classifier) form(text []byte, start int, s *scratch) int32 {
	line := bytes.TrimRight(text[start:start+lineLen(text[start:])], " \t\n")
	if len(line) > formLine {
		return -1
	}
	end := start + len(line)
	start = end - len(bytes.TrimLeft(line, " \t"))
	if s.isMessage(text) {
		text = c.shape(s)
	}
	best := int32(-1)
	for _, n := range c.lines.match(text[start:end]) {
		if form := c.forms[n]; !s.unless.has(form) && (best < 0 || c.traits[form].weight > c.traits[best].weight) {
			best = form
		}
	}
	return best
}
