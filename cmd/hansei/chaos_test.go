package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// chaos reports whether the tests run in their long form, see make chaos.
func chaos() bool { return os.Getenv("HANSEI_CHAOS") != "" }

// natsForTest is a NATS server as a program of its own, to be killed:
// nats-for-test HOST:PORT DIR.
func natsForTest() {
	host, port, err := net.SplitHostPort(os.Args[1])
	if err != nil {
		panic(err)
	}
	o := &natsserver.Options{Host: host, JetStream: true, StoreDir: os.Args[2], SyncInterval: time.Second}
	if o.Port, err = strconv.Atoi(port); err != nil {
		panic(err)
	}
	s, err := natsserver.NewServer(o)
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
}

// An external NATS server is killed and started again while events come in:
// what was acked is stored, once.
func TestKilledNATSServerLosesNothing(t *testing.T) {
	if !chaos() {
		t.Skip("only with make chaos")
	}
	const kills, events = 10, 6000
	dir := t.TempDir()
	address, web := freeAddress(t), freeAddress(t)
	start := func() *exec.Cmd {
		server := exec.Command("nats-for-test", address, filepath.Join(dir, "nats"))
		server.Stderr = os.Stderr
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Process.Kill() }) // an error says that it has ended
		wait(t, func() bool {
			nc, err := nats.Connect("nats://" + address)
			if err == nil {
				nc.Close()
			}
			return err == nil
		})
		return server
	}
	server := start()
	data := filepath.Join(dir, "data")
	serve := exec.Command("hansei", "serve", "--data", data, "--nats-url", "nats://"+address, "--listen", web)
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill() })
	waitHealthy(t, "http://"+web+"/healthz")
	var sent atomic.Int64
	acked := make(chan error, 1)
	go func() { acked <- publishSlowly(t.Context(), "nats://"+address, events, &sent) }()
	for kill := range kills {
		wait(t, func() bool { return sent.Load() >= int64((kill+1)*events/(kills+1)) })
		sigkill(t, server)
		server = start()
	}
	if err := <-acked; err != nil {
		t.Fatal(err)
	}
	waitHealthy(t, "http://"+web+"/healthz")
	wait(t, func() bool {
		return strings.HasSuffix(strings.TrimSpace(string(hansei(t, "query", "--data", data, "--nats-url", "nats://"+address, "--format", "csv", "select count(*), count(distinct id) from events"))),
			fmt.Sprintf("\n%d,%d", events, events))
	})
}

// The last bytes of the store's log are damaged, as by a disk that lied. Either
// DuckDB leaves the damaged end out, and the stream, whose position went with
// it, is read again from there; or every command says what to do, and doctor
// --rebuild puts the log aside and brings the rest back from the stream. What
// the stream holds no more stays in the store.
func TestDamagedLog(t *testing.T) {
	damages := []string{"flip"}
	if chaos() {
		damages = append(damages, "cut", "junk")
	}
	for _, damage := range damages {
		data := t.TempDir()
		hansei(t, "import", "--data", data, "--format", "hansei", writeEvents(t, 3000, 3500))
		if err := os.RemoveAll(filepath.Join(data, "jetstream")); err != nil {
			t.Fatal(err)
		}
		_, serve := startServe(t, data)
		events := writeEvents(t, 0, 3000)
		hansei(t, "import", "--data", data, "--format", "hansei", events)
		before := reportOf(t, data)
		sigkill(t, serve)
		log := filepath.Join(data, "hansei.duckdb.wal")
		text, err := os.ReadFile(log)
		if err != nil || len(text) < 100 {
			t.Fatalf("no log to damage: %d bytes, %v", len(text), err)
		}
		switch end := len(text) - 50; damage {
		case "flip":
			text[end] ^= 0xff
		case "cut":
			text = text[:end]
		case "junk":
			text = append(text, bytes.Repeat([]byte{0x5a}, 64)...)
		}
		if err := os.WriteFile(log, text, 0o644); err != nil {
			t.Fatal(err)
		}
		report := exec.Command("hansei", "report", "--data", data, "--month", "2026-01", "--format", "json")
		var said bytes.Buffer
		report.Stderr = &said
		if after, err := report.Output(); err == nil {
			t.Logf("%s: DuckDB left the damaged end out", damage)
			if !bytes.Equal(withoutLedger(after), withoutLedger(before)) {
				t.Errorf("%s: the report differs", damage)
			}
			continue
		}
		t.Logf("%s: %s", damage, strings.TrimSpace(said.String()))
		if !strings.Contains(said.String(), "doctor --rebuild") {
			t.Errorf("%s: the error does not say what to do", damage)
		}
		check, err := exec.Command("hansei", "doctor", "--data", data).Output()
		if err == nil || !strings.Contains(string(check), "problem  store") || !strings.Contains(string(check), "ok       stream      3000 messages") {
			t.Errorf("%s: doctor says %s", damage, check)
		}
		hansei(t, "doctor", "--rebuild", "--data", data)
		if after := reportOf(t, data); !bytes.Equal(after, before) {
			t.Errorf("%s: the report differs after the store was rebuilt", damage)
		}
		hansei(t, "doctor", "--data", data)
	}
}

// writeEvents writes crash events as JSON Lines.
func writeEvents(t *testing.T, from, to int) string {
	t.Helper()
	var lines []byte
	for i := from; i < to; i++ {
		lines = append(crashEvent(i).AppendJSON(lines), '\n')
	}
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A malformed message in the middle of a batch, a clock that jumps by decades
// and everything published twice: the good events are there within seconds and
// once, the rest is in quarantine, and doctor finds nothing wrong.
func TestMalformedMessageAndJumpingClock(t *testing.T) {
	const events = 1000
	data := t.TempDir()
	startServe(t, data)
	server, _ := readServer(data)
	nc, err := nats.Connect(server.NATS)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	publish := func(text []byte) {
		t.Helper()
		if err := nc.Publish(stream.EventSubject("bot"), text); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	for range 2 { // without message ids, so that the store alone recognises them
		for i := range events {
			e := crashEvent(i)
			if i%10 == 0 {
				e.Time = e.Time.AddDate(-20, 0, 0)
			}
			publish(e.AppendJSON(nil))
			if i == events/2 {
				publish([]byte(`{"time":"2026-01-15T12:00:00Z","agent":`))
				ahead := ingest.Event{ID: "ahead", Time: start.AddDate(30, 0, 0), Agent: "bot"}
				publish(ahead.AppendJSON(nil))
			}
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool {
		got := string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*), count(distinct id), (select count(*) from quarantine) from events"))
		return strings.HasSuffix(strings.TrimSpace(got), fmt.Sprintf("\n%d,%d,2", events, events))
	})
	t.Logf("queryable after %v; the promise is 5 s", time.Since(start)) // a stall would last past the wait's end
	hansei(t, "doctor", "--data", data)
}
