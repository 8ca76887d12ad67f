package analyze

import (
	"encoding/binary"
	"math"
	"slices"
	"time"
)

// A recorded is the chains of a cell in a fifth of their memory: a year of a
// large fleet has millions, and a tuner looks at those of one cell at a time.
// What comes out is what went in, to the last bit; times are to the microsecond.
type recorded struct {
	opened, rest          [][]byte // blocks: when each chain opened, since the one before; all else
	last                  int64    // microseconds at which the last one opened
	n, prices, at, scores int
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
	micros := c.Opened.UnixMicro()
	r.opened = room(r.opened, binary.MaxVarintLen64)
	tail(r.opened, func(b []byte) []byte { return binary.AppendVarint(b, micros-r.last) })
	r.last = micros
	r.rest = room(r.rest, 64+len(c.Cost)*41+9*(len(c.At)+len(c.Scores)))
	tail(r.rest, func(b []byte) []byte { return c.append(b) })
	r.n++
	r.prices += len(c.Cost)
	r.at += len(c.At)
	r.scores += len(c.Scores)
}

// room makes sure that so many bytes fit behind the last block.
func room(blocks [][]byte, n int) [][]byte {
	if last := len(blocks) - 1; last >= 0 && cap(blocks[last])-len(blocks[last]) >= n {
		return blocks
	}
	return append(blocks, make([]byte, 0, max(n, min(recordedBlock, 256<<min(len(blocks), 16)))))
}

func tail(blocks [][]byte, add func([]byte) []byte) {
	last := &blocks[len(blocks)-1]
	*last = add(*last)
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
	prices     []Price
	at, scores []float64
}

// chains lays the chains out in the order in which their incidents opened, and
// of those that opened together by what they hold. They are good until the bench
// is used again.
func (r *recorded) chains(on *bench) []Chain {
	on.chains = slices.Grow(on.chains[:0], r.n)
	on.prices = slices.Grow(on.prices[:0], r.prices)[:0]
	on.at = slices.Grow(on.at[:0], r.at)[:0]
	on.scores = slices.Grow(on.scores[:0], r.scores)[:0]
	for micros := range r.openings {
		on.chains = append(on.chains, Chain{Opened: time.UnixMicro(micros).UTC()})
	}
	next := 0
	for _, block := range r.rest {
		for read := (recall{b: block}); len(read.b) > 0; next++ {
			read.chain(&on.chains[next], on)
		}
	}
	if !slices.IsSortedFunc(on.chains, compareChains) {
		slices.SortFunc(on.chains, compareChains)
	}
	return on.chains
}

// openings yields the microseconds at which the chains opened, as they came.
func (r *recorded) openings(yield func(int64) bool) {
	micros := int64(0)
	for _, block := range r.opened {
		for len(block) > 0 {
			since, n := binary.Varint(block)
			block = block[n:]
			if micros += since; !yield(micros) {
				return
			}
		}
	}
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
type recall struct{ b []byte }

func (r *recall) chain(c *Chain, on *bench) {
	bits := r.b[0]
	r.b = r.b[1:]
	c.Won, c.Lost, c.Blind = bits&isWon != 0, bits&isLost != 0, bits&isBlind != 0
	c.Retries, c.Cap = int(r.whole()), int(r.whole())-1
	start := len(on.prices)
	for range c.Retries {
		p := Price{Known: r.b[0] != 0}
		r.b = r.b[1:]
		p.Seconds, p.Waited, p.Tokens, p.USD = r.real(1000), r.real(1000), r.real(1), r.real(1e6)
		on.prices = append(on.prices, p)
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

// reals reads n numbers onto the end of on.
func (r *recall) reals(n int, parts float64, on []float64) (of, rest []float64) {
	start := len(on)
	for range n {
		on = append(on, r.real(parts))
	}
	return on[start:len(on):len(on)], on
}

func (r *recall) whole() uint64 {
	v, n := binary.Uvarint(r.b)
	r.b = r.b[n:]
	return v
}

func (r *recall) real(parts float64) float64 {
	v := r.whole()
	if v&1 == 0 {
		return float64(v>>1) / parts
	}
	bits := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return math.Float64frombits(bits)
}
