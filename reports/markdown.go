package reports

import (
	"io"
	"regexp"
	"strings"
	"unicode"
)

// markdown writes the report in GitHub's flavour of Markdown.
func (r *Report) markdown(w io.Writer) error {
	var m mdWriter
	m.line("# " + escape(r.title()))
	m.line(r.say(text{EN: "Time zone: %s", JA: "タイムゾーン：%s"}, escape(r.Span.Location.String())))
	for _, notice := range r.notices() {
		m.line("> **" + r.say(noticeLabel) + "** " + point(notice))
	}
	for _, section := range Sections {
		if b := section.Build(r); b != nil {
			m.block(r, b)
		}
	}
	_, err := io.WriteString(w, strings.TrimSuffix(m.String(), "\n"))
	return err
}

var noticeLabel = text{EN: "Note:", JA: "注意："}

// An mdWriter collects paragraphs of Markdown.
type mdWriter struct{ strings.Builder }

func (m *mdWriter) line(s string) { m.WriteString(s + "\n\n") }

func (m *mdWriter) block(r *Report, b *Block) {
	m.line("## " + escape(b.Heading))
	if lead := r.join(b.Lead); lead != "" {
		m.line(paragraph(lead))
	}
	if len(b.Figures) > 0 {
		t := Table{Rows: [][]Cell{nil}}
		var changes []Cell
		changed := false
		for _, f := range b.Figures {
			t.Columns = append(t.Columns, f.Label)
			t.Rows[0] = append(t.Rows[0], Cell{Text: f.Value})
			changes = append(changes, Cell{Text: f.Change})
			changed = changed || f.Change != ""
		}
		if changed {
			t.Rows = append(t.Rows, changes)
		}
		m.table(&t)
	}
	if b.Table != nil {
		m.table(b.Table)
	}
	if b.Changes != nil {
		m.fold(b.Changes)
	}
	if b.Do != "" {
		m.line("**" + escape(b.Do) + "**")
	}
	for _, p := range b.Points {
		m.WriteString("- " + point(p) + "\n")
	}
	if len(b.Points) > 0 {
		m.WriteString("\n")
	}
	for _, note := range b.Notes {
		m.line(paragraph(note))
	}
}

// fold writes a table that opens by a click on its caption, as Git hosts show
// it: the changes of a section are as long as its table, and mostly no news.
func (m *mdWriter) fold(t *Table) {
	m.line("<details>\n<summary>" + escape(t.Caption) + "</summary>")
	m.table(t)
	m.line("</details>")
}

func (m *mdWriter) table(t *Table) {
	row := func(n int, cell func(i int) string) {
		m.WriteByte('|')
		for i := range n {
			m.WriteString(" " + cell(i) + " |")
		}
		m.WriteByte('\n')
	}
	row(len(t.Columns), func(i int) string { return escape(t.Columns[i]) })
	row(len(t.Columns), func(int) string { return "---" })
	for _, cells := range t.Rows {
		row(len(cells), func(i int) string {
			if cells[i].Strong && cells[i].Text != "" {
				return "**" + escape(cells[i].Text) + "**"
			}
			if cells[i].Told {
				return escape(cells[i].Text + " (" + cells[i].Note + ")")
			}
			return escape(cells[i].Text)
		})
	}
	m.WriteByte('\n')
}

func point(p Point) string {
	if p.Command == "" {
		return paragraph(p.Text)
	}
	return paragraph(p.Text) + " `" + p.Command + "`"
}

// blockStart is what would make a paragraph a heading, list or quotation.
var blockStart = regexp.MustCompile(`^([0-9]*)([-+=#.)])`)

// paragraph escapes a text that begins a line.
func paragraph(s string) string { return blockStart.ReplaceAllString(escape(s), `$1\$2`) }

// escape makes s plain text anywhere inside a line of Markdown. It leaves an
// underscore inside a word as it is, which GitHub's flavour does not take for
// emphasis, so that codes stay readable.
func escape(s string) string {
	var b strings.Builder
	runes := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	for i, c := range runes {
		switch {
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*[]|~$", c),
			c == '_' && !(inWord(at(i-1)) && inWord(at(i+1))),
			c == ':' && at(i+1) == '/',                                           // a bare address would become a link
			c == '.' && i >= 3 && strings.EqualFold(string(runes[i-3:i]), "www"): // so would this
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func inWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
