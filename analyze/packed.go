package analyze

import (
	"encoding/binary"
	"math"
	"time"
)

// A kind is what the values of a column are.
type kind uint8

const (
	kindText   kind = iota
	kindWhole       // a whole number
	kindReal        // any number
	kindTruth       // true or false
	kindMoment      // a time
)

// A packed is one column of some rows, in few bytes and no pointers, laid out
// as Arrow does: numbers of 8 bytes, truths of a bit, texts behind each other
// with the ends of each; a bit a row says whether it is known. Rows at its end
// may be left out: those and all of an empty one are absent.
type packed struct {
	rows   int    // that are written
	absent int    // of those
	known  []byte // a bit a row
	ends   []byte // of texts: 4 bytes a row and the 0 before them
	values []byte
}

// pad writes rows up to row n as absent.
func (p *packed) pad(k kind, n int) {
	for bits := (n + 7) / 8; len(p.known) < bits; {
		p.known = append(p.known, 0)
		if k == kindTruth {
			p.values = append(p.values, 0)
		}
	}
	p.absent += n - p.rows
	for ; p.rows < n; p.rows++ {
		switch k {
		case kindText:
			p.end()
		case kindWhole, kindReal, kindMoment:
			p.values = binary.LittleEndian.AppendUint64(p.values, 0)
		}
	}
}

// end notes that the text of a row ends here.
func (p *packed) end() {
	if len(p.ends) == 0 {
		p.ends = binary.LittleEndian.AppendUint32(p.ends, 0)
	}
	p.ends = binary.LittleEndian.AppendUint32(p.ends, uint32(len(p.values)))
}

// next makes row n, which follows, a known one.
func (p *packed) next(k kind, n int) {
	if p.rows < n {
		p.pad(k, n)
	}
	if n%8 == 0 {
		p.known = append(p.known, 0)
		if k == kindTruth {
			p.values = append(p.values, 0)
		}
	}
	p.known[n/8] |= 1 << (n % 8)
	p.rows++
}

func (p *packed) addBytes(n int, v []byte) {
	p.next(kindText, n)
	p.values = append(p.values, v...)
	p.end()
}

func (p *packed) addText(n int, v string) {
	p.next(kindText, n)
	p.values = append(p.values, v...)
	p.end()
}

func (p *packed) addWord(n int, v uint64) {
	p.next(kindWhole, n)
	p.values = binary.LittleEndian.AppendUint64(p.values, v)
}

func (p *packed) addTruth(n int, v bool) {
	p.next(kindTruth, n)
	if v {
		p.values[n/8] |= 1 << (n % 8)
	}
}

// reset empties p and keeps its memory.
func (p *packed) reset() {
	*p = packed{known: p.known[:0], ends: p.ends[:0], values: p.values[:0]}
}

// is reports whether row i is known.
func (p *packed) is(i int) bool { return i < p.rows && p.known[i/8]&(1<<(i%8)) != 0 }

// textAt returns the text of row i, empty when it is absent. It shares p's memory.
func (p *packed) textAt(i int) []byte {
	if i >= p.rows {
		return nil
	}
	return p.values[binary.LittleEndian.Uint32(p.ends[4*i:]):binary.LittleEndian.Uint32(p.ends[4*i+4:])]
}

func (p *packed) wordAt(i int) uint64    { return binary.LittleEndian.Uint64(p.values[8*i:]) }
func (p *packed) realAt(i int) float64   { return math.Float64frombits(p.wordAt(i)) }
func (p *packed) truthAt(i int) bool     { return p.values[i/8]&(1<<(i%8)) != 0 }
func (p *packed) timeAt(i int) time.Time { return time.UnixMicro(int64(p.wordAt(i))).UTC() }
func (p *packed) buffers() [3]*[]byte    { return [3]*[]byte{&p.known, &p.ends, &p.values} }

// A packer packs rows of type R. It may be used again after finish.
type packer[R any] struct {
	columns []column[R]
	packing
}

// A packing is the rows that are packed so far.
type packing struct {
	shape  []shape
	packed []packed // of each column in shape
	rows   int
}

// A shape is the name and kind of a column.
type shape struct {
	name string
	kind kind
}

func newPacker[R any](columns []column[R]) *packer[R] {
	return &packer[R]{columns, newPacking(shapes(columns))}
}

func newPacking(columns []shape) packing {
	return packing{shape: columns, packed: make([]packed, len(columns))}
}

func shapes[R any](columns []column[R]) []shape {
	out := make([]shape, len(columns))
	for i := range columns {
		out[i] = shape{columns[i].name, columns[i].kind()}
	}
	return out
}

func (k *packer[R]) add(r *R) {
	for i := range k.columns {
		k.columns[i].pack(&k.packed[i], k.rows, r)
	}
	k.rows++
}

// pack writes what r has in the column as row n.
func (c *column[R]) pack(p *packed, n int, r *R) {
	switch {
	case c.text != nil:
		if v := c.text(r); v != "" {
			p.addText(n, v)
		}
	case c.whole != nil:
		if v := c.whole(r); v.Known {
			p.addWord(n, uint64(v.V))
		}
	case c.real != nil:
		if v := c.real(r); v.Known {
			p.addWord(n, math.Float64bits(v.V))
		}
	case c.truth != nil:
		if v, known := c.truth(r); known {
			p.addTruth(n, v)
		}
	default:
		p.addWord(n, uint64(c.time(r).UnixMicro()))
	}
}

// kind returns what the values of the column are.
func (c *column[R]) kind() kind {
	switch {
	case c.text != nil:
		return kindText
	case c.whole != nil:
		return kindWhole
	case c.real != nil:
		return kindReal
	case c.truth != nil:
		return kindTruth
	}
	return kindMoment
}

// align is what every buffer of a block begins at: a number.
const align = 8

// finish returns the rows that were added, in a single piece of memory.
func (k *packing) finish() frame {
	size := 0
	for i := range k.packed {
		p := &k.packed[i]
		if p.rows > 0 {
			p.pad(k.shape[i].kind, k.rows)
		}
		for _, b := range p.buffers() {
			size += (len(*b) + align - 1) / align * align
		}
	}
	block := make([]byte, 0, size)
	f := frame{columns: make([]packed, len(k.packed)), to: k.rows}
	for i := range k.packed {
		from, to := &k.packed[i], &f.columns[i]
		*to = packed{rows: from.rows, absent: from.absent}
		into := to.buffers()
		for n, b := range from.buffers() {
			start := len(block)
			block = append(block, *b...)
			*into[n] = block[start:len(block):len(block)]
			block = block[:(len(block)+align-1)/align*align]
		}
		from.reset()
	}
	k.rows = 0
	return f
}
