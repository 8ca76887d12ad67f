package stream

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"hansei/ingest"
)

// A proxy passes connections on to a server until they are cut.
type proxy struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func startProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l}
	t.Cleanup(func() { l.Close(); p.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, near, far)
			p.mu.Unlock()
			go func() { io.Copy(near, far); near.Close() }() // ends when cut
			go func() { io.Copy(far, near); far.Close() }()
		}
	}()
	return p
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// Messages under way when the connection breaks come again, in order; they are
// not taken for messages that the stream has lost.
func TestConnectionCutWhileReading(t *testing.T) {
	publisher := open(t, Options{Listen: "127.0.0.1:0"})
	const events = 60_000
	p := publisher.NewPublisher()
	for i := range events {
		if err := p.Publish(t.Context(), event(fmt.Sprint("e", i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	between := startProxy(t, publisher.server.current.Addr().String())
	reader := open(t, Options{URL: "nats://" + between.Addr().String()})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var next, missing uint64
	err := Run(ctx, reader.NewSource("test", ingest.Position{}, 0), messages(func(_ context.Context, m []Message, b Batch[[]Message]) error {
		missing += b.Missing
		for i := range m {
			if next++; m[i].Sequence != next {
				t.Errorf("message %d came where %d was due", m[i].Sequence, next)
				cancel()
				return nil
			}
		}
		if next == events {
			cancel()
		}
		if next < events*3/4 {
			go func() { time.Sleep(time.Millisecond); between.cut() }() // while the next batch is under way
		}
		return nil
	}))
	if err != nil || next != events || missing != 0 {
		t.Errorf("handled %d of %d, %d missing, %v", next, events, missing, err)
	}
}
