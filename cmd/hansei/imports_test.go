package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed lists, for each package, which of ours it may import. Imports point
// down: an event goes one way.
var allowed = map[string][]string{
	"hansei/ingest":           {"hansei/ingest/otlp"},
	"hansei/ingest/otlp":      nil,
	"hansei/queries":          nil,
	"hansei/queries/golden":   nil,
	"hansei/ingest/stream":    {"hansei/ingest"},
	"hansei/classify":         {"hansei/ingest"},
	"hansei/deliver":          {"hansei/ingest", "hansei/ingest/stream"},
	"hansei/analyze":          {"hansei/classify", "hansei/ingest", "hansei/queries"},
	"hansei/reports":          {"hansei/analyze", "hansei/classify", "hansei/ingest", "hansei/queries"},
	"hansei/dashboard":        {"hansei/analyze", "hansei/classify", "hansei/deliver", "hansei/ingest", "hansei/queries", "hansei/reports"},
	"hansei/cmd/hansei/fleet": {"hansei/ingest"},
	"hansei/cmd/hansei":       {"hansei/analyze", "hansei/classify", "hansei/cmd/hansei/fleet", "hansei/dashboard", "hansei/deliver", "hansei/ingest", "hansei/ingest/otlp", "hansei/ingest/stream", "hansei/queries", "hansei/reports"},
}

// only lists the packages that alone may import a library.
var only = map[string]string{
	"github.com/nats-io/nats.go":          "hansei/ingest/stream",
	"github.com/nats-io/nats-server/v2":   "hansei/ingest/stream",
	"github.com/duckdb/duckdb-go/v2":      "hansei/analyze",
	"github.com/go-echarts/go-echarts/v2": "hansei/reports",
	"github.com/alecthomas/kong":          "hansei/cmd/hansei",
	"github.com/rogpeppe/go-internal":     "tests",
	"github.com/schollz/progressbar/v3":   "hansei/cmd/hansei",
	"go.opentelemetry.io/proto/otlp":      "hansei/ingest/otlp",
	"google.golang.org/protobuf":          "hansei/ingest/otlp",
}

func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hansei/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		pkg, imports := names[0], names[1:]
		may, known := allowed[pkg]
		if !known {
			t.Errorf("package %s is not in the list of this test", pkg)
		}
		for _, name := range imports {
			if strings.HasPrefix(name, "hansei/") && !slices.Contains(may, name) {
				t.Errorf("%s imports %s", pkg, name)
			}
			for library, owner := range only {
				if (name == library || strings.HasPrefix(name, library+"/")) && pkg != owner {
					t.Errorf("%s imports %s, which is for %s alone", pkg, name, owner)
				}
			}
		}
	}
}
