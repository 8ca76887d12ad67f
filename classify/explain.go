package classify

import (
	"slices"

	"hansei/ingest"
)

// A Considered is a rule that matched an event, and what became of it.
type Considered struct {
	Rule     string
	Category Category
	Weight   Weight
	Evidence string // the text that matched; "" for a structured field
	Field    string // where it stood: "code", "message" or "detail"
	Won      bool
	Because  Text   // why it won or lost
	Why      string // why its evidence means its category; from the rule
	Advice   Text   // what to do; from the rule
}

// reasons tell the fates to people.
var reasons = [...]Text{
	outweighed: {"other evidence weighs more", "より重い根拠がある"},
	isWinner:   {"the evidence that weighs most", "最も重い根拠"},
	quieted:    {"stands on a line that tells of no failure", "失敗を示さない行にある"},
	excluded:   {"one of the rule's unless phrases is in the text", "除外語（unless）が本文にある"},
	lacking:    {"none of the rule's with phrases is in the text", "必要語（with）が本文にない"},
	unfit:      {"the rule's pattern does not match", "パターンに一致しない"},
	preceded:   {"a rule that stands before this one matched too", "優先するルールも一致した"},
}

// Explain returns the rules that matched e, the winner first and the others
// in the order of their evidence. It decides as [Classifier.Tag] does.
func (c *Classifier) Explain(e *ingest.Event) []Considered {
	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	s.reset(e.Message)
	winner := c.decide(e, s)
	list := c.consider(winner, s)
	if category, ok := c.byWords(e, winner, s); ok {
		if len(list) > 0 {
			list[0].Won, list[0].Because = false, Text{"all words of the text together speak clearly for something else", "本文全体の語が別の分類を明確に示す"}
		}
		list = append([]Considered{{Rule: WordsRule, Category: category, Weight: Hint, Field: "message", Won: true,
			Because: Text{"all words of the text together, which are clearer than the rules that matched", "一致したルールより、本文全体の語のほうが明確"},
			Why:     "The words of the text are those that rules and samples of the category use.",
			Advice:  category.Row().Taxonomy.advice()}}, list...)
	}
	return list
}

// consider returns what was found, each rule once by its best evidence, the
// winner first.
func (c *Classifier) consider(winner int32, s *scratch) []Considered {
	var list []Considered
	place := map[int32]int{} // of a rule in list
	for i := range s.found {
		f := &s.found[i]
		at, again := place[f.rule]
		switch {
		case !again:
			at = len(list)
			place[f.rule] = at
			list = append(list, Considered{})
		case f.fate != isWinner && (list[at].Won || f.fate != outweighed):
			continue
		}
		list[at] = c.considered(f, s)
		list[at].Won = f.rule == winner && (f.fate == isWinner || f.fate == outweighed)
	}
	if winner >= 0 {
		first := list[place[winner]]
		first.Because = reasons[isWinner]
		list = slices.Insert(slices.Delete(list, place[winner], place[winner]+1), 0, first)
	}
	return list
}

// considered tells f to people.
func (c *Classifier) considered(f *finding, s *scratch) Considered {
	r := &c.rules[f.rule]
	x := Considered{Rule: r.Name, Category: r.Category, Weight: r.Weight, Field: "message",
		Because: reasons[f.fate], Why: r.Why, Advice: r.Advice}
	if f.fate == isWinner {
		x.Because = reasons[outweighed] // unless the caller knows that it won in the end
	}
	if f.fate == quieted {
		name := c.quietedBy(f, s)
		x.Because.EN += " (" + name + ")"
		x.Because.JA += "（" + name + "）"
	}
	switch {
	case f.structured:
		x.Field = "code"
	case f.detail:
		x.Field = "detail"
		x.Evidence = string(s.detail[f.from:f.to])
	default:
		x.Evidence = string(s.text[f.from:f.to])
	}
	return x
}

// quietedBy returns the name of the rule that quiets the line of f.
func (c *Classifier) quietedBy(f *finding, s *scratch) string {
	line := lineOf(s.of(f), int(f.from))
	for _, q := range s.quieten {
		if q.start == line && q.detail == f.detail && c.rules[f.rule].Weight <= q.weight && !s.unless.has(q.rule) {
			return c.rules[q.rule].Name
		}
	}
	return ""
}

// Rules returns the rules of c in the order of their precedence among equals.
func (c *Classifier) Rules() []Rule { return slices.Clone(c.rules) }
