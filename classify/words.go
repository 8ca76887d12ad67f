package classify

import (
	"bytes"
	_ "embed" // for lessons.bin
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"
)

// WordsRule is the Rule of a tag that no rule gave but the words of the text.
const WordsRule = "words"

// A vocabulary knows which words the messages of each category use, and judges
// by them a text about which the rules say little or do not agree: logistic
// regression (Cox 1958) over words and pairs of neighbouring words, each with
// the weight of its rarity (Spärck Jones 1972). What it knows was learned from the
// built-in rules and samples, see learn.go.
type vocabulary struct {
	words   wordNumbers
	known   []lesson
	base    scores     // what is said for each category without a word
	numbers [1000]bool // of three digits that are such words
}

// A lesson is what a word counts, and what it says for each of [Categories]: in its
// says are numbers of 16 bits that count units.
type lesson struct {
	rarity float32
	says   string
}

const (
	// perUnit is how many units make 1. Weights are from -16 to 9, and the sums of
	// them that decide are rounded by less than a hundredth.
	perUnit  = 1024
	unitSize = 2 // bytes
)

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
	// sure is the least probability of a category that the words may decide for, and
	// leastShare the least part of a text's words that must be known for it. These and
	// the next two were chosen on 745 messages and 749 healthy excerpts of manuals,
	// settings and outputs that neither rules nor words had seen: against 0.5, 0.8 and
	// no wish to the others, 155 more of the excerpts stay unknown (653 of 749), and 4
	// of 666 failures are lost.
	sure       = 0.7
	leastShare = 0.3
	// plainSure is the same for a text without a word of failure, which is more
	// often a healthy line, and against a rule of weight [General]. With 0.5 against
	// such a rule, one of nine plain lines put around 1100 messages changed 28 of
	// them, with 0.8 it changed 8.
	plainSure = 0.9
	// healthySure is the least probability of [Unknown] against a [Hint], againstSure
	// that against a rule of weight [General], whose words name a failure, and hintSure that of a rule's category for
	// a [Hint] to stand: a word such as "function" beside "not" stands in most manuals.
	healthySure = 0.5
	againstSure = 0.8
	hintSure    = 0.3
	// overruleSure and overruleShare are the same against a rule of weight [Cause].
	overruleSure  = 0.95
	overruleShare = 0.5
	// leastWords is how many known words and pairs a text needs.
	leastWords = 2
	// wordsText is how much of a text is judged: a message's headline and cause.
	wordsText = 1 << 10
)

// lessons holds the base of each category, and the word, rarity and says of each
// lesson, little end first.
//
//go:embed lessons.bin
var lessons string

// builtinVocabulary returns the vocabulary of lessons.
var builtinVocabulary = sync.OnceValue(func() *vocabulary {
	v, ok := newVocabulary(lessons)
	if !ok {
		panic("classify: lessons.bin is not of these categories: go generate ./classify")
	}
	return v
})

// newVocabulary returns the vocabulary of lessons, or false if their number of
// categories is another one.
func newVocabulary(lessons string) (*vocabulary, bool) {
	const number, hash = 4, 8
	base, says := number*len(Categories), unitSize*len(Categories)
	if len(lessons) < base || (len(lessons)-base)%(hash+number+says) != 0 {
		return nil, false
	}
	take := func() float32 {
		f := math.Float32frombits(uint32(loadTail(lessons[:number], 0)))
		lessons = lessons[number:]
		return f
	}
	v := &vocabulary{}
	for i := range Categories {
		v.base[i] = take()
	}
	var hashes []uint64
	for len(lessons) > 0 {
		hashes = append(hashes, loadString(lessons))
		lessons = lessons[hash:]
		v.known = append(v.known, lesson{take(), ""})
		v.known[len(v.known)-1].says, lessons = lessons[:says], lessons[says:]
	}
	v.words = newWordNumbers(hashes)
	for n := range v.numbers {
		eachWord(strconv.AppendInt(nil, int64(len(v.numbers)+n), 10)[1:], func(h uint64) { v.numbers[n] = v.words.numbers[v.words.place(h)] > 0 })
	}
	return v, true
}

// An opinion is what the words of a text say of its category.
type opinion struct {
	category    Category
	probability float32
	share       float32 // of the words that are known
	each        scores
}

// judge returns what the words of text say, or false if too few of them are known.
func (v *vocabulary) judge(text []byte) (opinion, bool) {
	var buf [128]known
	words, share := v.read(text, buf[:0])
	if len(words) < leastWords {
		return opinion{}, false
	}
	o := opinion{share: share, each: v.probabilities(words)}
	best := 0
	for i := range Categories {
		if o.each[i] > o.each[best] {
			best = i
		}
	}
	o.category, o.probability = Categories[best].Name, o.each[best]
	return o, true
}

// decides says whether o is clear enough to name a failure; plain says that the
// text has no word of failure, or that a rule of weight [General] says otherwise.
func (o *opinion) decides(plain bool) bool {
	return o.category != Unknown && o.share >= leastShare && (o.probability >= plainSure || o.probability >= sure && !plain)
}

// overrules says whether o is so clear that a rule of weight [Cause] errs: its words
// stand in a text whose other words are of another kind. That nothing failed is not said
// against a cause.
func (o *opinion) overrules() bool {
	return o.category != Unknown && o.probability >= overruleSure && o.share >= overruleShare
}

// doubts says whether o is against what a rule of weight w, which is [General] or
// less, says of a failure of category.
func (o *opinion) doubts(category Category, w Weight) bool {
	if o.category == Unknown && (o.probability >= againstSure || w == Hint && o.probability >= healthySure) {
		return true
	}
	for i := range Categories {
		if Categories[i].Name == category {
			return w == Hint && o.each[i] < hintSure
		}
	}
	return false
}

// byProgram says whether text begins as programs report a failure, "grep: " or
// "Error: ": then it is one, however little its words say.
func byProgram(text []byte) bool {
	n := 0
	for n < len(text) && (word[text[n]] || text[n] == '-' || text[n] == '.') {
		n++
	}
	if n == 0 || !bytes.HasPrefix(bytes.TrimPrefix(text[n:], []byte(" ")), []byte(": ")) {
		return false
	}
	return text[0] >= 'a' && text[0] <= 'z' || bytes.EqualFold(text[:n], []byte("error"))
}

// A known is a word of the vocabulary that stands in a text, and its part of it.
type known struct {
	word int32
	part float32
}

// read appends the words of text that v knows, each once, to dst, and returns them
// with their share of all. The squares of their parts add up to 1.
func (v *vocabulary) read(text []byte, dst []known) ([]known, float32) {
	if len(text) > wordsText {
		text = append(append([]byte(nil), text[:wordsText/2]...), text[len(text)-wordsText/2:]...)
	}
	var buf [256]int32
	numbers, all := buf[:0], 0
	eachWord(text, func(h uint64) {
		all++
		if n := v.words.numbers[v.words.place(h)]; n > 0 {
			numbers = append(numbers, n-1)
		}
	})
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		dst = append(dst, known{n, v.known[n].rarity})
	}
	share := float32(len(dst)) / float32(max(1, all))
	var sum float64
	for _, k := range dst {
		sum += float64(k.part) * float64(k.part)
	}
	for i := range dst {
		dst[i].part /= float32(math.Sqrt(sum))
	}
	return dst, share
}

// probabilities returns that of each category for a text of words.
func (v *vocabulary) probabilities(words []known) scores {
	p := v.base
	for _, k := range words {
		says, part := v.known[k.word].says, k.part/perUnit
		for i := range len(says) / unitSize {
			p[i] += float32(int16(says[2*i])|int16(says[2*i+1])<<8) * part
		}
	}
	p.normalize()
	return p
}

// normalize makes probabilities of the logarithms that p holds.
func (p *scores) normalize() {
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
}

// failures are the words of which a text of failure has at least one.
var failures = []string{"error", "fail", "exception", "could not", "couldn't", "cannot", "can't", "unable", "invalid", "exceed", "refused",
	"denied", "reject", "missing", "expired", "exhaust", "not ", "no ", "too ", "wrong", "bad ", "abort", "stopp", "unexpected", "lost",
	"limit", "block", "エラー", "失敗", "でき", "ません", "不足", "超", "異常", "上限", "切れ", "错", "失败", "无", "不", "未", "异常", "超出", "没有",
	"fehler", "fehlgeschlagen", "nicht ", "kein", "ungültig", "erreur", "échec", "échoué", "impossible", "introuvable", "invalide", "aucun", "n'est pas",
	"erro", "falha", "falló", "fallo", "no se ", "não ", "inválid", "ошибк", "не ", "нет ", "неверн", "недопуст", "오류", "에러", "실패", "없", "않", "못"}

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
