package ingest

import (
	"slices"
	"strconv"
	"strings"
)

// An issuer is a range of the first digits of payment cards (ISO/IEC 7812-1,
// the ranges as the networks publish them), and how many digits their numbers have.
type issuer struct {
	first, last int // compared with as many digits as they have
	lengths     []int
}

var (
	visaLengths = []int{13, 16, 19}
	longLengths = []int{16, 17, 18, 19}
)

var issuers = []issuer{
	{4, 4, visaLengths},
	{51, 55, []int{16}}, {2221, 2720, []int{16}}, // Mastercard
	{34, 34, []int{15}}, {37, 37, []int{15}}, // American Express
	{300, 305, []int{14}}, {36, 36, []int{14}}, {38, 38, []int{14}}, // Diners Club
	{6011, 6011, longLengths}, {64, 65, longLengths}, // Discover
	{3528, 3589, longLengths}, // JCB
	{62, 62, longLengths},     // UnionPay
}

// leastDigits is the length of the shortest card number in use.
const leastDigits = 13

// cardGroups are how numbers are printed on cards, the longer first; they also
// stand without gaps.
var cardGroups = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}}

// cardsIn finds the numbers of cards in groups of digits that are parted by a
// space or a dash each; an escape of JSON may stand before them.
func cardsIn(run string) (cards [][2]int) {
	at := 0
	if run[0] == '\\' {
		at = len(`\n`)
	}
	var groups []string
	for rest := run[at:]; ; {
		n := strings.IndexAny(rest, " -")
		if n < 0 {
			groups = append(groups, rest)
			break
		}
		groups = append(groups, rest[:n])
		rest = rest[n+1:]
	}
	for len(groups) > 0 {
		n, size := 1, len(groups[0])
		if length := cardAt(run[at:], groups); length > 0 {
			cards = append(cards, [2]int{at, at + length})
			for size < length {
				size += 1 + len(groups[n])
				n++
			}
		}
		groups, at = groups[n:], at+size+1
	}
	return cards
}

// cardAt returns the length of the card number that the run of groups begins
// with; zero if it begins with none.
func cardAt(run string, groups []string) int {
	if isCard(groups[0]) {
		return len(groups[0])
	}
	for _, sizes := range cardGroups {
		if len(groups) < len(sizes) {
			continue
		}
		fits, length := true, len(sizes)-1
		for i, size := range sizes {
			fits = fits && len(groups[i]) == size
			length += size
		}
		if !fits {
			continue
		}
		number := run[:length]
		if strings.Contains(number, " ") && strings.Contains(number, "-") {
			continue
		}
		if isCard(strings.Join(groups[:len(sizes)], "")) {
			return length
		}
	}
	return 0
}

// isCard reports whether digits are the number of a card: of an issuer, with
// its length and the check digit.
func isCard(digits string) bool {
	if len(digits) < leastDigits {
		return false
	}
	for _, is := range issuers {
		prefix, err := strconv.Atoi(digits[:len(strconv.Itoa(is.first))])
		if err == nil && is.first <= prefix && prefix <= is.last && slices.Contains(is.lengths, len(digits)) {
			return luhn(digits)
		}
	}
	return false
}

// luhn reports whether digits end with the check digit of ISO/IEC 7812-1, annex B.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}
