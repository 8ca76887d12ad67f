package reports

import (
	"strings"
	"testing"
)

// TestSections wants every section to be in the golden month that has all, in
// each form and language, with what a section must have: a heading, a message
// in words, a caption for its table, a note or a lead that says how.
func TestSections(t *testing.T) {
	db := openTest(t)
	list, err := ParseGoals("goals.yaml", []byte(goalsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range Langs {
		r := collect(t, db, Options{Span: months[0].span, Lang: lang, Suggestions: tuned, Goals: list, Behind: true})
		html, md := render(t, r, HTML), render(t, r, Markdown)
		for _, section := range Sections {
			b := section.Build(r)
			if b == nil {
				t.Errorf("%s: the full month has no section %s", lang, section.ID)
				continue
			}
			if !strings.Contains(html, `<section id="`+section.ID+`"`) || !strings.Contains(html, `<a href="#`+section.ID+`">`) {
				t.Errorf("%s: HTML has no section %s, or no way to it", lang, section.ID)
			}
			if !strings.Contains(md, "\n## "+escape(b.Heading)+"\n") {
				t.Errorf("%s: Markdown has no section %s", lang, section.ID)
			}
			if b.Heading == "" || b.Name == "" || r.join(b.Lead) == "" {
				t.Errorf("%s: section %s says nothing in words", lang, section.ID)
			}
			if section.ID != "overview" && len(b.Notes) == 0 {
				t.Errorf("%s: section %s does not tell how its numbers were made", lang, section.ID)
			}
			if lang == JA && !strings.ContainsFunc(b.Heading+b.Name, func(c rune) bool { return c >= 0x3040 && c <= 0x9fff }) {
				t.Errorf("section %s has no Japanese heading: %q", section.ID, b.Heading)
			}
			if b.Table == nil {
				continue
			}
			for _, row := range b.Table.Rows {
				if row[0].Behind == nil {
					t.Errorf("%s: a row of section %s opens nothing: %q", lang, section.ID, row[0].Text)
				}
			}
			if b.Changes == nil {
				continue
			}
			for i, row := range b.Changes.Rows {
				if to := row[0].To; i < len(b.Table.Rows) && (to == "" || !strings.Contains(html, `<tr id="`+to+`"`)) {
					t.Errorf("%s: a row of the changes of section %s leads to %q", lang, section.ID, to)
				}
			}
		}
	}
}
