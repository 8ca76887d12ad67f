// Package classify says what kind of failure an event is.
//
// Its decision is a [Tag]: a taxonomy, a category, the rule that decided, a
// resolution, and a fingerprint that is the same for the same fault. The
// closed lists are [Taxonomies], [Categories] and [Resolutions].
//
// # Order of evidence
//
// Rules are data: the files rules/<category>.yaml, and those of a user, see
// [Load]. A rule's evidence is a structured value (a code, a status, an errno,
// an exit code, a finish reason) or a phrase of the text, and it has a
// [Weight]. Of all rules that match an event the winner is the one
//
//  1. that no other matching rule names in its "before";
//  2. of the greatest weight: a specific cause in the text beats a general
//     code, so "429 insufficient_quota" is quota and "500 context length
//     exceeded" is context_length;
//  3. at the same weight, whose evidence is a structured field of the event;
//  4. then, whose evidence stands later in the text, because wrapped errors
//     and tracebacks end with their cause;
//  5. then, that stands first in the list of rules.
//
// Where no rule matches, or only by general words, those of the whole text decide,
// if they are clearly those of one category; see words.go. Such a tag has the
// rule "words".
//
// A rule marked "line" is no evidence: it quiets what stands on its own line,
// such as the name of a passed test; one without phrases knows such lines by
// their form, as those of a program's source. An event that no rule matches is tagged
// [Unknown], so that it is counted and seen. Classifying never fails.
//
// # How it is done
//
// The text is first brought to the plain form that a person sees (fold.go),
// then read once by a finder that knows every phrase (match.go); only what
// it finds is looked at further. So the time does not depend on the number of
// rules, and is linear in the length of the text, of which at most 16 KiB are
// read. A text that differs from one before only in numbers and identifiers that
// mean nothing gets its tag from memory (shape.go, memo.go).
package classify

import (
	"bytes"
	"strings"
	"sync"

	"hansei/ingest"
)

// A Tag is what a [Classifier] decided about an event.
type Tag struct {
	Taxonomy    Taxonomy
	Category    Category // "" for an event that is no failure
	Retryable   bool     // from the category's row
	Rule        string   // name of the rule that decided; "" for Unknown
	Resolution  Resolution
	Fingerprint string // see [Fingerprint]; "" for an event that is no failure
}

// A Tagged is an event and what was decided about it.
type Tagged struct {
	Event ingest.Event
	Tag   Tag
}

// A Classifier tags events. It is safe for concurrent use.
type Classifier struct {
	rules    []Rule // in the order of precedence among equals
	rows     []CategoryRow
	traits   []trait   // rule: what judging looks at
	before   []ruleSet // rule: the rules that give way to it
	finder   *finder
	means    []int32 // phrase of finder: the number of its meaning
	meanings []meaning
	refs     []reference
	forms    []int32  // the rules that are forms
	lines    *machine // of their patterns, in that order
	sets     ruleSet  // the sets of rules that meanings name, one behind the other
	codes    *codeTable
	words    *vocabulary
	numbers  *numbers
	scratch  sync.Pool // of *scratch
	memo     *memo
}

// Tag decides about e. A failure always gets a category; a success or an end
// only when its code or text shows one.
func (c *Classifier) Tag(e *ingest.Event) Tag {
	if e.Kind != ingest.Failure && e.Kind != "" && e.Code == "" && e.Message == "" {
		return Tag{Resolution: outcome(e)}
	}
	tag, mark, ok := c.memo.message(e)
	if !ok {
		tag = c.tagByShape(e)
		keep(c.memo, mark, e, e.Message, tag)
	}
	tag.Resolution = outcome(e)
	return tag
}

// tagByShape returns the tag of e, but for its resolution: that of an event like
// it whose message has the same shape, if it is remembered.
func (c *Classifier) tagByShape(e *ingest.Event) Tag {
	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	s.reset(e.Message)
	if e.Message == "" || !c.memo.keeps(e) {
		return c.tag(e, s)
	}
	s.shape = c.numbers.shape(s.shape, s.text)
	tag, mark, ok := c.memo.shape(e, s.shape)
	if !ok {
		if tag = c.tag(e, s); !s.byValue {
			keep(c.memo, mark, e, s.shape, tag)
		}
	}
	return tag
}

// tag decides about e, whose message is in s, but for its resolution.
func (c *Classifier) tag(e *ingest.Event, s *scratch) (tag Tag) {
	won := c.decide(e, s)
	switch {
	case won >= 0:
		tag.set(c.rows[won], c.rules[won].Name)
	case e.Kind == ingest.Success:
		return tag
	default:
		tag.set(Unknown.Row(), "")
	}
	if category, ok := c.byWords(e, won, s); ok {
		tag.set(category.Row(), WordsRule)
	}
	tag.Fingerprint = s.fingerprint(e)
	return tag
}

func (t *Tag) set(row CategoryRow, rule string) {
	t.Taxonomy, t.Category, t.Retryable, t.Rule = row.Taxonomy, row.Name, row.Retryable, rule
}

// byWords returns the category that the words of the text speak for, where the
// rules leave the matter open; Unknown where they doubt what a rule says.
func (c *Classifier) byWords(e *ingest.Event, won int32, s *scratch) (Category, bool) {
	if e.Kind == ingest.Success || !c.leavesOpen(won, s) {
		return "", false
	}
	text, quiet := c.unquieted(s), len(s.quieten) > 0
	if quiet && !failing(text) {
		return "", false
	}
	o, ok := c.words.judge(text)
	if !ok {
		return "", false
	}
	if won >= 0 && c.rules[won].Weight == Cause {
		return o.category, o.category != c.rows[won].Name && o.overrules()
	}
	if o.decides(quiet || won >= 0 && c.rules[won].Weight == General || !failing(text)) {
		return o.category, true
	}
	return Unknown, won >= 0 && !byProgram(text) && o.doubts(c.rows[won].Name, c.rules[won].Weight)
}

// leavesOpen says whether the words of the text may decide: no rule matched, or
// only by general words of the text, or by a cause that they may overrule. What a
// user's own rule says stands.
func (c *Classifier) leavesOpen(won int32, s *scratch) bool {
	if len(s.text) == 0 {
		return false
	}
	if won < 0 {
		return true
	}
	r := &c.rules[won]
	if r.Weight > Cause || r.Category == Unknown || !strings.HasPrefix(r.File, builtinFiles) {
		return false
	}
	for i := range s.found {
		if s.found[i].fate == isWinner && s.found[i].structured {
			return false
		}
	}
	return true
}

// decide returns the number of the rule that wins for e, or -1, and leaves in
// s what was found. The message is in s.
func (c *Classifier) decide(e *ingest.Event, s *scratch) int32 {
	c.readFields(e, s)
	c.read(s.text, s)
	won := c.judge(s)
	if e.Detail == "" || won >= 0 && c.rules[won].Weight >= Cause {
		return won
	}
	// The longer output is worth reading when the message is a mere headline.
	s.detail = fold(s.detail[:0], e.Detail)
	s.inDetail = true
	c.read(s.detail, s)
	again := c.judge(s)
	if again < 0 || won >= 0 && c.rules[again].Weight <= c.rules[won].Weight {
		return won
	}
	return again
}

// read finds all phrases of text, and the HTTP status that it may begin with.
func (c *Classifier) read(text []byte, s *scratch) {
	if rule, end := c.codes.headline(text); rule >= 0 {
		s.note(rule, 0, end)
	}
	s.search.set(text)
	c.finder.find(&s.search)
	for _, h := range s.search.hits {
		m, from, to := &c.meanings[c.means[h.phrase]], int(h.from), int(h.to)
		if m.with > 0 {
			s.with.addAll(c.sets[m.with:])
		}
		if m.unless > 0 {
			s.unless.addAll(c.sets[m.unless:])
		}
		if m.first.role == isNothing {
			continue
		}
		c.refer(m.first, text, from, to, s)
		for _, ref := range c.refs[m.from:m.to] {
			c.refer(ref, text, from, to, s)
		}
	}
}

// refer does what ref says of a phrase that stands at text[from:to].
func (c *Classifier) refer(ref reference, text []byte, from, to int, s *scratch) {
	switch ref.role {
	case isEvidence:
		s.note(ref.rule, from, to)
	case isQuiet:
		c.quiet(ref.rule, text, from, s)
	case isStatus, isExit:
		if rule, end := c.codes.number(ref.role, text, to); rule >= 0 {
			s.note(rule, from, end)
		}
	}
}

// patternReach is how far from its phrase a rule's pattern may look, on either
// side: three lines of a terminal, and a bound on the cost of a pattern.
const patternReach = 240

// fits says whether the pattern of f's rule, if any, matches near f, and the
// words of its "only" are all that its text holds.
func (c *Classifier) fits(f *finding, s *scratch) bool {
	if !c.traits[f.rule].fits {
		return true
	}
	re, only := c.rules[f.rule].pattern, c.rules[f.rule].only
	if f.structured {
		return !f.worded // the words of a code are no text of that form
	}
	text := s.of(f)
	if only != nil {
		if s.byValue = s.byValue || c.rules[f.rule].byValue; !only.covers(text) {
			return false
		}
	}
	if re == nil {
		return true
	}
	from, to := max(0, int(f.from)-patternReach), min(len(text), int(f.to)+patternReach)
	return c.match(re, text, from, to, s)
}

// quiet notes that a rule quiets the line of text[at], if its pattern agrees.
func (c *Classifier) quiet(rule int32, text []byte, at int, s *scratch) {
	start := int(lineOf(text, at))
	if re := c.rules[rule].pattern; re != nil {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if end += at; end-start > 2*patternReach || !c.match(re, text, start, end, s) {
			return
		}
	}
	s.quiet(int32(start), rule, c.rules[rule].Weight)
}

// lineOf returns where the line that holds text[at] starts.
func lineOf(text []byte, at int) int32 {
	if bytes.IndexByte(text[:at], '\n') < 0 { // quick, and mostly so
		return 0
	}
	return int32(bytes.LastIndexByte(text[:at], '\n') + 1)
}
