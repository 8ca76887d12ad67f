package classify

import (
	"io/fs"
	"strings"
	"testing"
)

func TestClosedLists(t *testing.T) {
	taxonomies := map[Taxonomy]bool{}
	for _, row := range Taxonomies {
		taxonomies[row.Name] = true
		if row.Letter == "" || row.Meaning == "" || row.MeaningJA == "" || row.Advice == "" || row.AdviceJA == "" {
			t.Errorf("taxonomy %s: a text is missing", row.Name)
		}
	}
	rules := map[Category]int{}
	for _, r := range Builtin() {
		rules[r.Category]++
	}
	for _, row := range Categories {
		if !taxonomies[row.Taxonomy] {
			t.Errorf("category %s: no taxonomy %q", row.Name, row.Taxonomy)
		}
		if row.Meaning == "" || row.MeaningJA == "" {
			t.Errorf("category %s: a text is missing", row.Name)
		}
		if rules[row.Name] == 0 {
			t.Errorf("category %s: no rules/%s.yaml, or no rule in it", row.Name, row.Name)
		}
		if row.Name.Row() != row {
			t.Errorf("category %s: Row returns another row", row.Name)
		}
	}
	if got := Category("nonsense").Row().Name; got != Unknown {
		t.Errorf("row of a name that is not listed: %s", got)
	}
	files, err := fs.Glob(rulesFS, "rules/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(Categories)+1 { // and resolution.yaml
		t.Errorf("%d files of rules for %d categories: %s", len(files), len(Categories), strings.Join(files, " "))
	}
}
