package classify

import "bytes"

// unquieted returns the message without its quiet lines, in a buffer of s where
// it has any.
func (c *Classifier) unquieted(s *scratch) []byte {
	for start := 0; start < len(s.text); start += lineLen(s.text[start:]) {
		if s.quietAt(int32(start)) {
			continue
		}
		if form := c.form(s.text, start, s); form >= 0 {
			s.quieten = append(s.quieten, quietLine{int32(start), form, c.traits[form].weight, false})
		}
	}
	if len(s.quieten) == 0 {
		return s.text
	}
	s.loud = s.loud[:0]
	for start := 0; start < len(s.text); {
		end := start + lineLen(s.text[start:])
		if !s.quietAt(int32(start)) {
			s.loud = append(s.loud, s.text[start:end]...)
		}
		start = end
	}
	return s.loud
}

// lineLen returns the length of the first line of text, with its end.
func lineLen(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

// quietAt says whether the line of the message that starts at start is quiet.
func (s *scratch) quietAt(start int32) bool {
	for i := range s.quieten {
		q := &s.quieten[i]
		if q.start == start && !q.detail && !s.unless.has(q.rule) {
			return true
		}
	}
	return false
}
