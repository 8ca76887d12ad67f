package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// Messages made to stop the pipeline do not: the event behind them is stored.
func TestHostileMessages(t *testing.T) {
	data := t.TempDir()
	startServe(t, data)
	server, _ := readServer(data)
	nc, err := nats.Connect(server.NATS)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	wide := strings.Repeat("漢", 341) // 1,023 bytes, which escape to three times that
	event := func(id, agent, session string) []byte {
		e := ingest.Event{ID: id, Time: time.Now().UTC(), Agent: agent, Session: session, Code: "429"}
		return e.AppendJSON(nil)
	}
	for _, m := range []*nats.Msg{
		{Data: []byte(strings.Repeat("x", 8<<20-1024))},
		{Data: []byte("a"), Header: nats.Header{"Hansei-Reason": {"bad \xff"}, "Hansei-Position": {"p\xff"}, "Hansei-Source": {"s\xff"}}},
		{Data: []byte("b"), Header: nats.Header{"Hansei-Reason": {"r"}, "Hansei-Source": {strings.Repeat("s", 5000)}}},
		{Data: event("wide", wide, wide)},
		{Data: event("", "bot", "s"), Header: nats.Header{"Nats-Msg-Id": {"m\xff"}}},
		{Data: event("last", "bot", "s")},
	} {
		m.Subject = stream.EventSubject("bot")
		reply, err := nc.RequestMsg(m, time.Minute)
		if err != nil || strings.Contains(string(reply.Data), "error") {
			t.Fatalf("%.50s: %v, %v", m.Data, reply, err)
		}
	}
	got := func() string {
		return strings.Join(strings.Fields(string(hansei(t, "query", "--data", data, "--format", "csv", "select (select count(*) from events), (select count(*) from quarantine)"))), " ")
	}
	wait(t, func() bool { return strings.HasSuffix(got(), " 3,3") })
}

// A stream that lost its end, as by a loss of power or an old copy put back, is
// read again: what is published then is stored, what was stored stays once.
func TestStreamThatLostItsEnd(t *testing.T) {
	data := t.TempDir()
	publish := func(from, to int) {
		t.Helper()
		hansei(t, "publish", "--data", data, writeEvents(t, from, to))
	}
	count := func() string {
		return string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*), count(distinct id) from events"))
	}
	publish(0, 2)
	count() // stores them
	old := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(old, os.DirFS(filepath.Join(data, "jetstream"))); err != nil {
		t.Fatal(err)
	}
	publish(2, 6)
	if got := count(); !strings.Contains(got, "6,6") {
		t.Fatalf("before: %s", got)
	}
	if err := os.RemoveAll(filepath.Join(data, "jetstream")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, filepath.Join(data, "jetstream")); err != nil {
		t.Fatal(err)
	}
	publish(10, 13)
	if got := count(); !strings.Contains(got, "9,9") {
		t.Errorf("after: %s", got)
	}
}

// A stream whose messages are all gone has nothing to wait for.
func TestEmptiedStream(t *testing.T) {
	data := t.TempDir()
	_, serve := startServe(t, data)
	server, _ := readServer(data)
	nc, err := nats.Connect(server.NATS)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := js.Publish(stream.EventSubject("bot"), fmt.Appendf(nil, "no event %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := js.PurgeStream(stream.Events); err != nil {
		t.Fatal(err)
	}
	hansei(t, "report", "--data", data, "--month", "2026-01")
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	serve.Wait()
	other := filepath.Join(t.TempDir(), "new") // a store that has never seen the stream
	if err := os.CopyFS(filepath.Join(other, "jetstream"), os.DirFS(filepath.Join(data, "jetstream"))); err != nil {
		t.Fatal(err)
	}
	hansei(t, "report", "--data", other, "--month", "2026-01")
}
