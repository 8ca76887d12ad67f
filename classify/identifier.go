package classify

// An identity says as what a template shows a word that names one thing of many:
// a request, a commit, a span.
type identity byte

const (
	noIdentity identity = iota
	isHex
	isUUID
	isID
)

// masks holds how a template shows each identity.
var masks = [...]string{isHex: "<hex>", isUUID: "<uuid>", isID: "<id>"}

// identityOf returns the identity of the word w, which counts n.
func identityOf(w []byte, n count) identity {
	digits, hexes, letters := n.digits(), n.hexes(), n.letters()
	switch {
	case errorCode(w, digits):
		return noIdentity
	case len(w) == 36 && w[8] == '-' && w[13] == '-':
		return isUUID
	case len(w) > 2 && w[0] == '0' && w[1]|0x20 == 'x', letters == 0 && hexes > 0 && len(w) >= 6:
		return isHex
	case digits >= 2 && len(w) >= 12 && hexes+letters > 0 && digits*8 >= len(w):
		return isID // req_011CYn6…, org-Xy12…: 12 letters and digits are no word
	case digits >= 1 && len(w) >= leastToken && mixed(w):
		return isID
	}
	return noIdentity
}

// wordAt returns where the word that starts at b[from] ends, and what it counts.
// A '-' between letters or digits is part of it.
func wordAt(b []byte, from int) (to int, n count) {
	for to = from; to < len(b); to++ {
		c := counts[b[to]]
		if c == 0 {
			if b[to] != '-' || to == from || to+1 == len(b) || !word[b[to+1]] {
				break
			}
			c = otherLetter
		}
		n += c
	}
	return to, n
}

// identifierAt returns where the word stands that the digit text[at] is in, and its
// identity. The word does not start before text[start]. One with a letter that is
// not ASCII has none here: a phrase may find its own words there.
func identifierAt(text []byte, start, at int) (from, to int, id identity) {
	from = at
	for from > start && (counts[text[from-1]] != 0 ||
		text[from-1] == '-' && word[text[from]] && from-1 > start && counts[text[from-2]] != 0) {
		from--
	}
	to, n := wordAt(text, from)
	if id = identityOf(text[from:to], n); id != noIdentity && !ascii(text[from:to]) {
		id = noIdentity
	}
	return from, to, id
}

// nextIdentifier returns where the first identifier of text[at:] stands, or twice
// len(text). No word may go on beyond either end of text[at:].
func nextIdentifier(text []byte, at int) (from, to int, id identity) {
	for start := at; at < len(text); at++ {
		if !digit(text[at]) {
			continue
		}
		if from, to, id = identifierAt(text, start, at); id != noIdentity {
			return from, to, id
		}
		at, start = to-1, to
	}
	return len(text), len(text), noIdentity
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// leastToken is the length from which a word of mixed letters is taken for a token.
const leastToken = 16

// mixed says whether in w, as in base64, capitals, small letters and digits follow one
// another: of random ones at 3 places of 5, of the words of a name at 2 of 5.
func mixed(w []byte) bool {
	changes, before := 0, class(w[0])
	for _, b := range w[1:] {
		if c := class(b); c != before {
			changes, before = changes+1, c
		}
	}
	return 2*changes >= len(w)
}

// class returns what b is to mixed.
func class(b byte) int {
	switch {
	case digit(b):
		return 0
	case b >= 'A' && b <= 'Z':
		return 1
	}
	return 2
}
