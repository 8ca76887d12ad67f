package classify

import (
	"embed"
	"math"
	"strings"
	"unicode/utf8"
)

// WordsRule is the Rule of a tag that no rule gave but the words of the text.
const WordsRule = "words"

// A vocabulary knows which words the rules of each category use, and judges by
// them a text that no rule knows, or only by a hint: naive Bayes over words and
// pairs of neighbouring words (Maron 1961). Its text is the phrases and examples
// of the rules, and the files of folder samples: messages as programs and
// services word them, a line each.
type vocabulary struct {
	categories []Category
	words      map[uint64][]wordCount // by the hash of a word or pair
	total      []float64              // category: words and pairs in all its texts
}

// A wordCount says how many texts of a category hold a word.
type wordCount struct {
	category int32
	count    int32
}

const (
	// exampleWorth is how much an example or sample counts against a phrase,
	// which is a part of a message only. Measured: 2 to 5 serve alike.
	exampleWorth = 3
	// smoothing stands for words that a category has not used yet. Measured on
	// messages left out: 0.05 to 0.3 serve alike.
	smoothing = 0.1
	// sure is by how much the logarithm of the best category's likelihood must
	// exceed the next one's. Of 78 messages of failure that no rule decided, each
	// judged without itself among the samples, 5 gave 54 answers, 50 of them
	// right; 3 gave 62 and 53, 8 gave 39 and 38.
	sure = 5
	// plainSure is the same for a text without a word of failure, which is more
	// often a healthy line: of 76, 12 gave 16 answers, 15 of them right; 5 gave 30
	// and 23, most of the others about healthy lines.
	plainSure = 12
	// leastWords is how many known words and pairs a text needs.
	leastWords = 2
	// wordsText is how much of a text is judged: a message's headline and cause.
	wordsText = 1 << 10
)

//go:embed samples/*.txt
var samplesFS embed.FS

// newVocabulary learns the words of rules and of the samples.
func newVocabulary(rules []Rule) *vocabulary {
	v := &vocabulary{words: map[uint64][]wordCount{}, total: make([]float64, len(Categories))}
	number := map[Category]int32{}
	for i, row := range Categories {
		v.categories = append(v.categories, row.Name)
		number[row.Name] = int32(i)
		text, err := samplesFS.ReadFile("samples/" + string(row.Name) + ".txt")
		if err != nil {
			continue // a category may do without samples
		}
		for line := range strings.Lines(string(text)) {
			v.learn(int32(i), line, exampleWorth)
		}
	}
	for i := range rules {
		r := &rules[i]
		if r.Category != Unknown { // its phrases are those of lines, not of messages
			for _, s := range r.Phrases {
				v.learn(number[r.Category], s, 1)
			}
		}
		for _, s := range r.Examples {
			v.learn(number[r.Category], s, exampleWorth)
		}
	}
	return v
}

// learn counts the words of text, each once.
func (v *vocabulary) learn(category int32, text string, worth int32) {
	seen := map[uint64]bool{}
	eachWord(fold(nil, text), func(h uint64) {
		if seen[h] {
			return
		}
		seen[h] = true
		v.total[category] += float64(worth)
		list := v.words[h]
		for i := range list {
			if list[i].category == category {
				list[i].count += worth
				return
			}
		}
		v.words[h] = append(list, wordCount{category, worth})
	})
}

// judge returns the category that the words of text speak for, or false when
// they do not say enough.
func (v *vocabulary) judge(text []byte) (Category, bool) {
	if len(text) > wordsText {
		text = append(append([]byte(nil), text[:wordsText/2]...), text[len(text)-wordsText/2:]...)
	}
	var score [32]float64 // more than there are categories
	known := 0
	seen := map[uint64]bool{}
	eachWord(text, func(h uint64) {
		list := v.words[h]
		if len(list) == 0 || seen[h] {
			return
		}
		seen[h] = true
		known++
		for _, w := range list {
			score[w.category] += math.Log1p(float64(w.count) / smoothing)
		}
	})
	best, next := -1, -1
	for i := range v.categories {
		score[i] -= float64(known) * math.Log(v.total[i]/smoothing+float64(len(v.words)))
		switch {
		case best < 0 || score[i] > score[best]:
			best, next = i, best
		case next < 0 || score[i] > score[next]:
			next = i
		}
	}
	margin := float64(sure)
	if !failing(text) {
		margin = plainSure
	}
	if known < leastWords || score[best]-score[next] < margin {
		return Unknown, false
	}
	return v.categories[best], v.categories[best] != Unknown
}

// failures are the words of which a text of failure has at least one.
var failures = []string{"error", "fail", "exception", "could not", "couldn't", "cannot", "can't", "unable", "invalid", "exceed", "refused",
	"denied", "reject", "missing", "expired", "exhaust", "not ", "no ", "too ", "wrong", "bad ", "abort", "stopp", "unexpected", "lost",
	"limit", "block", "エラー", "失敗", "でき", "ません", "不足", "超", "異常", "上限", "切れ", "错", "失败", "无", "不", "未", "异常", "超出", "没有"}

func failing(text []byte) bool {
	low := strings.ToLower(string(text))
	for _, f := range failures {
		if strings.Contains(low, f) {
			return true
		}
	}
	return false
}

// eachWord calls f with the hash of each word of text, in its plain form, and
// of each pair of neighbours. A word is a run of ASCII letters without its
// ending, a number of three digits, or two neighbouring characters of a script
// without spaces.
func eachWord(text []byte, f func(uint64)) {
	var last uint64
	word := func(w []byte) {
		h := uint64(14695981039346656037) // FNV-1a, as words are short
		for _, b := range w {
			h = (h ^ uint64(lower[b])) * 1099511628211
		}
		f(h)
		if last != 0 {
			f((last ^ h>>7) * 1099511628211)
		}
		last = h
	}
	for i := 0; i < len(text); {
		j := i
		switch b := lower[text[i]]; {
		case b >= 'a' && b <= 'z':
			for j < len(text) && (lower[text[j]] >= 'a' && lower[text[j]] <= 'z' || text[j] == '\'' && j > i) {
				j++
			}
			if j-i > 1 {
				word(stem(text[i:j]))
			}
		case digit(b):
			for j < len(text) && digit(text[j]) {
				j++
			}
			if j-i == 3 {
				word(text[i:j])
			}
		case b >= utf8.RuneSelf:
			_, n := utf8.DecodeRune(text[i:])
			if j = i + n; j < len(text) && text[j] >= utf8.RuneSelf {
				_, n = utf8.DecodeRune(text[j:])
				word(text[i : j+n])
			}
		default:
			j++
		}
		i = j
	}
}

// stem returns w without the ending of a plural or of a verb's form.
func stem(w []byte) []byte {
	const shortest = 5 // shorter words have none, or are told apart by it
	if len(w) < shortest {
		return w
	}
	for _, end := range [...]string{"ing", "ed", "es", "ly", "s"} {
		if n := len(w) - len(end); strings.EqualFold(string(w[n:]), end) {
			return w[:n]
		}
	}
	return w
}
