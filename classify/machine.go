package classify

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// A machine says whether a regular expression matches a text, one step for each
// character: an automaton whose states are the sets of places in the expression
// that may be reached (Thompson 1968), made when first met and kept. The package
// regexp finds that set anew for each character of each text. A machine is safe
// for concurrent use.
type machine struct {
	prog    *syntax.Prog
	atStart bool   // every match stands at the start of the text
	bounds  []rune // the first characters of the classes that the expression tells apart
	ascii   [utf8.RuneSelf]int
	start   atomic.Pointer[machineState]

	mu     sync.Mutex
	states map[string]*machineState // by places and the kind of character before
}

// maxStates bounds the memory of a machine to half a megabyte for a hundred classes.
// When it is reached, all states are forgotten.
const maxStates = 500

// A machineState is where a machine is between two characters.
type machineState struct {
	places  []uint32 // instructions that are reached
	before  rune     // the character before: one like it, or -1 at the start
	matched bool
	next    []atomic.Pointer[machineState] // by class; the last is the end of the text
}

// newMachine returns the machine of re, all of whose matches stand at the start if
// atStart.
func newMachine(re *syntax.Regexp, atStart bool) (*machine, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	m := &machine{prog: prog, atStart: atStart, bounds: []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}}
	for i := range prog.Inst {
		m.addBounds(&prog.Inst[i])
	}
	slices.Sort(m.bounds)
	m.bounds = slices.Compact(m.bounds)
	for r := range m.ascii {
		m.ascii[r] = m.class(rune(r))
	}
	return m, nil
}

// addBounds adds where i begins and ceases to match.
func (m *machine) addBounds(i *syntax.Inst) {
	if i.Op != syntax.InstRune && i.Op != syntax.InstRune1 {
		return
	}
	if len(i.Rune) != 1 {
		for n := 0; n+1 < len(i.Rune); n += 2 {
			m.bounds = append(m.bounds, i.Rune[n], i.Rune[n+1]+1)
		}
		return
	}
	r := i.Rune[0]
	m.bounds = append(m.bounds, r, r+1)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		m.bounds = append(m.bounds, f, f+1)
	}
}

// class returns the number of the class that r is in.
func (m *machine) class(r rune) int {
	n, found := slices.BinarySearch(m.bounds, r)
	if found {
		return n
	}
	return n - 1
}

// match says whether the expression matches text.
func (m *machine) match(text []byte) bool {
	s := m.start.Load()
	if s == nil {
		s = m.state([]uint32{uint32(m.prog.Start)}, -1)
	}
	for i := 0; i < len(text) && !s.matched; {
		r, n := rune(text[i]), 1
		var class int
		if r < utf8.RuneSelf {
			class = m.ascii[r]
		} else {
			r, n = utf8.DecodeRune(text[i:])
			class = m.class(r)
		}
		if s = m.step(s, r, class); len(s.places) == 0 {
			break
		}
		i += n
	}
	if !s.matched && len(s.places) > 0 {
		s = m.step(s, -1, len(m.bounds))
	}
	return s.matched
}

// step returns the state behind s and the character r of class, -1 for the end.
func (m *machine) step(s *machineState, r rune, class int) *machineState {
	if next := s.next[class].Load(); next != nil {
		return next
	}
	reached := make([]bool, len(m.prog.Inst))
	matched := false
	for _, pc := range s.places {
		matched = m.reach(pc, syntax.EmptyOpContext(s.before, r), reached) || matched
	}
	var next *machineState
	if matched {
		next = &machineState{matched: true}
	} else {
		next = m.behind(reached, r)
	}
	s.next[class].Store(next)
	return next
}

// reach marks the instructions that pc leads to without a character where empty
// holds, and says whether the end of a match is among them.
func (m *machine) reach(pc uint32, empty syntax.EmptyOp, reached []bool) bool {
	if reached[pc] {
		return false
	}
	reached[pc] = true
	switch i := &m.prog.Inst[pc]; i.Op {
	case syntax.InstMatch:
		return true
	case syntax.InstAlt, syntax.InstAltMatch:
		a := m.reach(i.Out, empty, reached)
		return m.reach(i.Arg, empty, reached) || a
	case syntax.InstCapture, syntax.InstNop:
		return m.reach(i.Out, empty, reached)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(i.Arg)&^empty == 0 {
			return m.reach(i.Out, empty, reached)
		}
	}
	return false
}

// behind returns the state behind r, where those instructions were reached before it.
func (m *machine) behind(reached []bool, r rune) *machineState {
	var places []uint32
	for pc, ok := range reached {
		if ok && r >= 0 && matchRune(&m.prog.Inst[pc], r) {
			places = append(places, m.prog.Inst[pc].Out)
		}
	}
	if r >= 0 && !m.atStart {
		places = append(places, uint32(m.prog.Start))
	}
	slices.Sort(places)
	switch {
	case r == '\n':
	case syntax.IsWordChar(r):
		r = 'a'
	default:
		r = ' '
	}
	return m.state(slices.Compact(places), r)
}

func matchRune(i *syntax.Inst, r rune) bool {
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		return i.MatchRune(r)
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return false
}

// state returns the state of places behind a character like before.
func (m *machine) state(places []uint32, before rune) *machineState {
	key := make([]byte, 0, 4*len(places)+4)
	key = binary.LittleEndian.AppendUint32(key, uint32(before))
	for _, pc := range places {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.states[string(key)]
	if ok {
		return s
	}
	s = &machineState{places: places, before: before, next: make([]atomic.Pointer[machineState], len(m.bounds)+1)}
	if len(m.states) >= maxStates || m.states == nil {
		m.states = map[string]*machineState{}
		m.start.Store(nil) // what it leads to is forgotten with it
	}
	m.states[string(key)] = s
	if before < 0 {
		m.start.Store(s)
	}
	return s
}
