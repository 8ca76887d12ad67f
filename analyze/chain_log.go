package analyze

import (
	"encoding/binary"
	"errors"
	"time"

	"hansei/queries"
)

// chainForm numbers the form of a [chainLog], what a [Chain] takes from the
// attempts of an incident, and what a [queries.ChainDay] is. Whoever changes one of
// them counts it up: what is kept in another form is made anew.
const chainForm = 3

// A chainLog gathers the chains of some cells, to write them in one piece: of
// each cell its names, when each chain opened, since the one before, in which ways
// each is odd, and what [Chain.appendSized] writes of each.
type chainLog struct {
	cells map[Scope]*loggedCell
	order []Scope // in which the cells came
	size  int     // bytes, about
}

// A loggedCell is the chains of a cell in a chainLog.
type loggedCell struct {
	last              int64 // microseconds at which the last one opened
	opened, odd, rest []byte
}

// add adds a chain, of which it keeps nothing.
func (l *chainLog) add(cell Scope, c *Chain, odd oddity) {
	of := l.cells[cell]
	if of == nil {
		if of = new(loggedCell); l.cells == nil {
			l.cells = map[Scope]*loggedCell{}
		}
		l.cells[cell] = of
		l.order = append(l.order, cell)
	}
	micros := c.Opened.UnixMicro()
	of.opened = binary.AppendVarint(of.opened, micros-of.last)
	of.last = micros
	of.odd = append(of.odd, byte(odd))
	before := len(of.rest)
	of.rest = c.appendSized(of.rest)
	l.size += len(of.rest) - before
}

// bytes returns what was added, in one piece.
func (l *chainLog) bytes() (out []byte) {
	text := func(v []byte) { out = append(binary.AppendUvarint(out, uint64(len(v))), v...) }
	for _, cell := range l.order {
		of := l.cells[cell]
		for _, name := range []string{cell.Agent, cell.Operation, cell.Category} {
			text([]byte(name))
		}
		text(of.opened)
		text(of.odd)
		text(of.rest)
	}
	return out
}

// A gathering sorts the chains of logs by cell.
type gathering struct {
	from, to int64 // microseconds; what opened outside is left out
	cells    []Cell
	at       map[Scope]int // where in cells
	odd      *oddities
}

func newGathering(span queries.Span, odd *oddities) *gathering {
	return &gathering{from: span.From.UnixMicro(), to: span.To.UnixMicro(), at: map[Scope]int{}, odd: odd}
}

// addLog adds the chains of a log, of which it keeps nothing.
func (g *gathering) addLog(log []byte) error {
	for read := (logReader{recall: recall{b: log}}); read.more(); {
		cell := Scope{Agent: string(read.text()), Operation: string(read.text()), Category: string(read.text())}
		opened, odd, rest := read.text(), read.text(), read.text()
		if read.bad || !g.addCell(g.cell(cell), opened, odd, rest) {
			return errBadLog
		}
	}
	return nil
}

// addCell adds chains of a cell, and reports whether they parse. Mostly all are
// in the span, and are added in one piece.
func (g *gathering) addCell(at int, opened, odd, rest []byte) bool {
	r := g.cells[at].recorded
	before, all := len(r.opened), true
	times := logReader{recall: recall{b: opened}}
	micros := int64(0)
	for range odd {
		micros += times.signed()
		r.opened = append(r.opened, micros)
		all = all && g.within(micros)
	}
	if all {
		for _, of := range odd {
			g.odd.count(oddity(of))
		}
		r.addRest(rest)
		return !times.bad
	}
	added := r.opened[before:]
	r.opened = r.opened[:before]
	one := logReader{recall: recall{b: rest}}
	for i, micros := range added {
		start := one.i
		if one.text(); g.within(micros) {
			g.odd.count(oddity(odd[i]))
			r.opened = append(r.opened, micros)
			r.addRest(rest[start:one.i])
		}
	}
	return !times.bad && !one.bad
}

func (g *gathering) within(micros int64) bool {
	return micros >= g.from && micros < g.to
}

// add adds an incident, of which it keeps nothing.
func (g *gathering) add(cell Scope, c *Chain, odd oddity) {
	g.odd.count(odd)
	g.cells[g.cell(cell)].recorded.add(c)
}

// cell returns where the cell of that scope is.
func (g *gathering) cell(s Scope) int {
	at, ok := g.at[s]
	if !ok {
		at = len(g.cells)
		g.at[s] = at
		g.cells = append(g.cells, Cell{Scope: s, recorded: &recorded{}})
	}
	return at
}

// errBadLog says that kept chains are not what a chainLog writes.
var errBadLog = errors.New("the chains that are kept do not parse; DELETE FROM chains in the DuckDB shell makes hansei put them together anew")

// A logReader reads what a chainLog wrote. What is not there is bad, and ends it.
type logReader struct {
	recall
	bad bool
}

func (r *logReader) more() bool { return r.i < len(r.b) }

func (r *logReader) whole() uint64 {
	before := r.i
	v := r.recall.whole()
	if r.i <= before { // it is cut, or too long
		r.i, r.bad = len(r.b), true
	}
	return v
}

// signed reads what binary.AppendVarint wrote.
func (r *logReader) signed() int64 {
	v := r.whole()
	return int64(v>>1) ^ -int64(v&1)
}

// text reads a length and so many bytes, which are those of the log.
func (r *logReader) text() []byte {
	n := r.whole()
	if n > uint64(len(r.b)-r.i) {
		r.i, r.bad = len(r.b), true
		return nil
	}
	v := r.b[r.i : r.i+int(n)]
	r.i += int(n)
	return v
}

// A dayLog is the chains of a day, in pieces.
type dayLog struct {
	pieces [][]byte
	open   chainLog
}

// pieceSize is about the size of a piece: a day of a large fleet is a few, and
// a reader holds one at a time.
const pieceSize = 1 << 20

func (d *dayLog) add(cell Scope, c *Chain, odd oddity) {
	d.open.add(cell, c, odd)
	if d.open.size >= pieceSize {
		d.finish()
	}
}

// finish ends the piece that is open.
func (d *dayLog) finish() {
	d.pieces = append(d.pieces, d.open.bytes())
	d.open = chainLog{}
}

// over reports whether a day is over by t.
func over(d queries.ChainDay, t time.Time) bool { return !d.End().After(t) }
