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

// A machine says which of some regular expressions match a text, one step for each
// character: an automaton whose states are the sets of places in the expressions
// that may be reached (Thompson 1968), made when first met and kept. The package
// regexp finds that set anew for each character of each text. A machine is safe
// for concurrent use.
type machine struct {
	prog    []syntax.Inst // of all expressions; the Arg of an InstMatch is the number of its expression
	starts  []uint32      // where each begins
	atStart bool          // every match stands at the start of the text
	bounds  []rune        // the first characters of the classes that the expressions tell apart
	ascii   [utf8.RuneSelf]uint8
	start   atomic.Pointer[machineState]

	mu     sync.Mutex
	states map[string]*machineState // by places and the kind of character before
}

// maxStates bounds the memory of a machine to two megabytes for a hundred classes.
// When it is reached, all states are forgotten.
const maxStates = 2000

// A machineState is where a machine is between two characters.
type machineState struct {
	places  []uint32                       // instructions that are reached
	before  rune                           // the character before: one like it, or -1 at the start
	matched []int32                        // the expressions of which a match ends before it; then the rest is empty
	next    []atomic.Pointer[machineState] // by class; the last is the end of the text
}

// newMachine returns the machine of re, all of whose matches stand at the start if
// atStart.
func newMachine(re *syntax.Regexp, atStart bool) (*machine, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	one := &machine{prog: prog.Inst, starts: []uint32{uint32(prog.Start)}, atStart: atStart}
	for i := range prog.Inst {
		one.addBounds(&prog.Inst[i])
	}
	return joinMachines([]*machine{one}), nil
}

// joinMachines returns one machine for the expressions of list, in its order.
func joinMachines(list []*machine) *machine {
	m := &machine{atStart: true, bounds: []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}}
	for _, other := range list {
		first, number := uint32(len(m.prog)), uint32(len(m.starts))
		for _, i := range other.prog {
			i.Out += first
			switch i.Op {
			case syntax.InstAlt, syntax.InstAltMatch:
				i.Arg += first
			case syntax.InstMatch:
				i.Arg += number
			}
			m.prog = append(m.prog, i)
		}
		for _, start := range other.starts {
			m.starts = append(m.starts, first+start)
		}
		m.atStart = m.atStart && other.atStart
		m.bounds = append(m.bounds, other.bounds...)
	}
	slices.Sort(m.bounds)
	m.bounds = slices.Compact(m.bounds)
	for r := range m.ascii {
		m.ascii[r] = uint8(m.class(rune(r)))
	}
	return m
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

// match returns the numbers of the expressions that match text. Of those that match
// in more than one place it knows the first match to end.
func (m *machine) match(text []byte) []int32 {
	s := m.start.Load()
	if s == nil {
		s = m.state(m.starts, -1)
	}
	for i := 0; i < len(text) && s.matched == nil; {
		r, n := rune(text[i]), 1
		var class int
		if r < utf8.RuneSelf {
			class = int(m.ascii[r])
		} else {
			r, n = utf8.DecodeRune(text[i:])
			class = m.class(r)
		}
		next := s.next[class].Load()
		if next == nil {
			next = m.step(s, r, class)
		}
		if s = next; len(s.places) == 0 {
			return s.matched
		}
		i += n
	}
	if s.matched == nil {
		s = m.step(s, -1, len(m.bounds))
	}
	return s.matched
}

// step returns the state behind s and the character r of class, -1 for the end.
func (m *machine) step(s *machineState, r rune, class int) *machineState {
	if next := s.next[class].Load(); next != nil {
		return next
	}
	reached := make([]bool, len(m.prog))
	next := &machineState{}
	for _, pc := range s.places {
		m.reach(pc, syntax.EmptyOpContext(s.before, r), reached, next)
	}
	if next.matched == nil {
		next = m.behind(reached, r)
	}
	slices.Sort(next.matched)
	s.next[class].Store(next)
	return next
}

// reach marks the instructions that pc leads to without a character where empty
// holds, and adds the matches that end there to those of next.
func (m *machine) reach(pc uint32, empty syntax.EmptyOp, reached []bool, next *machineState) {
	if reached[pc] {
		return
	}
	reached[pc] = true
	switch i := &m.prog[pc]; i.Op {
	case syntax.InstMatch:
		next.matched = append(next.matched, int32(i.Arg))
	case syntax.InstAlt, syntax.InstAltMatch:
		m.reach(i.Arg, empty, reached, next)
		m.reach(i.Out, empty, reached, next)
	case syntax.InstCapture, syntax.InstNop:
		m.reach(i.Out, empty, reached, next)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(i.Arg)&^empty == 0 {
			m.reach(i.Out, empty, reached, next)
		}
	}
}

// behind returns the state behind r, where those instructions were reached before it.
func (m *machine) behind(reached []bool, r rune) *machineState {
	var places []uint32
	for pc, ok := range reached {
		if ok && r >= 0 && matchRune(&m.prog[pc], r) {
			places = append(places, m.prog[pc].Out)
		}
	}
	if r >= 0 && !m.atStart {
		places = append(places, m.starts...)
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
