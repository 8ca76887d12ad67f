package reports

import (
	"strings"
	"testing"
	"time"

	"hansei/queries"
	"hansei/queries/golden"
)

// The letter is the first screen of the report, as HTML and as text.
func TestLetter(t *testing.T) {
	db := openTest(t)
	for _, month := range months {
		for _, lang := range Langs {
			name := "letter." + month.name + "." + string(lang)
			t.Run(name, func(t *testing.T) {
				r := collect(t, db, Options{Span: month.span, Lang: lang, Suggestions: month.suggestions})
				letter, err := r.Letter("https://hansei.example.net/report?month=2026-01&lang=" + string(lang))
				if err != nil {
					t.Fatal(err)
				}
				golden.Check(t, name+".html", letter.HTML)
				golden.Check(t, name+".txt", letter.Title+"\n\n"+strings.Join(letter.Paragraphs, "\n\n")+"\n")
			})
		}
	}
}

// A letter loads nothing, runs nothing, and shows hostile text as text.
func TestLetterIsHarmless(t *testing.T) {
	r := collect(t, openTest(t), Options{Span: months[0].span})
	for i := range r.Groups[queries.ByCode] {
		r.Groups[queries.ByCode][i].Key = `<img src=x onerror=alert(1)>"'` + "\u202e" + strings.Repeat("長", 10_000)
	}
	letter, err := r.Letter("javascript:alert(1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<img", "<script", "<link", "src=", `href="javascript`, "url(", "\u202e"} {
		if strings.Contains(strings.ReplaceAll(letter.HTML, "&lt;img src=", ""), bad) {
			t.Errorf("the letter has %s", bad)
		}
	}
	if n := len(letter.HTML); n > 100<<10 { // Gmail cuts what is longer than 102 KiB
		t.Errorf("%d bytes", n)
	}
}

// A day and a week have titles of their own.
func TestLetterTitles(t *testing.T) {
	day := time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		to   time.Time
		want string
	}{
		{day.AddDate(0, 0, 1), "Error report: 2026-01-14"},
		{day.AddDate(0, 0, 7), "Error report: 2026-01-14 to 2026-01-20"},
	} {
		r := collect(t, openTest(t), Options{Span: queries.Span{From: day, To: test.to, Location: time.UTC}})
		letter, err := r.Letter("")
		if err != nil || letter.Title != test.want || !strings.Contains(letter.HTML, test.want) {
			t.Errorf("%q, %v; want %q", letter.Title, err, test.want)
		}
	}
}
