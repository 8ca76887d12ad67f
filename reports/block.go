package reports

import "database/sql"

// A Block is what a section shows, before it is written as Markdown or HTML.
// Its texts are plain; whoever writes them escapes them.
type Block struct {
	Name    string   // of the entry in the list of contents
	Heading string   // says what the block shows
	Lead    []string // the message, in sentences
	Figures []Figure
	Chart   *Chart
	Table   *Table
	Changes *Table   // what became of the rows since the time before; nil: none
	Do      string   // heading of the points; empty: none
	Points  []Point  // what to check or do
	Notes   []string // how the numbers were made
}

// A Figure is one number that matters by itself.
type Figure struct {
	Label, Value string
	Change       string // against the time before, in words; empty: none
	Trend        *Trend // nil: none
}

// A Trend is a small line beside a figure, without axes.
type Trend struct {
	Values []sql.Null[float64] // by time, the report's own last; not valid: a gap
	Alt    string              // says the same in words
}

// A Point is one remark or advice, with the command that helps, if any.
type Point struct{ Text, Command string }

// A Table holds the numbers of a block. Every row has a cell for each column;
// the first cell names the row.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]Cell
	Folded  bool   // HTML shows the table on request: the chart says it better
	Heat    bool   // narrow columns of shaded numbers
	Whole   int64  // rows before it was shortened; 0: it was not
	More    string // label under which HTML folds the rows after the first; empty: it does not
	Under   bool   // HTML puts the last column, which is long, below the others
}

// A Cell is one value of a table.
type Cell struct {
	Text    string
	Note    string  // beside the value in HTML, such as what a rate rests on
	Told    bool    // Markdown shows the note too, in brackets
	Numeric bool    // aligned on the right; HTML groups its digits
	Short   bool    // never broken into lines
	Change  string  // beside the value in HTML: what clearly changed since the time before
	Strong  bool    // stands out, such as NEW
	Heat    int     // from 1 to heatSteps HTML shades the cell
	Label   string  // the column's name, where HTML shows rows as cards on narrow screens
	Behind  *Behind // what HTML opens on the row; only of a row's first cell
	Anchor  string  // names the row within the page of HTML; likewise
	To      string  // the anchor of the row that HTML leads to, which opens there; likewise
}

// heatSteps is how many shades a table has: more are not told apart.
const heatSteps = 5

// A Behind is what a row rests on.
type Behind struct {
	Heading string
	Lines   []Line
	Tables  []Table // small, with rows that open nothing
	Stories []Story
	Of      string // heading of the stories; empty: none
	Notes   []string
}

// A Line is a text with what is known of it.
type Line struct{ Text, Note string }

// A Story tells how one incident went.
type Story struct {
	Title   string // what and when
	Message string // as the agent reported it, without its secrets
	Steps   []Step
}

// A Step is one event of a [Story].
type Step struct {
	After string  // since the first step, for people
	Place float64 // the same as a part of the whole story, from 0 to 1
	Kind  string  // failure, success or end
	Text  string
}

// maxRows is where a table is cut, at about two pages of print.
const maxRows = 50

// firstRows is how many rows HTML shows at once of a table that it cuts: as
// many as the chart beside it names. Fewer than restRows are not worth a click.
const (
	firstRows = maxBars
	restRows  = 4
)

// fold lets HTML show only the first rows of a long table.
func (r *Report) fold(t *Table) {
	if n := len(t.Rows) - firstRows; n >= restRows && !t.Folded && !t.Heat {
		t.More = r.say(text{EN: "%d more rows", JA: "残り%d行"}, n)
	}
}

// cardColumns is from how many columns on rows are cards on narrow screens: a
// phone is wide enough for a name and three numbers.
const cardColumns = 5

// Cards reports whether HTML shows the table's rows as cards on narrow screens.
func (t *Table) Cards() bool { return len(t.Columns) >= cardColumns && !t.Heat }

// label gives the cells of cards the names of their columns.
func (t *Table) label() {
	if !t.Cards() {
		return
	}
	for _, row := range t.Rows {
		for i := 1; i < len(row); i++ {
			row[i].Label = t.Columns[i]
		}
	}
}

// Rest reports whether row n is one that HTML folds.
func (t *Table) Rest(n int) bool { return t.More != "" && n >= firstRows }

// Wide reports whether HTML gives the table the whole width of the page.
func (t *Table) Wide() bool { return len(t.Columns) > 5 || t.Heat }

// Numeric reports whether column i holds numbers. The first one names the
// rows, even where their names are numbers.
func (t *Table) Numeric(i int) bool { return i > 0 && len(t.Rows) > 0 && t.Rows[0][i].Numeric }

// shorten cuts the table to maxRows and returns how many rows it had, or 0
// when nothing was cut.
func (t *Table) shorten() int64 {
	n := len(t.Rows)
	if n <= maxRows {
		return 0
	}
	t.Rows, t.Whole = t.Rows[:maxRows], int64(n)
	return t.Whole
}

// shortenNote tells that a table was cut from n rows.
func (r *Report) shortenNote(n int64) string {
	return r.say(text{
		EN: "The first %s of %s rows. JSON and CSV have all.",
		JA: "全%[2]s行のうち最初の%[1]s行。JSONとCSVには全行があります。",
	}, group(maxRows), group(n))
}
