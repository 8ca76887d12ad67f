package classify

import "hansei/ingest"

// A Considered is a rule that matched an event, and what became of it.
type Considered struct {
	Rule     string
	Category Category
	Weight   Weight
	Evidence string // the text that matched; "" for a structured field
	Field    string // where it stood: "code", "message" or "detail"
	Won      bool
	Because  string // why it won or lost
	Why      string // why its evidence means its category; from the rule
	Advice   Text   // what to do; from the rule
}

// reasons tell the fates to people.
var reasons = [...]string{
	outweighed: "other evidence weighs more",
	isWinner:   "the evidence that weighs most",
	quieted:    "stands on a line that tells of no failure",
	excluded:   "one of the rule's unless phrases is in the text",
	lacking:    "none of the rule's with phrases is in the text",
	unfit:      "the rule's pattern does not match",
	preceded:   "a rule that stands before this one matched too",
}

// Explain returns the rules that matched e, the winner first and the others
// in the order of their evidence. It decides as [Classifier.Tag] does.
func (c *Classifier) Explain(e *ingest.Event) []Considered {
	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	winner := c.decide(e, s)
	var list []Considered // in the order of evidence, but the winner first
	for i := range s.found {
		f := &s.found[i]
		r := &c.rules[f.rule]
		x := Considered{Rule: r.Name, Category: r.Category, Weight: r.Weight, Field: "message",
			Because: reasons[f.fate], Why: r.Why, Advice: r.Advice}
		switch {
		case f.structured:
			x.Field = "code"
		case f.detail:
			x.Field = "detail"
			x.Evidence = string(s.detail[f.from:f.to])
		default:
			x.Evidence = string(s.text[f.from:f.to])
		}
		list = append(list, x)
		if f.rule == winner && !list[0].Won && (f.fate == isWinner || f.fate == outweighed) {
			list[len(list)-1].Won = true
			list[len(list)-1].Because = reasons[isWinner]
			list[0], list[len(list)-1] = list[len(list)-1], list[0]
		}
	}
	if category, ok := c.byWords(e, winner, s); ok {
		if len(list) > 0 {
			list[0].Won, list[0].Because = false, "a hint, and the words of the text speak clearly"
		}
		list = append([]Considered{{Rule: wordsRule, Category: category, Weight: Hint, Field: "message", Won: true,
			Because: "no rule says more than a hint",
			Why:     "The words of the text are those that rules and samples of the category use."}}, list...)
	}
	return list
}
