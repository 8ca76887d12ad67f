package classify

import (
	"math"
	"strconv"
)

// A learner makes a [vocabulary] from texts whose category is known.
type learner struct {
	texts []labelled
	seen  map[uint64]int // word or pair: texts that hold it
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
	// pace is the first step of each weight. AdaGrad (Duchi 2011) makes it
	// smaller with every step that the weight has made.
	pace = 1
)

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

// learn returns what the texts teach; the same texts teach the same.
func (l *learner) learn() *vocabulary {
	v := &vocabulary{}
	var hashes []uint64
	numbered := map[uint64]bool{}
	for _, t := range l.texts {
		eachWord(t.text, func(h uint64) {
			if numbered[h] || l.seen[h] < leastTexts {
				return
			}
			numbered[h] = true
			hashes = append(hashes, h)
			v.rarity = append(v.rarity, float32(1+math.Log(float64(len(l.texts)+1)/float64(l.seen[h]+1))))
		})
	}
	v.words = newWordNumbers(hashes)
	for n := 100; n < len(v.numbers); n++ {
		eachWord(strconv.AppendInt(nil, int64(n), 10), func(h uint64) { v.numbers[n] = v.words.numbers[v.words.place(h)] > 0 })
	}
	v.weights = make([]scores, len(v.rarity))
	squares := make([]scores, len(v.rarity)+1) // of the steps so far; the last is that of the base
	read := make([][]known, len(l.texts))
	for i, t := range l.texts {
		read[i] = v.read(t.text, nil)
	}
	const stride = 7919 // a prime: neighbours are of one category, so they are taken far apart
	for range epochs {
		for i := range read {
			at := (i * stride) % len(read)
			v.step(read[at], l.texts[at].category, squares)
		}
	}
	return v
}

// step moves the weights towards saying that a text of words is of category.
func (v *vocabulary) step(words []known, category int, squares []scores) {
	const known = 0.005 // what is missed by less is known well enough
	miss := v.probabilities(words)
	miss[category]--
	for class := range Categories {
		if m := miss[class]; m > known || m < -known {
			for _, k := range words {
				move(&v.weights[k.word][class], &squares[k.word][class], m*k.part)
			}
			move(&v.base[class], &squares[len(squares)-1][class], m)
		}
	}
}

// move makes one step of AdaGrad against gradient.
func move(weight, squares *float32, gradient float32) {
	const notZero = 1e-8
	*squares += gradient * gradient
	*weight -= pace * gradient / float32(math.Sqrt(float64(*squares+notZero)))
}
