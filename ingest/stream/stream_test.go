package stream

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"hansei/ingest"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, o Options) *Client {
	t.Helper()
	if o.URL == "" && o.Dir == "" {
		o.Dir = t.TempDir()
	}
	c, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func event(id string) *ingest.Event {
	return &ingest.Event{ID: id, Time: noon, Agent: "bot", Message: "rate limited"}
}

// messages hands whole batches of messages to keep.
func messages(keep func(context.Context, []Message, Batch[[]Message]) error) Handler[[]Message] {
	return Handler[[]Message]{
		Prepare: func(m []Message) []Message { return m },
		Keep: func(ctx context.Context, b Batch[[]Message]) error {
			return keep(ctx, slices.Concat(b.Parts...), b)
		},
	}
}

// read runs a source until it has delivered n messages, and returns their ids.
func read(t *testing.T, c *Client, from ingest.Position, n int) (ids []string, batches []Batch[[]Message]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := Run(ctx, c.NewSource("test", from, 0), messages(func(_ context.Context, m []Message, b Batch[[]Message]) error {
		for i := range m {
			for _, r := range m[i].Records() {
				if r.Err != nil {
					ids = append(ids, "bad: "+r.Err.Error())
				} else {
					ids = append(ids, r.Event.ID)
				}
			}
		}
		batches = append(batches, b)
		if len(ids) >= n {
			cancel()
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return ids, batches
}

func TestPublishAndRead(t *testing.T) {
	c := open(t, Options{})
	p := c.NewPublisher()
	for i := range 100 {
		if err := p.Publish(t.Context(), event(fmt.Sprint("e", i)), Header("traceparent", "x")); err != nil {
			t.Fatal(err)
		}
	}
	bad := ingest.Record{Err: errors.New("not YAML"), Raw: []byte("a: b: c"), Position: "log.yaml:3", Near: noon}
	if err := p.PublishBad(t.Context(), "agentskills", &bad); err != nil {
		t.Fatal(err)
	}
	receipt, err := p.Flush(t.Context())
	if err != nil || receipt.Acked != 101 || receipt.Published != 101 || len(receipt.Sequences) != 1 || receipt.Sequences[0] != (Range{1, 101}) {
		t.Fatalf("receipt %+v, %v", receipt, err)
	}
	ids, batches := read(t, c, ingest.Position{}, 101)
	if len(ids) != 101 || ids[0] != "e0" || ids[99] != "e99" || ids[100] != "bad: not YAML" {
		t.Errorf("read %d: %v", len(ids), ids)
	}
	last := slices.Concat(batches[len(batches)-1].Parts...)
	m := last[len(last)-1]
	if r := m.Records()[0]; m.Source() != "agentskills" || r.Position != "log.yaml:3" || !r.Near.Equal(noon) {
		t.Errorf("bad record lost where it came from: %q %+v", m.Source(), r)
	}
}

func TestDuplicatesAreCounted(t *testing.T) {
	c := open(t, Options{})
	p := c.NewPublisher()
	for range 3 {
		if err := p.Publish(t.Context(), event("same")); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := p.Flush(t.Context())
	if err != nil || receipt.Acked != 3 || receipt.Duplicates != 2 {
		t.Errorf("receipt %+v, %v", receipt, err)
	}
}

func TestSourceContinuesAtOnceAfterACrash(t *testing.T) {
	c := open(t, Options{})
	for i := range 5 {
		if err := c.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	crash := errors.New("crash")
	err := Run(t.Context(), c.NewSource("test", ingest.Position{}, 0), messages(func(context.Context, []Message, Batch[[]Message]) error { return crash }))
	if !errors.Is(err, crash) {
		t.Fatalf("got %v, want the handler's error", err)
	}
	tip, err := c.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	ids, _ := read(t, c, ingest.Position{Stream: Events, Created: tip.Created, Sequence: 2}, 3) // the store had kept two
	if got := strings.Join(ids, " "); got != "e2 e3 e4" {
		t.Errorf("read %q", got)
	}
	if wait := time.Since(start); wait > time.Minute {
		t.Errorf("waited %v for what was not acknowledged", wait)
	}
}

func TestMissingMessagesAreCounted(t *testing.T) {
	c := open(t, Options{})
	for i := range 5 {
		if err := c.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.js.Stream(t.Context(), Events)
	if err != nil {
		t.Fatal(err)
	}
	for _, sequence := range []uint64{2, 3} {
		if err := s.DeleteMsg(t.Context(), sequence); err != nil {
			t.Fatal(err)
		}
	}
	tip, err := c.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, batches := read(t, c, ingest.Position{Stream: Events, Created: tip.Created, Sequence: 1}, 2)
	missing := uint64(0)
	for _, b := range batches {
		missing += b.Missing
	}
	if missing != 2 {
		t.Errorf("missing %d, want 2", missing)
	}
}

// An external server that goes away and comes back on the same port and folder:
// what was sent one by one, or in batches, is there once.
func TestServerLostInMidRun(t *testing.T) {
	for _, syncs := range []bool{false, true} {
		serverLostInMidRun(t, syncs)
	}
}

func serverLostInMidRun(t *testing.T, syncs bool) {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	external := func() *natsserver.Server {
		s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoSigs: true, SyncAlways: syncs})
		if err != nil {
			t.Error(err)
			return nil
		}
		s.Start()
		if !s.ReadyForConnections(time.Minute) {
			t.Error("server does not start")
		}
		return s
	}
	s, back := external(), make(chan *natsserver.Server)
	c := open(t, Options{URL: s.ClientURL()})
	c.syncs = syncs // as the stream's metadata would say
	p := c.NewPublisher()
	for i := range 2000 {
		if i == 1000 {
			s.Shutdown()
			s.WaitForShutdown()
			go func() { back <- external() }() // while publishing goes on and waits
		}
		if err := p.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	defer (<-back).Shutdown()
	receipt, err := p.Flush(t.Context())
	if err != nil || receipt.Acked != 2000 {
		t.Fatalf("receipt acked %d, %v", receipt.Acked, err)
	}
	ids, _ := read(t, c, ingest.Position{}, 2000)
	unique := map[string]bool{}
	for _, id := range ids {
		unique[id] = true
	}
	if len(unique) != 2000 {
		t.Errorf("%d of 2000 events arrived", len(unique))
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestOpenErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"port taken", Options{Dir: t.TempDir(), Listen: taken.Addr().String()}, "another program has this port"},
		{"bad address", Options{Dir: t.TempDir(), Listen: "nowhere"}, "write it like 127.0.0.1:4222"},
		{"nobody there", Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", freePort(t))}, "leave it out to use the embedded server"},
		{"no such context", Options{Context: "none"}, "nats context ls"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Open(t.Context(), test.o)
			if err == nil {
				c.Close()
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Any NATS client of any language may publish, on a subject that the agent's name makes.
func TestForeignClient(t *testing.T) {
	c := open(t, Options{Listen: "127.0.0.1:0", Token: "secret"})
	if _, err := nats.Connect(c.URL()); err == nil {
		t.Error("connected without the token")
	}
	nc, err := nats.Connect(c.URL(), nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	reply, err := nc.Request(EventSubject("a.b*c>日本"), []byte(`[{"time":"2026-01-15T12:00:00Z","agent":"a.b*c>日本"},{}]`), time.Minute)
	if err != nil || strings.Contains(string(reply.Data), "error") {
		t.Fatalf("reply %v, %v", reply, err)
	}
	ids, _ := read(t, c, ingest.Position{}, 2)
	if len(ids) != 2 || !strings.HasPrefix(ids[0], "c-") || !strings.HasPrefix(ids[1], "bad: time: missing") {
		t.Errorf("read %v", ids)
	}
}

func TestToken(t *testing.T) {
	for in, want := range map[string]string{
		"claude-code_2": "claude-code_2",
		"a.b*c>日本":      "a%2Eb%2Ac%3E%E6%97%A5%E6%9C%AC",
		"with space":    "with%20space",
		"":              "_",
	} {
		if got := Token(in); got != want {
			t.Errorf("Token(%q) = %q, want %q", in, got, want)
		}
	}
}

// A CloudEvent in binary mode has its attributes in headers, escaped by percent.
func TestCloudEventHeaders(t *testing.T) {
	m := Message{Arrived: noon, Data: []byte(`{"operation":"search","message":"Too Many Requests"}`), header: nats.Header{
		"ce-specversion": {"1.0"}, "ce-id": {"a%20b"}, "ce-source": {"/agents/planner"}, "ce-type": {"x.failed"}, "ce-time": {noon.Format(time.RFC3339)},
	}}
	r := m.Records()
	if len(r) != 1 || r[0].Err != nil || r[0].Event.ID != "ce//agents/planner/a b" || r[0].Event.Agent != "planner" || r[0].Event.Operation != "search" {
		t.Errorf("got %+v", r)
	}
}

// A CloudEvent in structured mode is known by its content type or its envelope.
func TestCloudEventStructured(t *testing.T) {
	envelope := `{"specversion":"1.0","id":"1","source":"/agents/planner","type":"x.failed","time":"` + noon.Format(time.RFC3339) + `","data":{"message":"Too Many Requests"}}`
	for _, test := range []struct{ name, kind, data, want string }{
		{"content type", "application/cloudevents+json; charset=utf-8", envelope, "ce//agents/planner/1 cloudevents, "},
		{"no content type", "", envelope, "ce//agents/planner/1 cloudevents, "},
		{"a batch", "application/cloudevents-batch+json", "[" + envelope + `,{"specversion":"1.0"}]`, "ce//agents/planner/1 cloudevents, bad message[1], "},
		{"no JSON", "application/cloudevents+json", "{", "bad message, "},
		{"an event of ours that says the word", "", `{"id":"n","time":"` + noon.Format(time.RFC3339) + `","agent":"a","specversion":"1.0","source":"hansei","type":"t"}`, "n hansei, "},
	} {
		m := Message{Arrived: noon, Data: []byte(test.data), header: nats.Header{"Content-Type": {test.kind}}}
		got := ""
		for _, r := range m.Records() {
			if r.Err != nil {
				got += "bad " + r.Position + ", "
			} else {
				got += r.Event.ID + " " + r.Event.Source + ", "
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
