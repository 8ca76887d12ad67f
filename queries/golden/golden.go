// Package golden compares what a test produced with a file that was reviewed
// like code. Run the tests with -update to write the files anew, then read the
// difference before committing it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Updating says whether the golden files are written anew.
func Updating() bool { return *update }

// Check fails the test unless got equals testdata/<name>.golden.
func Check(t *testing.T, name, got string) {
	t.Helper()
	File(t, filepath.Join("testdata", name+".golden"), got)
}

// File fails the test unless got equals the file at path.
func File(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update to make it", err)
	}
	if got == string(want) {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		if line(a, i) != line(b, i) {
			t.Fatalf("%s differs at line %d:\nwant %s\ngot  %s", path, i+1, line(a, i), line(b, i))
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end of file)"
}
