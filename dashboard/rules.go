package dashboard

import (
	"fmt"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/reports"
)

// rules explains which rules look at a message, and lists all.
var rules = Page{Path: "/rules", Name: text{EN: "Rules", JA: "ルール"}, Show: (*Dashboard).rules}

// maxMessage is the longest message that the page explains: what an address
// holds everywhere.
const maxMessage = 8 << 10

// A RuleFolder is the folder of rules that stand beside the built-in ones.
type RuleFolder struct {
	Path    string              // empty: there is none
	Read    time.Time           // when the rules in force were read
	Refused error               // why what it holds now is not in force; nil: it is
	Since   time.Time           // of the refusal
	Failing []classify.Mismatch // examples of the rules in force that do not hold
}

type rulesPage struct {
	Folder                RuleFolder
	Asked                 bool
	Tag                   classify.Tag
	Meaning, Template, Do string
	Considered            []classify.Considered
	Categories            []categoryRow
}

type categoryRow struct {
	classify.CategoryRow
	Words string // its meaning in the reader's language
	Rules []classify.Rule
}

func (d *Dashboard) rules(q *request) error {
	e := ingest.Event{Kind: ingest.Failure, Message: q.Get("message"), Code: q.Get("code"), Status: q.Get("status")}
	if len(e.Message)+len(e.Code)+len(e.Status) > maxMessage {
		return &InputError{Err: fmt.Errorf("a text of more than %d bytes: give its line that tells of the failure", maxMessage)}
	}
	classifier := d.Classifier()
	data := rulesPage{Folder: d.RuleFolder(), Asked: e.Message+e.Code+e.Status != ""}
	if data.Asked {
		data.Tag = classifier.Tag(&e)
		row := data.Tag.Category.Row()
		data.Meaning = q.say(text{EN: row.Meaning, JA: row.MeaningJA})
		data.Template = classify.Template(e.Message)
		data.Considered = classifier.Explain(&e)
		for _, t := range classify.Taxonomies {
			if t.Name == data.Tag.Taxonomy {
				data.Do = q.say(text{EN: t.Advice, JA: t.AdviceJA})
			}
		}
	}
	all := classifier.Rules()
	for _, row := range classify.Categories {
		c := categoryRow{CategoryRow: row, Words: row.Meaning}
		if q.Lang == reports.JA {
			c.Words = row.MeaningJA
		}
		for _, r := range all {
			if r.Category == row.Name {
				c.Rules = append(c.Rules, r)
			}
		}
		data.Categories = append(data.Categories, c)
	}
	q.Data = data
	return d.show(q, "rules")
}
