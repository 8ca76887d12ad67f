package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hansei/deliver"
	"hansei/ingest"
	"hansei/ingest/stream"
)

// A listener takes messages as a webhook does.
type listener struct {
	*httptest.Server
	hold chan bool // while open, requests are not answered; nil: they are at once

	mu   sync.Mutex
	keys []string // of the requests, answered or not
}

func listen(t *testing.T, hold chan bool) *listener {
	t.Helper()
	l := &listener{hold: hold}
	l.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // so that the server sees the client go
		l.mu.Lock()
		l.keys = append(l.keys, r.Header.Get("Idempotency-Key"))
		first := len(l.keys) == 1
		l.mu.Unlock()
		if first && l.hold != nil {
			select {
			case <-l.hold:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *listener) got() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.keys...)
}

// lastMonth publishes an incident of the month that ended last and names that month.
func lastMonth(t *testing.T, url string) string {
	t.Helper()
	month := deliver.Last(deliver.Month, time.Now().UTC())
	client, err := stream.Open(t.Context(), stream.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	publisher := client.NewPublisher()
	if err := publisher.Publish(t.Context(), &ingest.Event{ID: "late", Time: month.To.Add(-time.Hour), Agent: "bot", Code: "429", Message: "Too Many Requests"}); err != nil {
		t.Fatal(err)
	}
	if _, err := publisher.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return month.Name
}

// startNATS starts a NATS server as a program of its own.
func startNATS(t *testing.T) string {
	t.Helper()
	address := freeAddress(t)
	server := exec.Command("nats-for-test", address, t.TempDir())
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill() // an error says that it has ended
		server.Wait()
	})
	wait(t, func() bool {
		nc, err := nats.Connect("nats://" + address)
		if err == nil {
			nc.Close()
		}
		return err == nil
	})
	return "nats://" + address
}

// delivered is what deliver says of a month in the folder of a replica, once no
// delivery is under way any more.
func delivered(t *testing.T, nats, data, month string) (said string) {
	t.Helper()
	wait(t, func() bool {
		text, err := exec.Command("hansei", "deliver", "--nats-url", nats, "--data", data, "--month", month).CombinedOutput()
		said = string(text)
		if err != nil && !strings.Contains(said, "under way") {
			t.Fatalf("%v: %s", err, said)
		}
		return err == nil
	})
	return said
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Two replicas of serve on one NATS server find the same report due when they
// start: the message goes out once, each keeps the file, and neither a third
// replica nor a restart sends it again.
func TestReplicasDeliverOnce(t *testing.T) {
	nats, web := startNATS(t), listen(t, nil)
	month := lastMonth(t, nats)
	folders := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	flags := []string{"--nats-url", nats, "--report-time", "00:00", "--delivery-lease", "2s", "--webhook-url", web.URL + "/SECRET"}
	file := func(folder string) string { return filepath.Join(folder, "reports", "report-"+month+".en.html") }
	var group sync.WaitGroup
	for _, folder := range folders[:2] {
		group.Go(func() { startServe(t, folder, flags...) })
	}
	group.Wait()
	wait(t, func() bool { return exists(file(folders[0])) && exists(file(folders[1])) && len(web.got()) > 0 })
	startServe(t, folders[2], flags...)
	wait(t, func() bool { return exists(file(folders[2])) })
	for _, folder := range folders {
		if got := delivered(t, nats, folder, month); !strings.Contains(got, "webhook  "+web.URL+"/…: sent before") {
			t.Errorf("a replica says %s", got)
		}
	}
	if got := web.got(); len(got) != 1 {
		t.Errorf("requests %v", got)
	}
}

// A receiver that hangs does not hold the pipeline. A replica is killed while it
// delivers: another one takes over, with the same key, by which a receiver tells
// copies.
func TestKilledReplicaIsFollowed(t *testing.T) {
	hold := make(chan bool)
	nats, web := startNATS(t), listen(t, hold)
	defer close(hold)
	month := lastMonth(t, nats)
	flags := []string{"--nats-url", nats, "--report-time", "00:00", "--delivery-lease", "2s", "--webhook-url", web.URL}
	held, second := t.TempDir(), t.TempDir()
	_, first := startServe(t, held, flags...)
	wait(t, func() bool { return len(web.got()) == 1 }) // it is at it, and gets no answer
	more := filepath.Join(t.TempDir(), "more.jsonl")
	if err := os.WriteFile(more, []byte(`{"time":"2026-01-15T12:00:00Z","agent":"bot","message":"x"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	hansei(t, "publish", "--nats-url", nats, "--data", held, more)
	if got := string(hansei(t, "query", "--nats-url", nats, "--data", held, "--format", "csv", "select count(*) from events")); !strings.HasSuffix(got, "\n2\n") {
		t.Errorf("while a receiver hangs, stored is %s", got)
	}
	startServe(t, second, flags...)
	wait(t, func() bool { return exists(filepath.Join(second, "reports")) }) // it looks for what is due
	sigkill(t, first)
	wait(t, func() bool { return len(web.got()) == 2 })
	wait(t, func() bool {
		return strings.Contains(string(hansei(t, "deliver", "log", "--nats-url", nats, "--data", second, "--format", "csv")), "webhook,"+web.URL+"/…,sent")
	})
	if got := delivered(t, nats, second, month); !strings.Contains(got, "/…: sent before") {
		t.Errorf("the second says %s", got)
	}
	if got := web.got(); len(got) != 2 || got[0] != got[1] {
		t.Errorf("requests %v", got)
	}
}
