package reports

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"slices"
	"strings"
)

//go:embed mail.html.tmpl
var mailHTML string

var mailTemplate = template.Must(template.New("mail").Parse(mailHTML))

// A Letter is the first screen of a report for those who do not open a report:
// an e-mail, a message in a channel.
type Letter struct {
	Title      string
	Paragraphs []string // plain text; lines within them are lists
	HTML       string   // a page for mail programs: tables and styles in their place, no script, no picture
}

// firstScreen names the sections of a letter, in their order.
var firstScreen = []string{"overview", "codes"}

// mailRows is how many rows of a table a letter shows: what fits a screen.
const mailRows = 8

// mailColumns is how many columns a mail program on a phone has room for.
const mailColumns = 4

// mailFigures is how many figures stand side by side.
const mailFigures = 3

// A letterPage is what mail.html.tmpl shows.
type letterPage struct {
	Lang, Title, Zone string
	Notice            string
	Notices           []Point
	Parts             []letterPart
	Link, LinkText    string
	Footer            string
}

// A letterPart is what a letter shows of a block.
type letterPart struct {
	Heading string
	Lead    string
	Figures [][]Figure // in rows
	Table   *Table
	More    string // tells that the table was cut
	Todo    string // heading of the points
	Points  []Point
}

// Letter returns the first screen of the report. link is where the whole report
// is found; empty: nowhere.
func (r *Report) Letter(link string) (*Letter, error) {
	page := letterPage{
		Lang:     string(r.Lang),
		Title:    r.title(),
		Zone:     r.say(text{EN: "Time zone: %s", JA: "タイムゾーン：%s"}, r.Span.Location),
		Link:     link,
		LinkText: r.say(text{EN: "The whole report", JA: "レポート全文"}),
		Notice:   r.say(noticeLabel),
		Notices:  r.notices(),
		Footer:   r.say(text{EN: "Made by Hansei from the stored events.", JA: "保存されたイベントからHanseiが作成しました。"}),
	}
	for _, id := range firstScreen {
		i := slices.IndexFunc(Sections, func(s Section) bool { return s.ID == id })
		if i < 0 {
			continue
		}
		if b := Sections[i].Build(r); b != nil {
			page.Parts = append(page.Parts, r.letterPart(b, id == firstScreen[0]))
		}
	}
	var html bytes.Buffer
	if err := mailTemplate.Execute(&html, page); err != nil {
		return nil, err
	}
	return &Letter{Title: page.Title, Paragraphs: r.paragraphs(&page), HTML: html.String()}, nil
}

// letterPart shortens a block. The first one needs no heading below the title.
func (r *Report) letterPart(b *Block, first bool) letterPart {
	part := letterPart{Lead: r.join(b.Lead), Points: b.Points, Todo: cmp.Or(b.Do, r.say(text{EN: "To check", JA: "確認事項"}))}
	if !first {
		part.Heading = b.Heading
	}
	for figures := range slices.Chunk(b.Figures, mailFigures) {
		part.Figures = append(part.Figures, figures)
	}
	if b.Table == nil {
		return part
	}
	t := *b.Table
	if n := len(t.Rows); n > mailRows {
		t.Rows = t.Rows[:mailRows]
		part.More = r.say(text{EN: "The first %s of %s rows.", JA: "全%[2]s行のうち最初の%[1]s行。"}, group(mailRows), group(max(int64(n), t.Whole)))
	}
	t.Columns = t.Columns[:min(len(t.Columns), mailColumns)]
	rows := make([][]Cell, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = row[:len(t.Columns)]
	}
	t.Rows = rows
	part.Table = &t
	return part
}

// paragraphs are the letter as plain text.
func (r *Report) paragraphs(page *letterPage) []string {
	var out []string
	add := func(lines ...string) {
		if text := strings.TrimSpace(strings.Join(lines, "\n")); text != "" {
			out = append(out, text)
		}
	}
	for _, p := range page.Notices {
		add(page.Notice + " " + p.plain())
	}
	for _, part := range page.Parts {
		heading := part.Heading
		if part.Lead != "" {
			add(heading, part.Lead)
			heading = ""
		}
		var figures []string
		for _, row := range part.Figures {
			for _, f := range row {
				line := r.say(text{EN: "%s: %s", JA: "%s：%s"}, f.Label, f.Value)
				if f.Change != "" {
					line += r.say(text{EN: "; %s", JA: "、%s"}, f.Change)
				}
				figures = append(figures, line)
			}
		}
		add(figures...)
		if len(part.Points) > 0 {
			todo := []string{part.Todo}
			for _, p := range part.Points {
				todo = append(todo, "- "+p.plain())
			}
			add(todo...)
		}
		if part.Table != nil {
			add(append(append([]string{heading}, r.lines(part.Table)...), part.More)...)
		}
	}
	if page.Link != "" {
		add(r.say(text{EN: "%s: %s", JA: "%s：%s"}, page.LinkText, page.Link))
	}
	return out
}

// plain is the point as one line of text.
func (p Point) plain() string { return strings.TrimSpace(p.Text + " " + p.Command) }

// lines are a table as a list, whose entries name their columns.
func (r *Report) lines(t *Table) []string {
	var lines []string
	for _, row := range t.Rows {
		var cells []string
		for i, c := range row[1:] {
			cell := t.Columns[i+1] + " " + c.Shown()
			if note := strings.TrimSpace(c.Note); note != "" {
				cell += r.say(text{EN: " (%s)", JA: "（%s）"}, note)
			}
			cells = append(cells, cell)
		}
		lines = append(lines, "- "+row[0].Text+r.say(text{EN: ": ", JA: "："})+strings.Join(cells, r.say(text{EN: ", ", JA: "、"})))
	}
	return lines
}
