package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hansei/analyze"
	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

type rulesSuggestCmd struct {
	Month string `help:"Month to look at, such as 2026-01; without it all that is stored." placeholder:"YYYY-MM"`
	Most  int    `help:"How many groups at most (default ${default})." default:"20" placeholder:"N"`
}

// Run prints the skeletons.
func (c *rulesSuggestCmd) Run(a *app) error {
	return a.ask("unmatched", url.Values{"month": {c.Month}, "most": {strconv.Itoa(c.Most)}, "timezone": {a.Timezone}}, "")
}

// A suggester makes skeletons of rules for what no rule matches.
type suggester struct {
	rules  []classify.Rule // in force
	trial  *classify.Classifier
	drafts []classify.Rule
	silent int // failures without a message to make a rule of
	hard   int // failures that no phrase of their message would tag
	left   int // groups beyond the most that was asked for
}

func answerUnmatched(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span := queries.Always()
	if values.Get("month") != "" {
		var err error
		if span, err = spanOf(values); err != nil {
			return err
		}
	}
	most, err := strconv.Atoi(values.Get("most"))
	if err != nil || most < 1 {
		return usageError{fmt.Errorf("most %q: want a number from 1", values.Get("most"))}
	}
	present := p.rules.now()
	unknowns, err := p.store.Unknowns(ctx, span, present)
	if err != nil {
		return err
	}
	s := &suggester{rules: present.Rules(), trial: present}
	for i := range unknowns.Groups {
		if err := s.add(&unknowns.Groups[i], most); err != nil {
			return err
		}
	}
	var moves map[string]int
	if len(s.drafts) > 0 {
		if moves, err = p.store.Tries(ctx, span, s.trial, s.drafted); err != nil {
			return err
		}
	}
	_, err = w.Write(s.tell(unknowns, moves))
	return err
}

// drafted reports whether a rule is one of the skeletons.
func (s *suggester) drafted(rule string) bool {
	return slices.ContainsFunc(s.drafts, func(r classify.Rule) bool { return r.Name == rule })
}

// moreExamples is how many messages of other templates a skeleton shows.
const moreExamples = 3

// add makes a skeleton of a group, unless an earlier one tags it too. A phrase
// is taken only when the rule would tag every example beside the rules in force.
func (s *suggester) add(g *analyze.Unmatched, most int) error {
	if strings.TrimSpace(strings.Join(g.Examples, "")) == "" {
		s.silent += g.Count
		return nil
	}
	tag := s.trial.Tag(&ingest.Event{Kind: ingest.Failure, Message: g.Examples[0]})
	for i := range s.drafts {
		if r := &s.drafts[i]; r.Name == tag.Rule {
			if len(r.Examples) < len(g.Examples)+moreExamples {
				r.Examples = append(r.Examples, g.Examples[0])
			}
			return nil
		}
	}
	if len(s.drafts) == most {
		s.left++
		return nil
	}
	for _, phrase := range phrasesOf(g.Template) {
		draft := classify.Rule{Name: s.freeName(), Category: draftCategory, Weight: classify.Cause, Phrases: []string{phrase}, Examples: g.Examples}
		trial, err := classify.New(slices.Concat(s.rules, s.drafts, []classify.Rule{draft}))
		if err != nil {
			continue // no phrase of a rule: too short, or with its signs
		}
		if tagsAll(trial, &draft) {
			return s.accept(trial, draft)
		}
	}
	s.hard += g.Count
	return nil
}

// accept takes a draft, and leaves out earlier ones whose messages it tags.
func (s *suggester) accept(trial *classify.Classifier, draft classify.Rule) (err error) {
	kept := len(s.drafts)
	s.drafts = slices.DeleteFunc(s.drafts, func(r classify.Rule) bool {
		if tagsAll(trial, &r) {
			return false
		}
		draft.Examples = append(draft.Examples, r.Examples[0])
		return true
	})
	s.drafts = append(s.drafts, draft)
	s.trial = trial
	if len(s.drafts) <= kept {
		s.trial, err = classify.New(slices.Concat(s.rules, s.drafts))
	}
	return err
}

// draftCategory stands in for the one that the reader will choose: every rule
// needs one, and none changes what a phrase matches.
const draftCategory = classify.Category("validation")

// tagsAll reports whether c tags every example of r by r.
func tagsAll(c *classify.Classifier, r *classify.Rule) bool {
	for _, x := range r.Examples {
		if c.Tag(&ingest.Event{Kind: ingest.Failure, Message: x}).Rule != r.Name {
			return false
		}
	}
	return true
}

// freeName is a name that no rule has: a reader may have kept an earlier one.
func (s *suggester) freeName() string {
	for n := len(s.drafts) + 1; ; n++ {
		name := "unmatched-" + strconv.Itoa(n)
		if !s.drafted(name) && !slices.ContainsFunc(s.rules, func(r classify.Rule) bool { return r.Name == name }) {
			return name
		}
	}
}

// maxDraft bounds a phrase: a longer one says no more, and fits fewer messages.
const maxDraft = 120

// phrasesOf returns what a message says between the masks of its template,
// brackets, quotes and the signs of phrases; the longest first. A word that
// goes on in a mask is left out.
func phrasesOf(template string) []string {
	var phrases []string
	open := false // the piece before ended in a mask
	for len(template) > 0 {
		end := strings.IndexAny(template, "<>()[]{}\"'`#*\n「」『』（）【】“”")
		if end < 0 {
			end = len(template)
		}
		piece, masked := template[:end], strings.HasPrefix(template[end:], "<")
		if open {
			piece = piece[len(piece)-len(strings.TrimLeftFunc(piece, wordRune)):]
		}
		if masked {
			piece = strings.TrimRightFunc(piece, wordRune)
		}
		if piece = strings.TrimFunc(shortened(piece), notWord); piece != "" {
			phrases = append(phrases, piece)
		}
		_, size := utf8.DecodeRuneInString(template[end:])
		open = strings.HasPrefix(template[end:], ">")
		template = template[end+size:]
	}
	slices.SortStableFunc(phrases, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return phrases
}

// wordRune reports whether a word or a path that a mask ends in may hold r. The
// scripts that are written without spaces part their words otherwise.
func wordRune(r rune) bool {
	return r < utf8.RuneSelf && !unicode.IsSpace(r) && r != ':' && r != ','
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// shortened cuts a piece at the border of a word.
func shortened(piece string) string {
	if len(piece) <= maxDraft {
		return piece
	}
	piece = strings.ToValidUTF8(piece[:maxDraft], "")
	if i := strings.LastIndexByte(piece, ' '); i > maxDraft/2 {
		piece = piece[:i]
	}
	return piece
}

// tell writes the skeletons as YAML, the most frequent first, and what became
// of the rest as its comments.
func (s *suggester) tell(u *analyze.Unknowns, moves map[string]int) []byte {
	var out bytes.Buffer
	switch {
	case u.None:
		out.WriteString("# no failure is stored here to look at\n")
	case len(u.Groups) == 0 && u.Tagged == 0:
		out.WriteString("# every failure was matched by a rule\n")
	case len(s.drafts) > 0:
		out.WriteString("# What no rule matched, most frequent first. Put an entry into <category>.yaml of a folder,\n# mend its phrases and why, add a counterexample, then: hansei rules test DIR\n")
	}
	if u.Tagged > 0 {
		fmt.Fprintf(&out, "# %s that the present rules tag; hansei rules diff --apply gives the tags\n", counted(u.Tagged, "stored event is unknown", "stored events are unknown"))
	}
	slices.SortStableFunc(s.drafts, func(a, b classify.Rule) int { return cmp.Compare(moves[b.Name], moves[a.Name]) })
	for i := range s.drafts {
		r := &s.drafts[i]
		fmt.Fprintf(&out, "\n# moves %s\n- name: %s\n  phrases: %s\n  why: \"\"\n  advice: {en: \"\", ja: \"\"}\n  examples: %s\n  counterexamples: []\n",
			counted(moves[r.Name], "stored event", "stored events"), r.Name, quoted(r.Phrases), quoted(r.Examples))
	}
	for _, rest := range []struct {
		n    int
		what string
	}{
		{s.silent, "stored events have no message to make a rule of"},
		{s.hard, "stored events have no phrase that would tag their messages; look at them with hansei query"},
		{s.left, "groups more are not shown; --most shows them"},
	} {
		if rest.n > 0 {
			fmt.Fprintf(&out, "\n# %d %s\n", rest.n, rest.what)
		}
	}
	return out.Bytes()
}

// quoted writes texts as a list of YAML: what is quoted in Go is so in YAML.
func quoted(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = strconv.Quote(text)
	}
	return "[" + strings.Join(list, ", ") + "]"
}
