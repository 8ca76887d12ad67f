package classify

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowFind finds phrases as their syntax says, each at each place: what a
// finder is measured by.
func slowFind(phrases []phrase, text []byte) (hits []hit) {
	low := make([]byte, len(text))
	for i, b := range text {
		low[i] = lower[b]
	}
	for i := range phrases {
		p := &phrases[i]
		in, lit := low, p.segs[p.anchorSeg].lit
		if p.exact {
			in = text
		}
		for at := range text {
			inWord := at > 0 && word[text[at]] && word[text[at-1]]
			if !bytes.HasPrefix(in[at:], lit) || inWord && !p.startsInside() {
				continue
			}
			from, to, ok := p.stretch(text, low, at, at+len(lit))
			if !ok || !p.openL && from > 0 && word[text[from]] && word[text[from-1]] ||
				!p.openR && to < len(text) && word[text[to-1]] && !wordEnd(text, to) {
				continue
			}
			hits = append(hits, hit{int32(i), int32(from), int32(to)})
		}
	}
	return hits
}

// checkFind compares what f finds in text with what slowFind finds.
func checkFind(t *testing.T, f *finder, text []byte) {
	t.Helper()
	var s search
	s.set(text)
	f.find(&s)
	got := s.hits
	order := func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.phrase, b.phrase), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	}
	want := slowFind(f.phrases, text)
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %s\nwant %s", text, f.list(got), f.list(want))
	}
}

func (f *finder) list(hits []hit) string {
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%+v at %d-%d, ", f.phrases[h.phrase], h.from, h.to)
	}
	return b.String()
}

// TestFind compares the finder of the built-in rules with slowFind, on real
// messages, on bad input and on pieces of both.
func TestFind(t *testing.T) {
	f := builtinClassifier(t).finder
	var texts [][]byte
	for _, line := range readCorpus(t) {
		texts = append(texts, fold(nil, line.Message))
	}
	for _, text := range badInputs() {
		texts = append(texts, fold(nil, text[:min(len(text), 300)]))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i, text := range texts {
		if i%40 != 0 { // all take half a minute
			continue
		}
		checkFind(t, f, text)
		other := texts[random.IntN(len(texts))]
		cut := text[random.IntN(len(text)+1):]
		checkFind(t, f, slices.Concat(cut, other[:random.IntN(len(other)+1)]))
	}
}

// TestGapBesideLongerWord wants a gap to reach over a longer word that holds
// the end of the phrase, to the word itself.
func TestGapBesideLongerWord(t *testing.T) {
	p, err := parsePhrase("no * problems * at")
	if err != nil {
		t.Fatal(err)
	}
	f := newFinder([]phrase{p})
	for text, want := range map[string]int{
		"no big problems here at all":        1,
		"no piano problems with a data at 3": 1, // pia-no, d-at-a
		"piano problems at 3":                0,
		"no problems with data":              0,
	} {
		var s search
		s.set([]byte(text))
		f.find(&s)
		if len(s.hits) != want {
			t.Errorf("%q: %d hits, want %d", text, len(s.hits), want)
		}
	}
}

// TestFindRandom compares finders of random phrases with slowFind on random
// texts, both of a few letters and signs, so that much is found.
func TestFindRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	write := func(parts []string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	common := []string{"a", "b", "A", "ab", "abc", "aab", "bbbbbbbbb", "_", " ", " ", ":", "[", ".", "é", "接", "続"}
	signs := slices.Concat(common, []string{" * ", " ** ", "*", "#", "##"})
	letters := slices.Concat(common, []string{"1", "0", "23", "\n", ".ab"})
	for range 300 {
		var phrases []phrase
		for len(phrases) < 40 {
			s := write([]string{"", "", "=", "*", "=*"}, 1) + write(signs, 2+random.IntN(5)) + write([]string{"", "", "*"}, 1)
			if p, err := parsePhrase(s); err == nil {
				phrases = append(phrases, p)
			}
		}
		f := newFinder(phrases)
		for range 30 {
			checkFind(t, f, fold(nil, write(letters, random.IntN(60))))
		}
		if t.Failed() {
			return
		}
	}
}
