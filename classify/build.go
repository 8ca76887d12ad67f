package classify

import (
	"fmt"
	"hash/maphash"
)

// A meaning says what it means that a phrase was found. Many rules share a
// "with" or an "unless", so those are sets, of which one look takes the whole.
type meaning struct {
	with, unless int32     // where the set of rules starts in sets, 0 for none
	first        reference // what else it refers to, mostly all
	from, to     int32     // the other references, in refs
}

// A reference is a rule that a phrase speaks for, or a context.
type reference struct {
	rule int32
	role role
}

type role uint8

const (
	isNothing role = iota
	isEvidence
	isWith   // never kept as a reference but in the sets of a meaning
	isUnless // as isWith
	isQuiet
	isStatus // a number behind the phrase is a HTTP status
	isExit   // a number behind the phrase is an exit code
)

// New returns a Classifier for rules, which stand in the order of precedence
// among equals. Of rules with the same name the last takes the place of the
// first. New reports the first rule that is not well formed.
func New(rules []Rule) (*Classifier, error) {
	rules = merge(rules)
	c := &Classifier{rules: rules, rows: make([]CategoryRow, len(rules)), codes: newCodeTable(), memo: &memo{seed: maphash.MakeSeed()}}
	phrases, refs, err := c.phrases()
	if err != nil {
		return nil, err
	}
	c.setMeanings(refs)
	if err := c.setPrecedence(); err != nil {
		return nil, err
	}
	c.lines = c.formMachine()
	c.words = builtinVocabulary()
	c.finder = newFinder(phrases)
	c.numbers = newNumbers(phrases, c.codes, c.words)
	c.scratch.New = func() any { return newScratch(len(rules)) }
	return c, nil
}

// phrases checks the rules and returns their phrases, each once, and what each
// speaks for. On the way it sets what c knows of each rule.
func (c *Classifier) phrases() (phrases []phrase, refs [][]reference, err error) {
	size := 0
	for i := range c.rules {
		r := &c.rules[i]
		size += len(r.Phrases) + 2*len(r.Codes) + len(r.With) + len(r.Unless)
	}
	number := make(map[string]int, size) // of a phrase that several rules share
	phrases, refs = make([]phrase, 0, size), make([][]reference, 0, size)
	add := func(list []string, ref reference) {
		for _, s := range list {
			n, ok := number[s]
			if !ok {
				p, bad := parsePhrase(s)
				if bad != nil && err == nil {
					err = fmt.Errorf("rule %q: %q: %v", c.rules[ref.rule].Name, s, bad)
				}
				n = len(phrases)
				number[s] = n
				phrases = append(phrases, p)
				refs = append(refs, nil)
			}
			refs[n] = append(refs[n], ref)
		}
	}
	for i := range c.rules {
		r, n := &c.rules[i], int32(i)
		if bad := r.check(); bad != nil {
			return nil, nil, bad
		}
		c.rows[i] = r.Category.Row()
		c.traits = append(c.traits, trait{r.Weight, len(r.With) > 0, r.pattern != nil || r.only != nil, len(r.Before) > 0})
		if r.isForm() {
			c.forms = append(c.forms, n)
		}
		evidence := reference{n, isEvidence}
		if r.Line {
			evidence.role = isQuiet
		}
		add(r.Phrases, evidence)
		add(c.codes.add(r.Codes, n), evidence)
		add(r.With, reference{n, isWith})
		add(r.Unless, reference{n, isUnless})
		if err != nil {
			return nil, nil, err
		}
	}
	for _, context := range contexts {
		add(context.words, reference{role: context.role})
	}
	return phrases, refs, err
}

// setMeanings packs the references of each phrase. Meanings and sets that are alike are one.
func (c *Classifier) setMeanings(refs [][]reference) {
	with, unless := newRuleSet(len(c.rules)), newRuleSet(len(c.rules))
	c.sets = append(c.sets, with...) // so that 0 means none
	places := map[string]int32{with.key(): 0}
	numbers := map[meaning]int32{}
	c.means = make([]int32, len(refs))
	for n, list := range refs {
		m, from := meaning{}, len(c.refs)
		for _, ref := range list {
			switch {
			case ref.role == isWith:
				with.add(ref.rule)
				m.with = -1 // a place is yet to be found
			case ref.role == isUnless:
				unless.add(ref.rule)
				m.unless = -1
			case m.first.role == isNothing:
				m.first = ref
			default:
				c.refs = append(c.refs, ref)
			}
		}
		if from < len(c.refs) {
			m.from, m.to = int32(from), int32(len(c.refs))
		}
		if m.with < 0 {
			m.with = c.setPlace(with, places)
			clear(with)
		}
		if m.unless < 0 {
			m.unless = c.setPlace(unless, places)
			clear(unless)
		}
		number, ok := numbers[m]
		if !ok {
			number = int32(len(c.meanings))
			numbers[m] = number
			c.meanings = append(c.meanings, m)
		}
		c.means[n] = number
	}
}

// setPlace returns where set is in c.sets, and puts it there if places do not
// know it.
func (c *Classifier) setPlace(set ruleSet, places map[string]int32) int32 {
	key := set.key()
	at, ok := places[key]
	if !ok {
		at = int32(len(c.sets))
		places[key] = at
		c.sets = append(c.sets, set...)
	}
	return at
}

// setPrecedence resolves the names in Before.
func (c *Classifier) setPrecedence() error {
	rules := c.rules
	byName := map[string][]int32{}
	for i := range rules {
		byName[rules[i].Name] = append(byName[rules[i].Name], int32(i))
		c := string(rules[i].Category)
		byName[c] = append(byName[c], int32(i))
	}
	c.before = make([]ruleSet, len(rules))
	for i := range rules {
		if len(rules[i].Before) > 0 {
			c.before[i] = newRuleSet(len(rules))
		}
		for _, name := range rules[i].Before {
			if len(byName[name]) == 0 {
				return fmt.Errorf("%s: rule %q: before %q: no such rule or category", rules[i].File, rules[i].Name, name)
			}
			for _, other := range byName[name] {
				c.before[i].add(other)
			}
		}
	}
	return nil
}
