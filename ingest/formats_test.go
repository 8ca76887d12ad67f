package ingest

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hansei/queries/golden"
)

func show(records iter.Seq2[Record, error]) string {
	var b strings.Builder
	for r, err := range records {
		switch {
		case err != nil:
			fmt.Fprintf(&b, "stopped: %v\n", err)
		case r.Err != nil:
			fmt.Fprintf(&b, "%s BAD %v\n    %q\n", r.Position, r.Err, r.Raw)
		default:
			fmt.Fprintf(&b, "%s %s\n", r.Position, r.Event.AppendJSON(nil))
		}
	}
	return b.String()
}

// Every format has samples, good and broken, and a golden file of what becomes of them.
func TestFormats(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats {
		samples := samplesOf(t, format.Name)
		for _, sample := range samples {
			name := filepath.Base(sample)
			t.Run(name, func(t *testing.T) {
				f, err := os.Open(sample)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				golden.Check(t, name, show(format.Read(f, Options{Name: name, Location: tokyo, Now: arrived})))
			})
		}
	}
}

// samplesOf lists the samples of a format, at least one.
func samplesOf(t testing.TB, name string) []string {
	t.Helper()
	files, _ := filepath.Glob("testdata/" + name + "[._]*")
	samples := slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, ".golden") })
	if len(samples) == 0 {
		t.Errorf("format %s has no samples in testdata", name)
	}
	return samples
}

// Every format has at least ten records in testdata, some of them broken.
func TestSamples(t *testing.T) {
	for _, format := range Formats {
		good, bad := 0, 0
		for _, sample := range samplesOf(t, format.Name) {
			text, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			for r := range format.Read(strings.NewReader(string(text)), Options{Now: arrived}) {
				if r.Err != nil {
					bad++
				} else {
					good++
				}
			}
		}
		if good+bad < 10 || good == 0 || bad == 0 {
			t.Errorf("%s: %d good records and %d broken ones", format.Name, good, bad)
		}
	}
}

func TestReadersReportIO(t *testing.T) {
	broken := errors.New("cable cut")
	for _, format := range Formats {
		var last error
		for _, err := range format.Read(iotest.ErrReader(broken), Options{Name: "f"}) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("%s: got %v, want the I/O error", format.Name, last)
		}
	}
}

func TestLongLine(t *testing.T) {
	in := strings.Repeat("x", maxLine+5) + "\n" + `{"time":"2026-01-05T08:00:00Z","agent":"a"}`
	got := show(hansei.Read(strings.NewReader(in), Options{Name: "f"}))
	if !strings.HasPrefix(got, "f:1 BAD line of more than 8388608 bytes") || !strings.Contains(got, "\nf:2 {") {
		t.Errorf("got %.200s …", got)
	}
}

func TestFormatNamed(t *testing.T) {
	if f, err := FormatNamed("agentskills"); err != nil || f != &agentSkills {
		t.Errorf("got %v, %v", f, err)
	}
	if _, err := FormatNamed("acme"); err == nil || !strings.Contains(err.Error(), "known are hansei, agentskills") {
		t.Errorf("got %v, want the known formats", err)
	}
}

func FuzzFormats(f *testing.F) {
	for _, format := range Formats {
		for _, sample := range samplesOf(f, format.Name) {
			text, err := os.ReadFile(sample)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range Formats {
			read := func() string { return show(format.Read(strings.NewReader(string(data)), Options{Name: "f"})) }
			if once, twice := read(), read(); once != twice {
				t.Errorf("%s: two readings differ:\n%s\n%s", format.Name, once, twice)
			}
		}
	})
}

// What a sample is can be guessed, or is not; never is it taken for another.
func TestGuess(t *testing.T) {
	guessed := 0
	for _, format := range Formats {
		for _, sample := range samplesOf(t, format.Name) {
			switch guess := Guess(sample); guess {
			case nil:
			case format:
				guessed++
			default:
				t.Errorf("%s looks like %s", sample, guess.Name)
			}
		}
	}
	if guessed < 10 {
		t.Errorf("%d samples were recognised, want 10 at least", guessed)
	}
	if Guess("testdata/no such file") != nil {
		t.Error("a file that is not there looks like something")
	}
}
