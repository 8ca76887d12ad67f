package classify

import (
	"cmp"
	"embed"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// What the words of a text say is learned from the examples of the built-in rules
// and from the files of folder samples: messages as programs and services word
// them, a line each. Learning takes a while, so it is done when either changes.
//
//go:generate go test -tags duckdb_arrow -run ^TestLessons$ . -update

//go:embed samples/*.txt
var samplesFS embed.FS

// A learner makes lessons from texts whose category is known.
type learner struct {
	texts  []labelled
	seen   map[uint64]int // word or pair: texts that hold it
	hashes []uint64       // of the words that are learned
	vocabulary
	weights []scores // word: what it says for each category
	squares []scores // of the steps of weights so far; the last is that of the base
}

// A labelled is a text and the number of its category in [Categories].
type labelled struct {
	category int
	text     []byte
}

const (
	// leastTexts is how many texts must hold a word for it to be learned: what
	// stands in one alone says nothing about others.
	leastTexts = 2
	// epochs is how often the learner goes through all texts.
	epochs = 8
	// decay is how much of a weight each step takes back (Hoerl 1962), so that few
	// words say little. Of 7423 samples, each tenth left out in turn, 12 more healthy
	// lines stay unknown of 1062 with it and 9 more failures are not named of 6361;
	// with twice as much, 15 more of these. Of 1684 other lines 9 changed in ten trials
	// that each left out 7 % of the texts, without it 27.
	decay = 0.001
	// pace is the first step of each weight. AdaGrad (Duchi 2011) makes it
	// smaller with every step that the weight has made.
	pace = 1
)

// builtinLearner has taken rules' examples and the samples.
func builtinLearner(rules []Rule) *learner {
	l := &learner{}
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
		for _, s := range rules[i].Examples {
			l.add(number[rules[i].Category], s)
		}
	}
	return l
}

// add takes a text of category.
func (l *learner) add(category int, text string) {
	if l.seen == nil {
		l.seen = map[uint64]int{}
	}
	t := labelled{category, fold(nil, text)}
	if len(t.text) == 0 {
		return
	}
	l.texts = append(l.texts, t)
	once := map[uint64]bool{}
	eachWord(t.text, func(h uint64) {
		if !once[h] {
			once[h] = true
			l.seen[h]++
		}
	})
}

// learn returns what the texts teach, in the form of [lessons]. The same texts teach
// the same on every machine, as far as its [math.Exp] is the same: products are
// rounded before they are added.
func (l *learner) learn() []byte {
	numbered := map[uint64]bool{}
	for _, t := range l.texts {
		eachWord(t.text, func(h uint64) {
			if numbered[h] || l.seen[h] < leastTexts {
				return
			}
			numbered[h] = true
			l.hashes = append(l.hashes, h)
			rarity := float32(1 + math.Log(float64(len(l.texts)+1)/float64(l.seen[h]+1)))
			l.known = append(l.known, lesson{rarity: rarity})
		})
	}
	l.words = newWordNumbers(l.hashes)
	l.weights = make([]scores, len(l.hashes))
	l.squares = make([]scores, len(l.hashes)+1)
	read := make([][]known, len(l.texts))
	for i, t := range l.texts {
		read[i], _ = l.read(t.text, nil)
	}
	order := l.order()
	for range epochs {
		for _, at := range order {
			l.step(read[at], l.texts[at].category)
		}
	}
	return l.lessons()
}

// order returns the texts in the order of their hashes: those of one category stand
// far apart, and one text more or less leaves the order of the others as it was.
func (l *learner) order() []int {
	hashes, order := make([]uint64, len(l.texts)), make([]int, len(l.texts))
	for i, t := range l.texts {
		h := fnv.New64a()
		h.Write(t.text)
		hashes[i], order[i] = h.Sum64(), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(hashes[a], hashes[b]) })
	return order
}

// step moves the weights towards saying that a text of words is of category.
func (l *learner) step(words []known, category int) {
	miss := l.base
	for _, k := range words {
		for i, w := range &l.weights[k.word] {
			miss[i] += float32(w * k.part)
		}
	}
	miss.normalize()
	miss[category]--
	const known = 0.005 // what is missed by less is known well enough
	for class := range Categories {
		if m := miss[class]; m > known || m < -known {
			for _, k := range words {
				w := &l.weights[k.word][class]
				move(w, &l.squares[k.word][class], float32(m*k.part)+float32(decay**w))
			}
			move(&l.base[class], &l.squares[len(l.squares)-1][class], m)
		}
	}
}

// move makes one step of AdaGrad against gradient.
func move(weight, squares *float32, gradient float32) {
	const notZero = 1e-8
	*squares += float32(gradient * gradient)
	*weight -= pace * gradient / float32(math.Sqrt(float64(*squares+notZero)))
}

// lessons returns what was learned in the form of [lessons].
func (l *learner) lessons() (b []byte) {
	put := func(f float32) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f)) }
	for i := range Categories {
		put(l.base[i])
	}
	for n, weights := range l.weights {
		b = binary.LittleEndian.AppendUint64(b, l.hashes[n])
		put(l.known[n].rarity)
		for i := range Categories {
			units := math.RoundToEven(float64(weights[i] * perUnit))
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(max(math.MinInt16, min(math.MaxInt16, units)))))
		}
	}
	return b
}
