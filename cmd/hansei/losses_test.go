package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"hansei/ingest/stream"
)

// A stranger is a NATS server that is not ours.
type stranger struct {
	t   *testing.T
	url string
	js  nats.JetStreamContext
	n   int // events published so far
}

func startStranger(t *testing.T) *stranger {
	t.Helper()
	server, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Shutdown)
	if !server.ReadyForConnections(deadline) {
		t.Fatal("the NATS server does not start")
	}
	nc, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	return &stranger{t: t, url: server.ClientURL(), js: js}
}

func (s *stranger) publish(events int) {
	s.t.Helper()
	client, err := stream.Open(s.t.Context(), stream.Options{URL: s.url})
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	for range events {
		if err := client.Publish(s.t.Context(), crashEvent(s.n)); err != nil {
			s.t.Fatal(err)
		}
		s.n++
	}
}

// purge leaves the last messages of the stream.
func (s *stranger) purge(keep uint64) {
	s.t.Helper()
	if err := s.js.PurgeStream(stream.Events, &nats.StreamPurgeRequest{Keep: keep}); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a command over the stranger's stream and returns all that it says.
func (s *stranger) run(data string, args ...string) string {
	said, _ := exec.Command("hansei", append(args, "--data", data, "--nats-url", s.url)...).CombinedOutput() // doctor fails where there is a problem
	return string(said)
}

func wants(t *testing.T, name, text string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(p).MatchString(text) {
			t.Errorf("%s: no %q in\n%s", name, p, text)
		}
	}
}

// What a stream lost before it was stored stands in the log, the books, doctor
// and every report that it concerns, and is not told as too old to keep.
func TestLossesAreTold(t *testing.T) {
	s, data := startStranger(t), t.TempDir()
	january := []string{"report", "--month", "2026-01"}
	s.publish(10)
	if said := s.run(data, "doctor"); strings.Contains(said, "problem") {
		t.Errorf("nothing is lost yet: %s", said)
	}
	s.run(data, january...)
	s.publish(20)
	s.purge(5)
	wants(t, "report", s.run(data, january...), `level=ERROR msg="messages left the stream before they were stored" messages=15`,
		`Lost from the stream before it was stored: 15 messages, between 2026-01-`)
	wants(t, "doctor", s.run(data, "doctor"), `problem +losses .*messages: 15`, `ok +books`, `hansei: 1 problem,`)
	wants(t, "report of a month before", s.run(data, "report", "--month", "2025-12"), `After this time, between 2026-01-.*, the stream lost 15 messages`)
	now := s.run(data, "report", "--month", time.Now().UTC().Format("2006-01"), "--lang", "ja")
	wants(t, "report of now", now, `ストリームのメッセージ15件`, `（ストリームから消失） +\| +15 +\| +0 +\| +0 +\| +0 +\| +15`)
	if strings.Contains(now, "serve --keep") {
		t.Errorf("what was lost is told as too old: %s", now)
	}
	wants(t, "json", s.run(data, append(january, "--format", "json")...), `"kind": ?"gap"`, `"messages": ?15`)

	s.publish(4)
	if err := s.js.DeleteStream(stream.Events); err != nil {
		t.Fatal(err)
	}
	wants(t, "report", s.run(data, january...), `level=ERROR msg="the stream was made anew.* behind=30 messages=unknown`, `nobody knows how much`)
	wants(t, "doctor", s.run(data, "doctor"), `problem +losses .*made anew.*messages: unknown`, `hansei: 2 problems`)
	if again := s.run(data, january...); strings.Contains(again, "level=ERROR") {
		t.Errorf("told in the log again: %s", again)
	}

	s.publish(6)
	s.purge(2)
	other := t.TempDir()
	wants(t, "report of a new store", s.run(other, january...), `level=ERROR msg="there was no store.* messages=4`, `no longer held the first 4 messages`)
	wants(t, "doctor", s.run(other, "doctor"), `problem +losses .*there was no store.*messages: 4`)
}

// The same of a stream that is deleted while serve reads it; and /metrics and
// the page of sources tell of it.
func TestLossWhileServing(t *testing.T) {
	s, data := startStranger(t), t.TempDir()
	base, _ := startServe(t, data, "--nats-url", s.url)
	s.publish(3)
	get := func(path string) string {
		t.Helper()
		r, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	wait(t, func() bool { return strings.Contains(get("/metrics"), "hansei_stored_sequence 3\n") })
	if err := s.js.DeleteStream(stream.Events); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool { return strings.Contains(get("/metrics"), "hansei_losses_unknown 1\n") })
	wants(t, "page", get("/sources?lang=en"), `nobody knows how much`)
	wants(t, "page", get("/sources?lang=ja"), `件数は不明`)
	s.publish(2)
	wait(t, func() bool { return strings.Contains(get("/metrics"), "hansei_stored_sequence 2\n") })
	wants(t, "doctor", s.run(data, "doctor"), `problem +losses .*made anew`)
}

// Our own stream's files are damaged after a kill. The first command that opens
// them, and be it doctor, says how much was lost, and keeps what it cannot read.
func TestDamagedStream(t *testing.T) {
	data := t.TempDir()
	hansei(t, "publish", "--data", data, writeEvents(t, 0, 1000))
	folder := filepath.Join(data, "jetstream", "$G", "streams", stream.Events, "msgs")
	block, err := os.ReadFile(filepath.Join(folder, "1.blk"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		block[len(block)/2+i] ^= 0x5a
	}
	if err := os.WriteFile(filepath.Join(folder, "1.blk"), block, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "index.db")); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("hansei", "doctor", "--data", data).Output()
	if err == nil {
		t.Error("doctor finds nothing")
	}
	wants(t, "doctor", string(said), `problem +losses .*lost its end.*messages: \d+`, `problem +stream .*stream.aside-`)
	kept, err := filepath.Glob(filepath.Join(data, stream.AsideGlob, "1.blk"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("what was cut is kept in %q: %v", kept, err)
	}
	got := strings.Fields(string(hansei(t, "query", "--data", data, "--format", "csv", "select sum(published), sum(stored) + sum(expired), sum(expired) > 0 from books")))
	if got[len(got)-1] != "1000,1000,true" {
		t.Errorf("books %s", got)
	}
}

// A store of an external server's stream that is opened once without its address
// has lost nothing, nor when it is back there.
func TestOtherServerIsNoLoss(t *testing.T) {
	s, data := startStranger(t), t.TempDir()
	s.publish(3)
	january := []string{"report", "--month", "2026-01"}
	s.run(data, january...)
	for _, said := range []string{
		string(hansei(t, "doctor", "--data", data)),
		string(hansei(t, "doctor", "--data", data)),
		s.run(data, "doctor"),
	} {
		if strings.Contains(said, "problem") {
			t.Errorf("nothing is lost: %s", said)
		}
	}
	s.publish(2)
	if err := os.RemoveAll(filepath.Join(data, "jetstream")); err != nil { // of which nothing was stored
		t.Fatal(err)
	}
	wants(t, "back", s.run(data, "query", "--format", "csv", "select sum(published), sum(stored) from books"), `\n5,5\n`)
}
