package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// Serve is killed at random moments while events are published. In the end
// every event acked to the publisher is stored once, and the report is that of
// an undisturbed run, byte for byte.
func TestKilledServeLosesNothing(t *testing.T) {
	kills, events := 5, 4000
	if chaos() {
		kills, events = 100, 40_000
	}
	dir := t.TempDir()
	nats, web := freeAddress(t), freeAddress(t)
	start := func() *exec.Cmd { return serveAt(t, filepath.Join(dir, "killed"), nats, web) }
	serve := start()

	var sent atomic.Int64
	acked := make(chan error, 1)
	go func() { acked <- publishSlowly(t.Context(), "nats://"+nats, events, &sent) }()

	random := rand.New(rand.NewPCG(1, 2))
	for kill := range kills {
		until := int64((kill + 1) * events / (kills + 1))
		until += random.Int64N(int64(events / kills / 4))
		wait(t, func() bool { return sent.Load() >= until })
		sigkill(t, serve)
		serve = start()
	}
	if err := <-acked; err != nil {
		t.Fatal(err)
	}
	killed := reportOf(t, filepath.Join(dir, "killed")) // asks the running serve, which catches up first
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
	if again := reportOf(t, filepath.Join(dir, "killed")); !bytes.Equal(again, killed) {
		t.Error("the report differs after serve has ended")
	}
	wantStoredOnce(t, killed, events)
	calm := filepath.Join(dir, "calm.jsonl")
	var lines []byte
	for i := range events {
		lines = append(crashEvent(i).AppendJSON(lines), '\n')
	}
	if err := os.WriteFile(calm, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	hansei(t, "import", "--format", "hansei", "--data", filepath.Join(dir, "calm"), calm)
	if undisturbed := reportOf(t, filepath.Join(dir, "calm")); !bytes.Equal(withoutLedger(undisturbed), withoutLedger(killed)) {
		t.Errorf("killed:\n%s\nundisturbed:\n%s", killed, undisturbed)
	}
}

// sigkill ends a program that was started, and waits for its end.
func sigkill(t *testing.T, program *exec.Cmd) {
	t.Helper()
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	program.Wait() // killed
}

// wantStoredOnce wants a report to count so many acked events, and its books to balance.
func wantStoredOnce(t *testing.T, report []byte, events int) {
	t.Helper()
	var got struct {
		Ledger struct{ Published, Stored, Deduplicated int }
		Totals struct{ Events int }
	}
	if err := json.Unmarshal(report, &got); err != nil {
		t.Fatal(err)
	}
	if got.Ledger.Stored != events || got.Totals.Events != events || got.Ledger.Published != got.Ledger.Stored+got.Ledger.Deduplicated {
		t.Errorf("of %d acked events: %+v", events, got)
	}
}

// serveAt starts serve, and returns once it answers.
func serveAt(t *testing.T, data, nats, web string, flags ...string) *exec.Cmd {
	t.Helper()
	serve := exec.Command("hansei", append([]string{"serve", "--data", data, "--nats-listen", nats, "--listen", web}, flags...)...)
	serve.Stderr = os.Stderr
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill() }) // an error says that it has ended
	waitHealthy(t, "http://"+web+"/healthz")
	return serve
}

// The same holds where publishers send atomic batches, of which the stream may
// have all, some or nothing when it is killed.
func TestKilledServeLosesNoBatch(t *testing.T) {
	const kills, events = 2, 2000
	data, nats, web := t.TempDir(), freeAddress(t), freeAddress(t)
	start := func() *exec.Cmd { return serveAt(t, data, nats, web, "--sync", "always") }
	serve := start()
	var sent atomic.Int64
	acked := make(chan error, 1)
	go func() { acked <- publishSlowly(t.Context(), "nats://"+nats, events, &sent) }()
	for kill := range kills {
		wait(t, func() bool { return sent.Load() >= int64((kill+1)*events/(kills+1)) })
		sigkill(t, serve)
		serve = start()
	}
	if err := <-acked; err != nil {
		t.Fatal(err)
	}
	wantStoredOnce(t, reportOf(t, data), events)
}

// withoutLedger leaves out what tells of copies: a publisher that got no ack
// sends again.
func withoutLedger(report []byte) []byte {
	before, _, _ := bytes.Cut(report, []byte(`"ledger"`))
	return before
}

// crashEvent is event i: every third incident is resolved by its retry.
func crashEvent(i int) *ingest.Event {
	e := &ingest.Event{
		ID: fmt.Sprint("k", i), Time: time.Date(2026, 1, 1+i%28, i%24, 0, i%60, 0, time.UTC), Agent: "bot", Operation: "fetch",
		Incident: fmt.Sprint("i", i/2), Attempt: ingest.Some(int64(1 + i%2)), Code: "429", Message: "Too Many Requests",
	}
	if i%6 == 1 {
		e.Kind = ingest.Success
	}
	return e
}

// publishSlowly publishes in small groups, so that kills fall between and into them.
func publishSlowly(ctx context.Context, url string, events int, sent *atomic.Int64) error {
	client, err := stream.Open(ctx, stream.Options{URL: url})
	if err != nil {
		return err
	}
	defer client.Close()
	publisher := client.NewPublisher()
	for i := range events {
		if err := publisher.Publish(ctx, crashEvent(i)); err != nil {
			return err
		}
		if i%20 == 0 {
			if _, err := publisher.Flush(ctx); err != nil {
				return err
			}
		}
		sent.Add(1)
	}
	_, err = publisher.Flush(ctx)
	return err
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// wait looks at a condition until it holds.
func wait(t *testing.T, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(deadline); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

func waitHealthy(t *testing.T, url string) {
	t.Helper()
	wait(t, func() bool {
		r, err := http.Get(url)
		return err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK
	})
}

func hansei(t *testing.T, args ...string) []byte {
	t.Helper()
	command := exec.Command("hansei", args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("hansei %v: %v", args, err)
	}
	return out
}

func reportOf(t *testing.T, data string) []byte {
	t.Helper()
	return hansei(t, "report", "--data", data, "--month", "2026-01", "--format", "json")
}
