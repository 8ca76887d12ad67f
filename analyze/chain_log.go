package analyze

import (
	"encoding/binary"
	"errors"
	"time"

	"hansei/queries"
)

// chainForm numbers the form of a [chainLog] and what a [Chain] takes from the
// attempts of an incident. Whoever changes either counts it up: what is kept in
// another form is made anew.
const chainForm = 1

// A chainLog is chains of some cells as they come, in one piece: of each its
// cell, when it opened, in which ways it is odd, and what [Chain.append] writes.
type chainLog struct {
	bytes []byte
	cells map[Scope]uint64 // by their number, in the order of their first chain
	last  int64            // microseconds at which the last one opened
	chain []byte           // that is being added
}

func (l *chainLog) reset() {
	clear(l.cells)
	l.bytes, l.last = l.bytes[:0], 0
}

// add adds a chain, of which it keeps nothing. The names of a cell stand with
// its first one.
func (l *chainLog) add(cell Scope, c *Chain, odd oddity) {
	number, known := l.cells[cell]
	if !known {
		if l.cells == nil {
			l.cells = map[Scope]uint64{}
		}
		number = uint64(len(l.cells))
		l.cells[cell] = number
	}
	l.bytes = binary.AppendUvarint(l.bytes, number)
	if !known {
		for _, name := range []string{cell.Agent, cell.Operation, cell.Category} {
			l.bytes = append(binary.AppendUvarint(l.bytes, uint64(len(name))), name...)
		}
	}
	micros := c.Opened.UnixMicro()
	l.bytes = binary.AppendUvarint(binary.AppendVarint(l.bytes, micros-l.last), uint64(odd))
	l.last = micros
	l.chain = c.append(l.chain[:0])
	l.bytes = append(binary.AppendUvarint(l.bytes, uint64(len(l.chain))), l.chain...)
}

// A gathering sorts the chains of logs by cell.
type gathering struct {
	span  queries.Span // others are left out
	cells []Cell
	at    map[Scope]int // where in cells
	odd   *oddities

	numbers []int // where in cells those of a log are
}

// addLog adds the chains of a log, of which it keeps nothing.
func (g *gathering) addLog(log []byte) error {
	from, to := g.span.From.UnixMicro(), g.span.To.UnixMicro()
	g.numbers = g.numbers[:0]
	read := logReader{recall: recall{b: log}}
	for micros := int64(0); read.more(); {
		number := read.whole()
		if number > uint64(len(g.numbers)) {
			return errBadLog
		}
		if number == uint64(len(g.numbers)) {
			g.numbers = append(g.numbers, g.cell(Scope{Agent: string(read.text()), Operation: string(read.text()), Category: string(read.text())}))
		}
		micros += read.signed()
		odd := oddity(read.whole())
		chain := read.text()
		if read.bad {
			return errBadLog
		}
		if micros >= from && micros < to {
			g.odd.count(odd)
			g.cells[g.numbers[number]].recorded.add(micros, chain)
		}
	}
	return nil
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
	if len(d.open.bytes) >= pieceSize {
		d.finish()
	}
}

// finish ends the piece that is open.
func (d *dayLog) finish() {
	d.pieces = append(d.pieces, d.open.bytes)
	d.open = chainLog{}
}

// over reports whether a day is over by t.
func over(d queries.ChainDay, t time.Time) bool { return !d.End().After(t) }
