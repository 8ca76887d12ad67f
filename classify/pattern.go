package classify

import (
	"encoding/binary"
	"regexp/syntax"
	"unicode/utf8"
)

// A pattern is the regular expression of a rule.
type pattern struct {
	*machine
	byValue bool  // it tells a digit from another
	starts  *lead // how a text must start that it matches, nil if any start will do
}

// newPattern compiles a rule's pattern.
func newPattern(s string) (*pattern, error) {
	tree, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		return nil, err
	}
	l := leadOf(tree)
	m, err := newMachine(tree, l.atStart)
	if err != nil {
		return nil, err
	}
	p := &pattern{machine: m, byValue: readsNumbers(tree)}
	if l.atStart && !l.empty {
		p.starts = &l
	}
	return p, nil
}

// mayMatch says by the first byte of text whether p may match it.
func (p *pattern) mayMatch(text []byte) bool {
	return p.starts == nil || len(text) > 0 && p.starts.first[text[0]]
}

// match says whether p matches text[from:to]. In the message all identifiers are
// alike to it, as they are in the shape.
func (c *Classifier) match(p *pattern, text []byte, from, to int, s *scratch) bool {
	s.byValue = s.byValue || p.byValue
	if s.isMessage(text) {
		text = c.alike(s)
	}
	part := text[from:to]
	return p.mayMatch(part) && p.machine.match(part) != nil
}

// alike returns the message, in it letters and digits by turns for each part of an
// identifier that its shape does not show.
func (c *Classifier) alike(s *scratch) []byte {
	if len(s.alike) > 0 {
		return s.alike
	}
	s.alike = append(s.alike, s.text...)
	shape := c.shape(s)
	for i := 0; i < len(shape); i++ {
		if i+8 <= len(shape) && within(binary.LittleEndian.Uint64(shape[i:])&^highests, 0, lastMask) == 0 {
			i += 7
		} else if b := shape[i]; b != masked && b <= lastMask {
			s.alike[i] = plainByte(b)
		}
	}
	return s.alike
}

// shape returns the shape of the message.
func (c *Classifier) shape(s *scratch) []byte {
	if len(s.shape) == 0 {
		s.shape = c.numbers.shape(s.shape, s.text)
	}
	return s.shape
}

// A lead is what the matches of a regular expression start with.
type lead struct {
	atStart bool      // all of them stand at the start of the text
	empty   bool      // some of them may have no byte
	first   [256]bool // their first bytes, if they have one
}

// leadOf returns that of re. What it does not know may start with any byte.
func leadOf(re *syntax.Regexp) (l lead) {
	switch re.Op {
	case syntax.OpBeginText:
		return lead{atStart: true, empty: true}
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			l.add(re.Rune[0], re.Rune[0])
			return l
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			l.add(re.Rune[i], re.Rune[i+1])
		}
		return l
	case syntax.OpCapture, syntax.OpPlus:
		return leadOf(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		l = leadOf(re.Sub[0])
		l.atStart, l.empty = false, true
		return l
	case syntax.OpConcat:
		l = leadOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			if !l.empty {
				break
			}
			next := leadOf(sub)
			l.atStart, l.empty = l.atStart || next.atStart, next.empty
			l.addAll(&next)
		}
		return l
	case syntax.OpAlternate:
		l = leadOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			other := leadOf(sub)
			l.atStart, l.empty = l.atStart && other.atStart, l.empty || other.empty
			l.addAll(&other)
		}
		return l
	}
	l.empty = true
	l.add(0, utf8.MaxRune)
	return l
}

// add adds the bytes that the characters from low to high start with.
func (l *lead) add(low, high rune) {
	for r := low; r <= min(high, utf8.RuneSelf-1); r++ {
		l.first[r] = true
	}
	for b := utf8.RuneSelf; b < len(l.first) && high >= utf8.RuneSelf; b++ {
		l.first[b] = true // also those of no character, which a class may hold
	}
}

func (l *lead) addAll(other *lead) {
	for b, ok := range other.first {
		l.first[b] = l.first[b] || ok
	}
}

// readsNumbers says whether a regular expression tells a digit from another.
func readsNumbers(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r < utf8.RuneSelf && digit(byte(r)) {
				return true
			}
		}
	case syntax.OpCharClass:
		digits := 0
		for i := 0; i < len(re.Rune); i += 2 {
			digits += max(0, int(min(re.Rune[i+1], '9')-max(re.Rune[i], '0'))+1)
		}
		return digits > 0 && digits < 10
	}
	for _, sub := range re.Sub {
		if readsNumbers(sub) {
			return true
		}
	}
	return false
}
