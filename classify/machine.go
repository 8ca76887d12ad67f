package classify

import (
	"encoding/binary"
	"math/bits"
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
	prog    []syntax.Inst         // of all expressions; the Arg of an InstMatch is the number of its expression
	starts  []uint32              // where each begins
	atStart bool                  // every match stands at the start of the text
	bounds  []rune                // the first characters of the stretches that the expressions tell apart
	of      []uint16              // the class of each stretch
	ascii   [utf8.RuneSelf]uint8  // the class of each; these are the first classes
	classes int                   // of characters, and the end of a text as the last
	recent  [1 << 8]atomic.Uint64 // characters beyond ASCII that were met last and their classes, by their lowest bits

	mu    sync.Mutex // held to add a state
	table atomic.Pointer[machineTable]
}

// A machineTable holds the states of a machine, as many as it has room for. When it is
// full, a greater one takes its place that begins with its states, and after that of
// maxStates an empty one.
type machineTable struct {
	emptied int               // how often the states of the machine were forgotten
	next    []uint32          // for each state and class below 128 the state behind it, or 0 if not yet met; read and set atomically
	wide    wideCells         // the same for some of the other classes, none of which holds ASCII; nil if there are none
	states  []machineState    // by number; one is set before its number stands in next
	numbers map[string]uint32 // of states; only for the holder of mu
}

const (
	firstState = 1       // the number of the state at the start of a text
	ended      = 1 << 31 // marks the number of a state that ends a match, or can reach none
	// leastStates is the room of an empty table: for no number 0, the first state, and more.
	leastStates = 4
	// maxStates bounds the memory of a machine: 16 MiB, and what its states take. The forms of the
	// built-in rules had 11,254 states after 70,000 texts. With 2,048 they were forgotten, and
	// made again, so often that a text took ten times as long.
	maxStates = 1 << 15
)

// wideCells hold states behind others, each with its state and class, in sets: one of a full set
// gives way to what comes last.
type wideCells []atomic.Uint64

const (
	wideSet = 8 // cells: a line of a processor's cache
	// widePerState is how many cells there are for each state: 70,000 texts of many languages
	// filled 7,335 for 11,254 states, so no set is full.
	widePerState = 4
)

// set returns the cells in which the state behind another one and a class is if it is known,
// and what marks it.
func (w wideCells) set(state uint32, class int) (cells wideCells, mark uint64) {
	mark = uint64(state)<<16 | uint64(class)
	at := int(mark*hashFactor>>32) % len(w) / wideSet * wideSet
	return w[at : at+wideSet], mark
}

// A machineState is where a machine is between two characters.
type machineState struct {
	places  []uint32 // instructions that are reached
	before  rune     // the character before: one like it, or -1 at the start
	matched []int32  // the expressions of which a match ends before it; then the rest is empty
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
	m.sort()
	for r := range m.ascii {
		m.ascii[r] = uint8(m.class(rune(r)))
	}
	for b := range lastMask + 1 {
		m.ascii[b] = m.ascii[plainByte(b)]
	}
	m.table.Store(m.newTable(leastStates))
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

// sort puts the stretches that lie in the same sets of characters into one class:
// the letters of the world are hundreds of stretches.
func (m *machine) sort() {
	sums := make([]uint64, len(m.bounds)) // of the sets that a stretch lies in
	sets := map[string]bool{}
	mark := func(set ...rune) {
		key := make([]byte, 0, 4*len(set))
		for _, r := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if sets[string(key)] {
			return
		}
		sets[string(key)] = true
		for n := 0; n < len(set); n += 2 {
			for at := m.stretch(set[n]); at < len(sums) && m.bounds[at] <= set[n+1]; at++ {
				sums[at] = (sums[at] + uint64(len(sets))) * hashFactor
			}
		}
	}
	mark('\n', '\n')
	mark('0', '9', 'A', 'Z', '_', '_', 'a', 'z') // for the edges of words
	for k := range m.prog {
		i := &m.prog[k]
		switch {
		case i.Op != syntax.InstRune && i.Op != syntax.InstRune1:
		case len(i.Rune) != 1:
			mark(i.Rune...)
		default:
			set := []rune{i.Rune[0], i.Rune[0]}
			for f := unicode.SimpleFold(set[0]); f != set[0] && syntax.Flags(i.Arg)&syntax.FoldCase != 0; f = unicode.SimpleFold(f) {
				set = append(set, f, f)
			}
			mark(set...)
		}
	}
	classes := map[uint64]uint16{}
	m.of = make([]uint16, len(sums))
	for at, sum := range sums {
		class, ok := classes[sum]
		if !ok {
			class = uint16(len(classes))
			classes[sum] = class
		}
		m.of[at] = class
	}
	m.classes = len(classes) + 1
}

// stretch returns the number of the stretch that r lies in.
func (m *machine) stretch(r rune) int {
	n, found := slices.BinarySearch(m.bounds, r)
	if found {
		return n
	}
	return n - 1
}

// class returns the number of the class that r is in.
func (m *machine) class(r rune) uint16 { return m.of[m.stretch(r)] }

// newTable returns a table with room for size states, of which it has the first.
func (m *machine) newTable(size int) *machineTable {
	t := m.emptyTable(size)
	t.numbers = map[string]uint32{}
	m.add(t, machineState{places: m.starts, before: -1})
	return t
}

func (m *machine) emptyTable(size int) *machineTable {
	t := &machineTable{next: make([]uint32, size*utf8.RuneSelf), states: make([]machineState, size)}
	if m.classes > utf8.RuneSelf {
		t.wide = make(wideCells, size*widePerState)
	}
	return t
}

// follow returns the table that takes the place of t. Who still reads t meets no state in it
// that it has no room for.
func (m *machine) follow(t *machineTable) *machineTable {
	if len(t.states) == maxStates {
		next := m.newTable(leastStates)
		next.emptied = t.emptied + 1
		return next
	}
	next := m.emptyTable(2 * len(t.states))
	next.emptied, next.numbers = t.emptied, t.numbers
	for i := range t.next {
		next.next[i] = atomic.LoadUint32(&t.next[i])
	}
	copy(next.states, t.states)
	return next
}

// match returns the numbers of the expressions that match text, which may be a part of a
// shape. Of those that match in more than one place it knows the first match to end.
func (m *machine) match(text []byte) []int32 {
	t, state := m.table.Load(), uint32(firstState)
	for at := 0; ; {
		at, state = m.run(t.next, text, at, state)
		class, n := m.classAt(text[at:])
		next := t.behind(state, class)
		if next == 0 {
			t, next = m.step(t, state, text[at:], class)
		}
		if next&ended != 0 {
			return t.states[next&^ended].matched
		}
		state = next
		at += n
	}
}

// run goes on from state at text[at] while the characters are of ASCII, and the states behind
// them known and not the last. It returns where it stopped, and the state before that.
func (m *machine) run(next []uint32, text []byte, at int, state uint32) (int, uint32) {
	for ; at < len(text) && text[at] < utf8.RuneSelf; at++ {
		behind := atomic.LoadUint32(&next[int(state)*utf8.RuneSelf+int(m.ascii[text[at]])])
		if behind-1 >= ended-1 { // it is 0 or ended
			break
		}
		state = behind
	}
	return at, state
}

// classAt returns the class and the length of the character that text starts with, or
// those of the end.
func (m *machine) classAt(text []byte) (class, n int) {
	switch {
	case len(text) == 0:
		return m.classes - 1, 0
	case text[0] < utf8.RuneSelf:
		return int(m.ascii[text[0]]), 1
	}
	r, n := utf8.DecodeRune(text)
	slot := &m.recent[r%rune(len(m.recent))]
	if known := slot.Load(); known>>16 == uint64(r) {
		return int(known & (1<<16 - 1)), n
	}
	class = int(m.class(r))
	slot.Store(uint64(r)<<16 | uint64(class))
	return class, n
}

// behind returns the state behind another one and a class, or 0 if that is not known.
func (t *machineTable) behind(state uint32, class int) uint32 {
	if class < utf8.RuneSelf {
		return atomic.LoadUint32(&t.next[int(state)*utf8.RuneSelf+class])
	}
	cells, mark := t.wide.set(state, class)
	for i := range cells {
		if known := cells[i].Load(); known>>32 == mark {
			return uint32(known)
		}
	}
	return 0
}

// set makes behind the state behind another one and a class.
func (t *machineTable) set(state uint32, class int, behind uint32) {
	if class < utf8.RuneSelf {
		atomic.StoreUint32(&t.next[int(state)*utf8.RuneSelf+class], behind)
		return
	}
	cells, mark := t.wide.set(state, class)
	at := 0
	for at < wideSet && cells[at].Load() != 0 {
		at++
	}
	if at == wideSet {
		at = int(behind) % wideSet // any will do
	}
	cells[at].Store(mark<<32 | uint64(behind))
}

// step finds the state behind another one of t and the first character of text, of class, or the
// end. It returns its number and the table that it is in.
func (m *machine) step(t *machineTable, state uint32, text []byte, class int) (*machineTable, uint32) {
	r := rune(-1)
	if len(text) > 0 {
		if r, _ = utf8.DecodeRune(text); r <= rune(lastMask) {
			r = rune(plainByte(byte(r)))
		}
	}
	from := &t.states[state]
	reached := make(places, len(m.prog)/64+1)
	var next machineState
	for _, pc := range from.places {
		m.reach(pc, syntax.EmptyOpContext(from.before, r), reached, &next)
	}
	if next.matched == nil {
		next = m.behind(reached, r)
	}
	slices.Sort(next.matched)
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.table.Load()
	behind := m.add(now, next)
	if behind == 0 {
		now = m.follow(now)
		behind = m.add(now, next)
		m.table.Store(now)
	}
	if now.emptied == t.emptied {
		now.set(state, class, behind)
	}
	return now, behind
}

// add returns the number that s has in t, or 0 if there is no room for it.
func (m *machine) add(t *machineTable, s machineState) uint32 {
	key := make([]byte, 0, 4*(len(s.places)+len(s.matched)+2))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.before))
	key = binary.LittleEndian.AppendUint32(key, uint32(len(s.places)))
	for _, pc := range s.places {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	for _, n := range s.matched {
		key = binary.LittleEndian.AppendUint32(key, uint32(n))
	}
	state, ok := t.numbers[string(key)]
	if number := firstState + len(t.numbers); !ok && number < len(t.states) {
		t.states[number] = s
		state = uint32(number)
		if len(s.places) == 0 {
			state |= ended
		}
		t.numbers[string(key)] = state
	}
	return state
}

// places is a set of instructions, a bit for each.
type places []uint64

// reach marks the instructions that pc leads to without a character where empty
// holds, and adds the matches that end there to those of next.
func (m *machine) reach(pc uint32, empty syntax.EmptyOp, reached places, next *machineState) {
	if reached[pc/64]>>(pc%64)&1 != 0 {
		return
	}
	reached[pc/64] |= 1 << (pc % 64)
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
func (m *machine) behind(reached places, r rune) machineState {
	var behind []uint32
	for n, some := range reached {
		for ; some != 0 && r >= 0; some &= some - 1 {
			if i := &m.prog[64*n+bits.TrailingZeros64(some)]; matchRune(i, r) {
				behind = append(behind, i.Out)
			}
		}
	}
	if r >= 0 && !m.atStart {
		behind = append(behind, m.starts...)
	}
	slices.Sort(behind)
	switch {
	case r == '\n':
	case syntax.IsWordChar(r):
		r = 'a'
	default:
		r = ' '
	}
	return machineState{places: slices.Compact(behind), before: r}
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
