package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"hansei/ingest/stream"
)

// startServe starts a serve that the test ends.
func startServe(t *testing.T, data string, args ...string) (base string, serve *exec.Cmd) {
	t.Helper()
	web := freeAddress(t)
	serve = exec.Command("hansei", append([]string{"serve", "--data", data, "--listen", web, "--nats-listen", "127.0.0.1:0"}, args...)...)
	serve.Stderr = os.Stderr
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill() }) // an error says that it has ended
	waitHealthy(t, "http://"+web+"/healthz")
	return "http://" + web, serve
}

// What any client can put on the subject, good and bad: the good is stored, the
// bad is in quarantine with its reason, and the books add up.
func TestInputFromAnyClient(t *testing.T) {
	data := t.TempDir()
	startServe(t, data)
	server, ok := readServer(data)
	if !ok {
		t.Fatal("serve does not tell where it is")
	}
	client, err := stream.Open(t.Context(), stream.Options{URL: server.NATS})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	event := func(more string) string { return `{"time":"2026-01-15T12:00:00Z","agent":"bot"` + more + `}` }
	var many []string
	for i := range 1001 {
		many = append(many, event(fmt.Sprintf(`,"turn":%d`, i)))
	}
	send := func(subject, message string) {
		t.Helper()
		if err := client.Emit(subject, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	bad := map[string]string{
		"not JSON":            "Segmentation fault",
		"a JSON string":       `"text"`,
		"time: missing":       `{"agent":"bot"}`,
		"after its arrival":   `{"agent":"bot","time":"2199-01-01T00:00:00Z"}`,
		"at most 65536":       event(`,"message":"` + strings.Repeat("x", 65<<10) + `"`),
		"array of 1001":       "[" + strings.Join(many, ",") + "]",
		"empty array":         "[]",
		"invalid UTF-8":       event(",\"message\":\"\xff\""),
		"a NUL character":     event(`,"message":"a\u0000b"`),
		"attempt: -1":         event(`,"attempt":-1`),
		`kind: "oops"`:        event(`,"kind":"oops"`),
		"attempt: a JSON str": event(`,"attempt":"2"`),
	}
	for _, message := range bad {
		send(stream.EventSubject("bot"), message)
	}
	// A malformed event in the middle of an array, and an agent of odd characters.
	send(stream.EventSubject("a.b*c>日本"), `[`+event(`,"id":"good-1"`)+`,{"oops":1},{"id":"good-2","time":"2026-01-15T12:00:00Z","agent":"a.b*c>日本"}]`)
	send(stream.EventSubject("bot"), event(`,"id":"good-1","message":"other content under a known id"`))

	hansei := func(args ...string) string { return string(hansei(t, append(args, "--data", data)...)) }
	wait(t, func() bool {
		return strings.TrimSpace(hansei("query", "--format", "csv", "select count(*) c from events")) == "c\n2"
	})
	var reasons []struct{ Reason string }
	if err := json.Unmarshal([]byte(hansei("quarantine", "list", "--format", "json")), &reasons); err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(reasons)
	for reason := range bad {
		if !strings.Contains(all, reason) {
			t.Errorf("nothing in quarantine because of %q", reason)
		}
	}
	if len(reasons) != len(bad)+1 {
		t.Errorf("%d in quarantine, want %d: %s", len(reasons), len(bad)+1, all)
	}
	books := hansei("query", "--format", "csv", "select sum(published)::int, sum(stored)::int, sum(deduplicated)::int, sum(quarantined)::int from books")
	if want := fmt.Sprintf("%d,2,1,%d", len(bad)+4, len(bad)+1); !strings.Contains(books, want) {
		t.Errorf("books %s, want %s", books, want)
	}
}

// An external NATS server goes away while serve runs, and comes back.
func TestExternalServerLost(t *testing.T) {
	dir := t.TempDir()
	address := freeAddress(t)
	var port int
	if _, err := fmt.Sscanf(address, "127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	external := func() *natsserver.Server {
		s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: filepath.Join(dir, "nats"), NoSigs: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("server does not start")
		}
		return s
	}
	server := external()
	data := filepath.Join(dir, "data")
	base, serve := startServe(t, data, "--nats-url", server.ClientURL())
	client, err := stream.Open(t.Context(), stream.Options{URL: server.ClientURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	const events = 600
	publisher := client.NewPublisher()
	for i := range events {
		if i == 200 || i == 400 {
			server.Shutdown()
			server.WaitForShutdown()
			server = external()
		}
		if err := publisher.Publish(t.Context(), crashEvent(i)); err != nil {
			t.Fatal(err)
		}
	}
	if receipt, err := publisher.Flush(t.Context()); err != nil || receipt.Acked != events {
		t.Fatalf("%+v, %v", receipt, err)
	}
	waitHealthy(t, base+"/healthz")
	wait(t, func() bool {
		return strings.Contains(string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*), count(distinct id) from events")), "600,600")
	})
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
	server.Shutdown()
}

// An external NATS server comes back while serve runs with the files of an
// earlier moment: serve reads the stream again from its beginning, as it would
// after a restart, and stores what comes.
func TestExternalServerPutBack(t *testing.T) {
	dir, address := t.TempDir(), freeAddress(t)
	var port int
	if _, err := fmt.Sscanf(address, "127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	external := func(folder string) *natsserver.Server {
		s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: filepath.Join(dir, folder), NoSigs: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("server does not start")
		}
		return s
	}
	end := func(s *natsserver.Server) { s.Shutdown(); s.WaitForShutdown() }
	server := external("nats")
	data := filepath.Join(dir, "data")
	base, serve := startServe(t, data, "--nats-url", server.ClientURL())
	publish := func(from, to int) {
		hansei(t, "publish", "--data", data, "--nats-url", server.ClientURL(), writeEvents(t, from, to))
	}
	stored := func(want string) func() bool {
		return func() bool {
			return strings.Contains(string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*), count(distinct id) from events")), want)
		}
	}
	publish(0, 100)
	wait(t, stored("100,100"))
	end(server)
	if err := os.CopyFS(filepath.Join(dir, "earlier"), os.DirFS(filepath.Join(dir, "nats"))); err != nil {
		t.Fatal(err)
	}
	server = external("nats")
	waitHealthy(t, base+"/healthz")
	publish(100, 300)
	wait(t, stored("300,300"))
	end(server)
	server = external("earlier")
	waitHealthy(t, base+"/healthz")
	publish(300, 350)
	wait(t, stored("350,350"))
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
	server.Shutdown()
}
