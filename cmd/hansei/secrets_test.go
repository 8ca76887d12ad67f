package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Secrets of many kinds, planted in every text of an event and in bad input,
// are nowhere in the store, its log, an export, the report or what serve logs.
// The stream keeps what agents publish as they published it.
func TestPlantedSecretsAreNowhere(t *testing.T) {
	file, err := os.ReadFile("../../ingest/testdata/secrets.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	fields := []string{"id", "agent", "session", "operation", "step", "component", "args_hash", "incident", "code", "status", "message", "detail",
		"resolution", "score_name", "provider", "model", "trace_id", "source", "unknown"}
	var secrets, events []string
	for line := range strings.Lines(string(file)) {
		var planted struct{ Text, Secret string }
		if err := json.Unmarshal([]byte(line), &planted); err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, planted.Secret)
		for _, field := range fields {
			event := map[string]any{"time": "2026-01-15T12:00:00Z", "agent": "bot", "message": "failed", "attrs": map[string]string{"k": planted.Text, planted.Text: "v"}}
			event[field] = planted.Text
			events = append(events, marshal(t, event))
		}
		events = append(events, marshal(t, map[string]any{"agent": "bot", "message": planted.Text}), "no JSON: "+strings.ReplaceAll(planted.Text, "\n", " "))
	}
	if len(secrets) < 40 {
		t.Fatalf("%d secrets, want 40", len(secrets))
	}
	dir := t.TempDir()
	data, out := filepath.Join(dir, "data"), filepath.Join(dir, "out")
	var log bytes.Buffer
	web := freeAddress(t)
	serve := exec.Command("hansei", "serve", "--verbose", "--data", data, "--listen", web, "--nats-listen", "127.0.0.1:0")
	serve.Stderr = &log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill() }) // an error says that it has ended
	waitHealthy(t, "http://"+web+"/healthz")
	path := filepath.Join(dir, "events.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(events, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	publish := exec.Command("hansei", "publish", "--data", data, path)
	if text, err := publish.CombinedOutput(); err == nil { // it tells of the bad ones, with the text, to whoever published
		t.Fatalf("publish took the bad input: %s", text)
	}
	pages := map[string][]byte{}
	for _, format := range []string{"md", "html", "json", "csv"} {
		pages["report "+format] = hansei(t, "report", "--data", data, "--month", "2026-01", "--format", format)
	}
	pages["quarantine"] = hansei(t, "query", "--data", data, "--format", "json", "select * from quarantine")
	pages["events"] = hansei(t, "query", "--data", data, "--format", "json", "select * from events")
	hansei(t, "export", "--data", data, "--to", out)
	back := filepath.Join(dir, "back") // Parquet is compressed: what is read from it is looked through
	hansei(t, "import", "--data", back, "--format", "parquet", out)
	pages["parquet"] = hansei(t, "query", "--data", back, "--format", "json", "select * from events")
	if n := bytes.Count(pages["parquet"], []byte(`"id"`)); n < 40*len(fields) {
		t.Errorf("only %d events are stored", n)
	}
	addFiles(t, pages, data) // with the log as it is while serve runs
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Error(err)
	}
	addFiles(t, pages, data)
	addFiles(t, pages, out)
	pages["serve's log"] = log.Bytes()
	for name, text := range pages {
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s holds %q", name, secret)
			}
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// addFiles adds the files of a folder but for those of the stream.
func addFiles(t *testing.T, pages map[string][]byte, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "jetstream" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		pages[path+string(rune('0'+len(pages)%10))] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
