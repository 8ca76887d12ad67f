package classify

// Texts are folded eight bytes at a time, as if these were one number. See
// Lamport, "Multiple byte processing with full-word instructions", 1975.

// Of a number of eight bytes, the lowest and the highest bit of each.
const (
	lowests  = 0x0101010101010101
	highests = 0x8080808080808080
)

// within marks by its highest bit each byte of x from first to last. The bytes
// of x must be ASCII.
func within(x uint64, first, last byte) uint64 {
	return (x + uint64(0x80-first)*lowests) &^ (x + uint64(0x7f-last)*lowests) & highests
}

// equal marks by its highest bit each byte of x that is b. The bytes of x must be ASCII.
func equal(x uint64, b byte) uint64 { return (highests - (x ^ uint64(b)*lowests)) & highests }

// gather returns the highest bits of the bytes of marks, which has no others, that of
// the lowest byte as its lowest.
func gather(marks uint64) byte { return byte(marks >> 7 * 0x0102040810204080 >> 56) }

// loadString returns the first eight bytes of s as a number, the first as its
// lowest.
func loadString(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// loadTail returns the less than eight bytes of s[i:], with zeros behind them.
func loadTail(s string, i int) (x uint64) {
	if len(s) >= 8 {
		return loadString(s[len(s)-8:]) >> (8 * (i + 8 - len(s)) & 63)
	}
	for k := len(s) - 1; k >= i; k-- {
		x = x<<8 | uint64(s[k])
	}
	return x
}
