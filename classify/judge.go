package classify

import (
	"encoding/binary"

	"hansei/ingest"
)

// A finding is a place where a rule's evidence stands.
type finding struct {
	rule       int32
	from, to   int32 // in the text, or both 0 for a structured field
	structured bool  // the evidence is a field of the event
	worded     bool  // it is a phrase in that field, not its value
	detail     bool  // the text is the event's detail
	fate       fate
}

// fate says what became of a finding.
type fate uint8

const (
	outweighed fate = iota
	isWinner
	quieted  // a rule marked "line" stands on its line
	excluded // one of the rule's "unless" is in the text
	lacking  // none of the rule's "with" is in the text
	preceded // another rule names this one in its "before"
	unfit    // the rule's pattern does not match
)

// A quietLine is a line on which evidence of a weight or less does not count.
type quietLine struct {
	start  int32
	rule   int32
	weight Weight
	detail bool
}

// A scratch holds what is found for one event, and is used again for others.
type scratch struct {
	text     []byte // the message in plain form
	detail   []byte // the detail in plain form
	field    []byte // a structured field in plain form
	search   search
	loud     []byte // the message without its quiet lines
	inDetail bool
	found    []finding
	quieten  []quietLine
	rules    []ruleState
	touched  []int32 // the rules whose state is not zero
	with     ruleSet // rules of which a "with" was seen
	unless   ruleSet // rules of which an "unless" was seen
	preceded ruleSet // rules that another one stands before
	gives    bool    // preceded is not empty
	masker   masker
	shape    []byte // that of text, see numbers; empty when not yet needed
	alike    []byte // text, its identifiers alike; empty when not yet needed
	byValue  bool   // a number that is masked in shape was told from others
}

// A trait is what judging looks at in a rule: of all rules together it fills a few
// lines of a processor's cache, where the rules themselves fill hundreds.
type trait struct {
	weight Weight
	with   bool // it has a with
	fits   bool // it has a pattern or an only
	before bool // others give way to it
}

// ruleState is what is known of a rule for the event at hand.
type ruleState struct {
	count int32 // findings kept
	last  int32 // place in found of the last of them
}

// A ruleSet is a set of rules, a bit for each.
type ruleSet []uint64

func newRuleSet(rules int) ruleSet { return make(ruleSet, rules/64+1) }

func (s ruleSet) add(rule int32)      { s[rule/64] |= 1 << (rule % 64) }
func (s ruleSet) has(rule int32) bool { return s[rule/64]>>(rule%64)&1 != 0 }

// key returns s as a map's key.
func (s ruleSet) key() string {
	var b []byte
	for _, bits := range s {
		b = binary.LittleEndian.AppendUint64(b, bits)
	}
	return string(b)
}

// addAll adds the set at the start of from.
func (s ruleSet) addAll(from ruleSet) {
	for i, bits := range from[:len(s)] {
		s[i] |= bits
	}
}

// maxFindings is how many findings of one rule are kept: the first seven and
// the one that stands last. More would only serve a text that repeats itself.
const maxFindings = 8

func newScratch(rules int) *scratch {
	return &scratch{rules: make([]ruleState, rules),
		with: newRuleSet(rules), unless: newRuleSet(rules), preceded: newRuleSet(rules)}
}

func (s *scratch) reset(message string) {
	for _, r := range s.touched {
		s.rules[r] = ruleState{}
	}
	s.touched = s.touched[:0]
	clear(s.with)
	clear(s.unless)
	clear(s.preceded)
	s.found = s.found[:0]
	s.quieten = s.quieten[:0]
	s.inDetail, s.byValue, s.gives = false, false, false
	s.shape, s.alike = s.shape[:0], s.alike[:0]
	s.text = fold(s.text[:0], message)
}

// note keeps a finding of rule.
func (s *scratch) note(rule int32, from, to int) {
	f := finding{rule: rule, from: int32(from), to: int32(to), detail: s.inDetail}
	state := &s.rules[rule]
	if state.count == 0 {
		s.touched = append(s.touched, rule)
	}
	if state.count == maxFindings {
		if f.from >= s.found[state.last].from {
			s.found[state.last] = f
		}
		return
	}
	state.count++
	state.last = int32(len(s.found))
	s.found = append(s.found, f)
}

// of returns the text that f was found in.
func (s *scratch) of(f *finding) []byte {
	if f.detail {
		return s.detail
	}
	return s.text
}

// isMessage says whether text is the message.
func (s *scratch) isMessage(text []byte) bool {
	return len(s.text) > 0 && len(text) > 0 && &text[0] == &s.text[0]
}

func (s *scratch) quiet(start, rule int32, w Weight) {
	q := quietLine{start, rule, w, s.inDetail}
	if n := len(s.quieten); n > 0 && s.quieten[n-1] == q {
		return
	}
	s.quieten = append(s.quieten, q)
}

// hushed says whether f stands on a line where its weight does not count.
func (s *scratch) hushed(f *finding, w Weight) bool {
	if f.structured {
		return false
	}
	line := lineOf(s.of(f), int(f.from))
	for i := range s.quieten {
		q := &s.quieten[i]
		if q.start == line && q.detail == f.detail && w <= q.weight && !s.unless.has(q.rule) {
			return true
		}
	}
	return false
}

// judge decides the fate of all findings and returns the rule that won, or -1.
func (c *Classifier) judge(s *scratch) int32 {
	for i := range s.found {
		f := &s.found[i]
		r := c.traits[f.rule]
		switch {
		case s.unless.has(f.rule):
			f.fate = excluded
		case r.with && (f.worded || !f.structured) && !s.with.has(f.rule):
			f.fate = lacking
		case len(s.quieten) > 0 && s.hushed(f, r.weight):
			f.fate = quieted
		case r.before && !c.fits(f, s):
			f.fate = unfit
		default:
			f.fate = outweighed
			if r.before {
				s.gives = true
				s.preceded.addAll(c.before[f.rule])
			}
		}
	}
	if s.gives {
		s.giveWay()
	}
	best := c.best(s)
	for best >= 0 && !c.stands(&s.found[best], s) {
		best = c.best(s)
	}
	if best < 0 {
		return -1
	}
	s.found[best].fate = isWinner
	return s.found[best].rule
}

// stands says whether f, which would win, does: patterns are costly, so only a
// winner's are tried. If not, it notes the fate of f.
func (c *Classifier) stands(f *finding, s *scratch) bool {
	switch {
	case !c.fits(f, s):
		f.fate = unfit
	case !f.structured && c.formed(f, s):
		f.fate = quieted
	default:
		return true
	}
	return false
}

// giveWay marks the findings of rules that another matching rule stands before.
func (s *scratch) giveWay() {
	for i := range s.found {
		if f := &s.found[i]; f.fate == outweighed && s.preceded.has(f.rule) {
			f.fate = preceded
		}
	}
}

// best returns the number of the finding that weighs most, or -1.
func (c *Classifier) best(s *scratch) int {
	best := -1
	for i := range s.found {
		f := &s.found[i]
		if f.fate == outweighed && (best < 0 || c.beats(f, &s.found[best])) {
			best = i
		}
	}
	return best
}

// beats says whether f is better evidence than g.
func (c *Classifier) beats(f, g *finding) bool {
	fw, gw := c.traits[f.rule].weight, c.traits[g.rule].weight
	switch {
	case fw != gw:
		return fw > gw
	case f.structured != g.structured:
		return f.structured
	case f.detail != g.detail:
		return g.detail // the message before the longer output
	case f.from != g.from:
		return f.from > g.from
	case f.rule != g.rule:
		return f.rule < g.rule
	}
	return f.to > g.to
}

// fields are the attributes whose value is structured evidence, by the names
// that OpenTelemetry, HTTP clients, runtimes and agents give them.
var fields = []struct {
	name string
	role role
}{
	{"error.type", isEvidence}, {"error_type", isEvidence}, {"exception.type", isEvidence},
	{"error.code", isEvidence}, {"error_code", isEvidence}, {"errno", isEvidence}, {"signal", isEvidence},
	{"finish_reason", isEvidence}, {"stop_reason", isEvidence}, {"grpc_status", isEvidence},
	{"http_status", isStatus}, {"http.response.status_code", isStatus}, {"status_code", isStatus},
	{"exit_code", isExit}, {"exit_status", isExit},
}

// readFields takes the structured evidence of e.
func (c *Classifier) readFields(e *ingest.Event, s *scratch) {
	c.readField(e.Code, isEvidence, s)
	c.readField(e.Status, isEvidence, s)
	if len(e.Attrs) == 0 {
		return
	}
	for i := range fields {
		if v, ok := e.Attrs[fields[i].name]; ok {
			c.readField(v, fields[i].role, s)
		}
	}
}

// readField takes the evidence of one field: by the table of codes or, if the
// value is not there, by the phrases in it, or in its words.
func (c *Classifier) readField(value string, role role, s *scratch) {
	if value == "" {
		return
	}
	if rule := c.codes.find(value, role); rule >= 0 {
		s.note(rule, 0, 0)
		s.found[s.rules[rule].last].structured = true
		return
	}
	s.field = fold(s.field[:0], value)
	first := len(s.found)
	c.read(s.field, s)
	if !c.tells(s.found[first:]) {
		s.field = codeWords(s.field[:0], value)
		c.read(s.field, s)
	}
	for i := first; i < len(s.found); i++ {
		s.found[i].structured, s.found[i].worded = true, true
		s.found[i].from, s.found[i].to = 0, 0
	}
}

// tells says whether one of found is more than a [Hint].
func (c *Classifier) tells(found []finding) bool {
	for i := range found {
		if c.traits[found[i].rule].weight > Hint {
			return true
		}
	}
	return false
}
