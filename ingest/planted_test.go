package ingest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// A planted text holds a secret.
type planted struct{ Text, Secret string }

// plantedSecrets reads texts that each hold one secret.
func plantedSecrets(t testing.TB) []planted {
	t.Helper()
	file, err := os.ReadFile("testdata/secrets.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []planted
	for line := range bytes.Lines(file) {
		var p planted
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}
