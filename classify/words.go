package classify

import (
	"embed"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// WordsRule is the Rule of a tag that no rule gave but the words of the text.
const WordsRule = "words"

// A vocabulary knows which words the messages of each category use, and judges
// by them a text about which the rules say little or do not agree: logistic
// regression (Cox 1958) over words and pairs of neighbouring words, each with
// the weight of its rarity (Spärck Jones 1972). It learns from the examples of
// the built-in rules and from the files of folder samples: messages as programs
// and services word them, a line each.
type vocabulary struct {
	words   wordNumbers
	rarity  []float32  // word: what it counts
	weights []scores   // word: what it says for each category
	base    scores     // what is said for each category without a word
	numbers [1000]bool // of three digits that are such words
}

// wordNumbers numbers words and pairs by their hash: open addressing, half empty.
type wordNumbers struct {
	shift   uint8
	hashes  []uint64
	numbers []int32 // 0 for a free place, else the number and 1
}

// newWordNumbers numbers hashes, of which there are not two alike, in their order.
func newWordNumbers(hashes []uint64) wordNumbers {
	size := bits.Len(uint(2*len(hashes) + 1))
	t := wordNumbers{uint8(64 - size), make([]uint64, 1<<size), make([]int32, 1<<size)}
	for i, h := range hashes {
		at := t.place(h)
		t.hashes[at], t.numbers[at] = h, int32(i+1)
	}
	return t
}

// place returns where hash is, or the free place that it would have.
func (t *wordNumbers) place(hash uint64) int {
	last := len(t.numbers) - 1
	for at := int(hash * hashFactor >> (t.shift & 63)); ; at++ {
		if at &= last; t.hashes[at] == hash || t.numbers[at] == 0 {
			return at
		}
	}
}

// scores holds a number for each of [Categories], of which there are fewer.
type scores [24]float32

const (
	// sure is the least probability of a category that the words may decide for.
	// Of 0.3 to 0.9, tried on 215 and 314 messages that neither rules nor words had
	// seen, 0.5 gave most right answers.
	sure = 0.5
	// plainSure is the same for a text without a word of failure, which is more
	// often a healthy line, and against a rule of weight [General]; 0.7 to 0.9
	// serve alike. With 0.5 against such a rule, one of nine plain lines put
	// around 1100 messages changed 28 of them, with 0.8 it changed 8.
	plainSure = 0.8
	// leastWords is how many known words and pairs a text needs.
	leastWords = 2
	// wordsText is how much of a text is judged: a message's headline and cause.
	wordsText = 1 << 10
)

//go:embed samples/*.txt
var samplesFS embed.FS

// newVocabulary learns the words of the examples of rules and of the samples.
func newVocabulary(rules []Rule) *vocabulary {
	var l learner
	number := map[Category]int{}
	for i, row := range Categories {
		number[row.Name] = i
		text, err := samplesFS.ReadFile("samples/" + string(row.Name) + ".txt")
		if err != nil {
			continue // a category may do without samples
		}
		for line := range strings.Lines(string(text)) {
			l.add(i, line)
		}
	}
	for i := range rules {
		if !strings.HasPrefix(rules[i].File, builtinFiles) {
			continue // a user's examples are tests of the rule, and too few to learn from
		}
		for _, s := range rules[i].Examples {
			l.add(number[rules[i].Category], s)
		}
	}
	return l.learn()
}

// judge returns the category that the words of text speak for, or false when
// they do not say enough; against says that a rule of weight [General] speaks,
// or that a line is known to be healthy.
func (v *vocabulary) judge(text []byte, against bool) (Category, bool) {
	var buf [128]known
	words := v.read(text, buf[:0])
	if len(words) < leastWords {
		return Unknown, false
	}
	p := v.probabilities(words)
	best := 0
	for i := range Categories {
		if p[i] > p[best] {
			best = i
		}
	}
	return Categories[best].Name, p[best] >= plainSure || p[best] >= sure && !against && failing(text)
}

// A known is a word of the vocabulary that stands in a text, and its part of it.
type known struct {
	word int32
	part float32
}

// read appends the words of text that v knows, each once, to dst. The squares of
// their parts add up to 1.
func (v *vocabulary) read(text []byte, dst []known) []known {
	if len(text) > wordsText {
		text = append(append([]byte(nil), text[:wordsText/2]...), text[len(text)-wordsText/2:]...)
	}
	var buf [256]int32
	numbers := buf[:0]
	eachWord(text, func(h uint64) {
		if n := v.words.numbers[v.words.place(h)]; n > 0 {
			numbers = append(numbers, n-1)
		}
	})
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		dst = append(dst, known{n, v.rarity[n]})
	}
	var sum float64
	for _, k := range dst {
		sum += float64(k.part) * float64(k.part)
	}
	for i := range dst {
		dst[i].part /= float32(math.Sqrt(sum))
	}
	return dst
}

// probabilities returns that of each category for a text of words.
func (v *vocabulary) probabilities(words []known) scores {
	p := v.base
	for _, k := range words {
		for i, w := range &v.weights[k.word] {
			p[i] += w * k.part
		}
	}
	most := slices.Max(p[:len(Categories)])
	var sum float32
	for i := range Categories {
		const negligible = -12 // a millionth, not worth the time of an Exp
		if p[i] -= most; p[i] < negligible {
			p[i] = 0
			continue
		}
		p[i] = float32(math.Exp(float64(p[i])))
		sum += p[i]
	}
	for i := range Categories {
		p[i] /= sum
	}
	return p
}

// failures are the words of which a text of failure has at least one.
var failures = []string{"error", "fail", "exception", "could not", "couldn't", "cannot", "can't", "unable", "invalid", "exceed", "refused",
	"denied", "reject", "missing", "expired", "exhaust", "not ", "no ", "too ", "wrong", "bad ", "abort", "stopp", "unexpected", "lost",
	"limit", "block", "エラー", "失敗", "でき", "ません", "不足", "超", "異常", "上限", "切れ", "错", "失败", "无", "不", "未", "异常", "超出", "没有"}

func failing(text []byte) bool {
	for i, b := range text {
	next:
		for _, f := range failuresBy[lower[b]] {
			if len(f) > len(text)-i {
				continue
			}
			for k := range len(f) {
				if lower[text[i+k]] != f[k] || text[i+k] == '\n' {
					continue next
				}
			}
			return true
		}
	}
	return false
}

// failuresBy holds the failures by their first byte.
var failuresBy = func() (t [256][]string) {
	for _, f := range failures {
		t[f[0]] = append(t[f[0]], f)
	}
	return t
}()

// anyNumber stands for all numbers but those of three digits, which may be a
// status.
var anyNumber = []byte("#")

// eachWord calls f with the hash of each word of text, in its plain form, and
// of each pair of neighbours. A word is a run of ASCII letters without its
// ending, a number or an identifier, or two neighbouring characters of a script
// without spaces.
func eachWord(text []byte, f func(uint64)) {
	w := wordReader{f: f}
	for at := 0; at < len(text); {
		from, to, id := nextIdentifier(text, at)
		w.read(text[at:from])
		if id != noIdentity {
			w.word(anyNumber)
		}
		at = to
	}
}

// A wordReader calls f for words and pairs.
type wordReader struct {
	f    func(uint64)
	last uint64 // the word before
}

func (r *wordReader) word(w []byte) {
	h := uint64(14695981039346656037) // FNV-1a, as words are short
	for _, b := range w {
		h = (h ^ uint64(lower[b])) * 1099511628211
	}
	r.f(h)
	if r.last != 0 {
		r.f((r.last ^ h>>7) * 1099511628211)
	}
	r.last = h
}

// read takes the words of text, in which there are no identifiers.
func (r *wordReader) read(text []byte) {
	for i := 0; i < len(text); {
		j := i
		switch b := lower[text[i]]; {
		case b >= 'a' && b <= 'z':
			for j < len(text) && (lower[text[j]] >= 'a' && lower[text[j]] <= 'z' || text[j] == '\'' && j > i) {
				j++
			}
			if j-i > 1 {
				r.word(stem(text[i:j]))
			}
		case digit(b):
			for j < len(text) && digit(text[j]) {
				j++
			}
			if j-i == 3 && !named(text[:i]) {
				r.word(text[i:j])
			} else {
				r.word(anyNumber)
			}
		case b >= utf8.RuneSelf:
			_, n := utf8.DecodeRune(text[i:])
			if j = i + n; j < len(text) && text[j] >= utf8.RuneSelf {
				_, n = utf8.DecodeRune(text[j:])
				r.word(text[i : j+n])
			}
		default:
			j++
		}
		i = j
	}
}

// named says whether what follows text is a part of a name such as E-404: no
// status, and another one in the next message of the same kind.
func named(text []byte) bool {
	n := len(text)
	return n > 0 && (word[text[n-1]] || text[n-1] == '-' && n > 1 && word[text[n-2]])
}

// stem returns w without the ending of a plural or of a verb's form.
func stem(w []byte) []byte {
	const shortest = 5 // shorter words have none, or are told apart by it
	if len(w) < shortest {
		return w
	}
	ending := 0
	switch before := lower[w[len(w)-2]]; lower[w[len(w)-1]] {
	case 'g':
		if before == 'n' && lower[w[len(w)-3]] == 'i' {
			ending = len("ing")
		}
	case 'd':
		if before == 'e' {
			ending = len("ed")
		}
	case 'y':
		if before == 'l' {
			ending = len("ly")
		}
	case 's':
		ending = len("s")
		if before == 'e' {
			ending = len("es")
		}
	}
	return w[:len(w)-ending]
}
