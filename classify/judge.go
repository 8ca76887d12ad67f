package classify

import "hansei/ingest"

// A finding is a place where a rule's evidence stands.
type finding struct {
	rule       int32
	from, to   int32 // in the text, or both 0 for a structured field
	line       int32 // where the line of from starts
	structured bool  // the evidence is a field of the event
	detail     bool  // the text is the event's detail
	fate       fate
}

// fate says what became of a finding.
type fate uint8

const (
	outweighed fate = iota
	won
	quieted  // a rule marked "line" stands on its line
	excluded // one of the rule's "unless" is in the text
	lacking  // none of the rule's "with" is in the text
	preceded // another rule names this one in its "before"
)

// A quietLine is a line on which evidence of a weight or less does not count.
type quietLine struct {
	start  int32
	weight Weight
	detail bool
}

// A scratch holds what is found for one event, and is used again for others.
type scratch struct {
	text     []byte // the message in plain form
	detail   []byte // the detail in plain form
	field    []byte // a structured field in plain form
	inDetail bool
	found    []finding
	quieten  []quietLine
	rules    []ruleState
	touched  []int32 // the rules whose state is not zero
	masker   masker
}

// ruleState is what is known of a rule for the event at hand.
type ruleState struct {
	flags ruleFlags
	count uint8 // findings kept
	last  int32 // place in found of the last of them
}

type ruleFlags uint8

const (
	sawWith ruleFlags = 1 << iota
	sawUnless
	isPreceded
	isTouched
)

// maxFindings is how many findings of one rule are kept: the first seven and
// the last. More would only serve a text that repeats itself.
const maxFindings = 8

func newScratch(rules int) *scratch {
	return &scratch{rules: make([]ruleState, rules)}
}

func (s *scratch) reset(message string) {
	for _, r := range s.touched {
		s.rules[r] = ruleState{}
	}
	s.touched = s.touched[:0]
	s.found = s.found[:0]
	s.quieten = s.quieten[:0]
	s.inDetail = false
	s.text = fold(s.text[:0], message)
}

func (s *scratch) flag(rule int32, f ruleFlags) {
	state := &s.rules[rule]
	if state.flags&isTouched == 0 {
		s.touched = append(s.touched, rule)
	}
	state.flags |= f | isTouched
}

func (s *scratch) note(f finding) {
	s.flag(f.rule, 0)
	f.detail = s.inDetail
	state := &s.rules[f.rule]
	if state.count == maxFindings {
		s.found[state.last] = f
		return
	}
	state.count++
	state.last = int32(len(s.found))
	s.found = append(s.found, f)
}

func (s *scratch) quiet(start int32, w Weight) {
	if n := len(s.quieten); n > 0 && s.quieten[n-1].start == start && s.quieten[n-1].detail == s.inDetail {
		s.quieten[n-1].weight = max(s.quieten[n-1].weight, w)
		return
	}
	s.quieten = append(s.quieten, quietLine{start, w, s.inDetail})
}

// hushed says whether f stands on a line where its weight does not count.
func (s *scratch) hushed(f *finding, w Weight) bool {
	if f.structured {
		return false
	}
	for i := range s.quieten {
		q := &s.quieten[i]
		if q.start == f.line && q.detail == f.detail && w <= q.weight {
			return true
		}
	}
	return false
}

// judge decides the fate of all findings and returns the rule that won, or -1.
func (c *Classifier) judge(s *scratch) int32 {
	for i := range s.found {
		f := &s.found[i]
		r := &c.rules[f.rule]
		flags := s.rules[f.rule].flags
		switch {
		case flags&sawUnless != 0:
			f.fate = excluded
		case len(r.With) > 0 && flags&sawWith == 0 && !f.structured:
			f.fate = lacking
		case len(s.quieten) > 0 && s.hushed(f, r.Weight):
			f.fate = quieted
		default:
			f.fate = outweighed
		}
	}
	for i := range s.found {
		if s.found[i].fate == outweighed {
			for _, other := range c.before[s.found[i].rule] {
				s.rules[other].flags |= isPreceded
				if s.rules[other].flags&isTouched == 0 {
					s.flag(other, 0)
				}
			}
		}
	}
	best := -1
	for i := range s.found {
		f := &s.found[i]
		if f.fate == outweighed && s.rules[f.rule].flags&isPreceded != 0 {
			f.fate = preceded
		}
		if f.fate == outweighed && (best < 0 || c.beats(f, &s.found[best])) {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	s.found[best].fate = won
	return s.found[best].rule
}

// beats says whether f is better evidence than g.
func (c *Classifier) beats(f, g *finding) bool {
	fw, gw := c.rules[f.rule].Weight, c.rules[g.rule].Weight
	switch {
	case fw != gw:
		return fw > gw
	case f.structured != g.structured:
		return f.structured
	case f.detail != g.detail:
		return g.detail // the message before the longer output
	case f.from != g.from:
		return f.from > g.from
	}
	return f.rule < g.rule
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
// value is not there, by the phrases in it.
func (c *Classifier) readField(value string, role role, s *scratch) {
	if value == "" {
		return
	}
	if rule := c.codes.find(value, role); rule >= 0 {
		s.note(finding{rule: rule, structured: true})
		return
	}
	s.field = fold(s.field[:0], value)
	first := len(s.found)
	c.read(s.field, s)
	for i := first; i < len(s.found); i++ {
		s.found[i].structured = true
		s.found[i].from, s.found[i].to, s.found[i].line = 0, 0, 0
	}
}
