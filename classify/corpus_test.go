package classify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hansei/ingest"
)

// A corpusLine is a real message and the category that people gave it.
type corpusLine struct {
	ID, Message, Code, Source string
	Category                  Category
}

// readCorpus reads testdata/corpus.
func readCorpus(t testing.TB) []corpusLine {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var corpus []corpusLine
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line corpusLine
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			corpus = append(corpus, line)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return corpus
}

// TestCorpus wants the right category for 99 % of the corpus, with and without
// the code that came with a message.
func TestCorpus(t *testing.T) {
	const wanted = 0.99
	corpus := readCorpus(t)
	c := builtinClassifier(t)
	for _, withCode := range []bool{true, false} {
		var wrong []string
		for _, line := range corpus {
			e := ingest.Event{Message: line.Message}
			if withCode {
				e.Code = line.Code
			}
			if tag := c.Tag(&e); tag.Category != line.Category {
				wrong = append(wrong, fmt.Sprintf("%s: want %s, got %s by rule %q: %.120q",
					line.ID, line.Category, tag.Category, tag.Rule, line.Message))
			}
		}
		accuracy := 1 - float64(len(wrong))/float64(len(corpus))
		t.Logf("with code %v: %.2f %% of %d", withCode, 100*accuracy, len(corpus))
		if accuracy < wanted {
			for _, w := range wrong {
				t.Error(w)
			}
		}
	}
}
