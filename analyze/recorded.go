package analyze

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"
)

// A recorded is the chains of a cell in a fifth of their memory: a year of a
// large fleet has millions, and a tuner looks at those of one cell at a time.
// What comes out is what went in, to the last bit; times are to the microsecond.
type recorded struct {
	opened []int64  // microseconds at which each chain opened
	rest   [][]byte // blocks: of each chain how many bytes all else is, and that
}

// recordedBlock is the size of a block: large enough that its end is little,
// small enough that cells of few chains waste little. The first ones are smaller.
const recordedBlock = 32 << 10

// The first bits of a chain.
const (
	isWon = 1 << iota
	isLost
	isBlind
	hasTimes
	hasScores
	hasAfter
)

// add records a chain, of which it keeps nothing.
func (r *recorded) add(c *Chain) {
	r.opened = append(r.opened, c.Opened.UnixMicro())
	var room [512]byte // enough for most
	r.addRest(c.appendSized(room[:0]))
}

// addRest adds what [Chain.appendSized] wrote of one chain or several.
func (r *recorded) addRest(of []byte) {
	last := len(r.rest) - 1
	if last < 0 || cap(r.rest[last])-len(r.rest[last]) < len(of) {
		r.rest = append(r.rest, make([]byte, 0, max(len(of), min(recordedBlock, 256<<min(len(r.rest), 16)))))
		last++
	}
	r.rest[last] = append(r.rest[last], of...)
}

// appendSized appends how many bytes append writes, and these.
func (c *Chain) appendSized(b []byte) []byte {
	var room [512]byte
	all := c.append(room[:0])
	return append(binary.AppendUvarint(b, uint64(len(all))), all...)
}

// append appends all but when the chain opened and what its outage is.
func (c *Chain) append(b []byte) []byte {
	bits := uint64(0)
	for i, is := range [...]bool{c.Won, c.Lost, c.Blind, c.At != nil, len(c.Scores) > 0 || c.Bar != 0, c.After != 0} {
		if is {
			bits |= 1 << i
		}
	}
	b = append(b, byte(bits))
	b = binary.AppendUvarint(b, uint64(c.Retries))
	b = binary.AppendUvarint(b, uint64(c.Cap+1))
	for i := range c.Cost {
		b = c.Cost[i].append(b)
	}
	for _, v := range c.At {
		b = appendReal(b, v, 1e6)
	}
	if bits&hasScores != 0 {
		b = binary.AppendUvarint(b, uint64(len(c.Scores)))
		for _, v := range c.Scores {
			b = appendReal(b, v, 1)
		}
		b = appendReal(b, c.Bar, 1)
	}
	if bits&hasAfter != 0 {
		b = appendReal(b, c.After, 1000)
	}
	return b
}

func (p *Price) append(b []byte) []byte {
	known := byte(0)
	if p.Known {
		known = 1
	}
	b = append(b, known)
	b = appendReal(b, p.Seconds, 1000)
	b = appendReal(b, p.Waited, 1000)
	b = appendReal(b, p.Tokens, 1)
	return appendReal(b, p.USD, 1e6)
}

// appendReal appends v as a whole number of parts where it is one, as figures in
// milliseconds or millionths are, else as it is.
func appendReal(b []byte, v, parts float64) []byte {
	if n := math.Round(v * parts); n >= 0 && n < 1<<52 && n/parts == v && !math.Signbit(v) {
		return binary.AppendUvarint(b, uint64(n)<<1)
	}
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, 1), math.Float64bits(v))
}

// A bench is the memory that chains are laid out on, again and again.
type bench struct {
	chains     []Chain
	order      []int   // of chains that did not come by time
	inOrder    []Chain // these
	prices     []Price
	at, scores []float64
}

// chains lays the chains out in the order in which their incidents opened, and
// of those that opened together by what they hold. They are good until the bench
// is used again.
func (r *recorded) chains(on *bench) []Chain { return r.layOut(on, (*recall).chain) }

// outlines is chains without what the retries cost and when they came; those with
// scores, or that were asked to wait, are whole.
func (r *recorded) outlines(on *bench) []Chain {
	return r.layOut(on, func(read *recall, c *Chain, on *bench) {
		start := read.i
		if read.outline(c)&(hasScores|hasAfter) != 0 {
			read.i = start
			read.chain(c, on)
		}
	})
}

// count counts the chains as [counted.add] does, without laying them out.
func (r *recorded) count(of *counted) {
	var c Chain
	for _, block := range r.rest {
		for read := (recall{b: block}); read.i < len(block); {
			end := int(read.whole())
			end += read.i
			bits := read.outline(&c)
			of.add(&c)
			of.scored = of.scored || bits&hasScores != 0
			of.asked = of.asked || bits&hasAfter != 0
			read.i = end
		}
	}
}

func (r *recorded) layOut(on *bench, into func(*recall, *Chain, *bench)) []Chain {
	on.chains = slices.Grow(on.chains[:0], len(r.opened))[:len(r.opened)]
	on.prices, on.at, on.scores = slices.Grow(on.prices[:0], len(r.opened)), on.at[:0], on.scores[:0]
	next, rising := 0, true
	var read recall
	for _, block := range r.rest {
		for read = (recall{b: block}); read.i < len(block); next++ {
			on.chains[next] = Chain{Opened: time.UnixMicro(r.opened[next]).UTC()}
			rising = rising && (next == 0 || r.opened[next-1] < r.opened[next])
			end := int(read.whole())
			end += read.i
			into(&read, &on.chains[next], on)
			read.i = end
		}
	}
	if !rising {
		return on.sorted()
	}
	return on.chains
}

// sorted returns the chains in their order; what is moved is their numbers.
func (on *bench) sorted() []Chain {
	on.order, on.inOrder = on.order[:0], on.inOrder[:0]
	for i := range on.chains {
		on.order = append(on.order, i)
	}
	slices.SortFunc(on.order, func(i, j int) int { return compareChains(on.chains[i], on.chains[j]) })
	for _, i := range on.order {
		on.inOrder = append(on.inOrder, on.chains[i])
	}
	return on.inOrder
}

// compareChains orders chains by when they opened. Names are not kept: of chains
// that opened together any order will do that is always the same.
func compareChains(a, b Chain) int {
	if d := a.Opened.Compare(b.Opened); d != 0 {
		return d
	}
	var x, y [512]byte
	return slices.Compare(a.append(x[:0]), b.append(y[:0]))
}

// A recall reads what append wrote.
type recall struct {
	b []byte
	i int // of the next byte
}

func (r *recall) outline(c *Chain) (bits byte) {
	bits = r.byte()
	c.Won, c.Lost, c.Blind = bits&isWon != 0, bits&isLost != 0, bits&isBlind != 0
	c.Retries, c.Cap = int(r.whole()), int(r.whole())-1
	return bits
}

func (r *recall) chain(c *Chain, on *bench) {
	bits := r.outline(c)
	start := len(on.prices)
	for range c.Retries {
		on.prices = append(on.prices, r.price())
	}
	c.Cost = on.prices[start:len(on.prices):len(on.prices)]
	if bits&hasTimes != 0 {
		c.At, on.at = r.reals(c.Retries, 1e6, on.at)
	}
	if bits&hasScores != 0 {
		c.Scores, on.scores = r.reals(int(r.whole()), 1, on.scores)
		c.Bar = r.real(1)
	}
	if bits&hasAfter != 0 {
		c.After = r.real(1000)
	}
}

// price reads what Price.append wrote. Mostly all of its numbers are short ones,
// which are read without looking at each byte.
func (r *recall) price() Price {
	const room = 1 + 4*8 // the most that short numbers may be read from
	if b := r.b[r.i:]; len(b) >= room {
		at := 1
		seconds, n := short(b[at:])
		at += n
		waited, m := short(b[at:])
		at += m
		tokens, k := short(b[at:])
		at += k
		usd, l := short(b[at:])
		if n > 0 && m > 0 && k > 0 && l > 0 && (seconds|waited|tokens|usd)&1 == 0 {
			r.i += at + l
			return Price{Known: b[0] != 0, Seconds: float64(seconds>>1) / 1000, Waited: float64(waited>>1) / 1000, Tokens: float64(tokens >> 1), USD: float64(usd>>1) / 1e6}
		}
	}
	return Price{Known: r.byte() != 0, Seconds: r.real(1000), Waited: r.real(1000), Tokens: r.real(1), USD: r.real(1e6)}
}

// reals reads n numbers onto the end of on.
func (r *recall) reals(n int, parts float64, on []float64) (of, rest []float64) {
	start := len(on)
	for range n {
		on = append(on, r.real(parts))
	}
	return on[start:len(on):len(on)], on
}

func (r *recall) byte() byte {
	b := r.b[r.i]
	r.i++
	return b
}

// short reads what binary.AppendUvarint wrote in at most 8 bytes, and how many
// these are; 0 where they are more. They are read in one piece, without a branch
// a byte, and so are those of b behind them.
func short(b []byte) (v uint64, n int) {
	w := binary.LittleEndian.Uint64(b)
	last := ^w & 0x80808080_80808080 // the first bit of a number's last byte is 0
	if last == 0 {
		return 0, 0
	}
	w &= last ^ (last - 1) // up to that byte
	w = w&0x007f007f_007f007f | w&0x7f007f00_7f007f00>>1
	w = w&0x00003fff_00003fff | w&0x3fff0000_3fff0000>>2
	return w&0x0fffffff | w>>32<<28, bits.TrailingZeros64(last)/8 + 1
}

// whole reads what binary.AppendUvarint wrote.
func (r *recall) whole() uint64 {
	if r.i+8 <= len(r.b) {
		if v, n := short(r.b[r.i:]); n > 0 {
			r.i += n
			return v
		}
	}
	v, n := binary.Uvarint(r.b[r.i:])
	r.i += n
	return v
}

func (r *recall) real(parts float64) float64 {
	v := r.whole()
	if v&1 == 0 {
		return float64(v>>1) / parts
	}
	bits := binary.LittleEndian.Uint64(r.b[r.i:])
	r.i += 8
	return math.Float64frombits(bits)
}
