package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"hansei/ingest"
)

// connect returns a pipe to the other end of a connection.
func connect(t *testing.T) (*pipe, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	p := &pipe{conn: near, arrived: make(chan []arrival, 100)}
	go p.run()
	t.Cleanup(p.close)
	return p, far
}

// What a server sends is read alike in whatever pieces it comes.
func TestPipeReadsPieces(t *testing.T) {
	large := strings.Repeat("x", 3*pipeChunk)
	message := func(headers, data, words string) string {
		if headers == "" {
			return fmt.Sprintf("MSG %s %d\r\n%s\r\n", words, len(data), data)
		}
		return fmt.Sprintf("HMSG %s %d %d\r\n%s%s\r\n", words, len(headers), len(headers)+len(data), headers, data)
	}
	sent := "INFO {\"server_id\":\"x\"}\r\n+OK\r\n" +
		message("NATS/1.0\r\nNats-Msg-Id: m-1\r\n\r\n", `{"a":1}`, "events.bot 1 $JS.ACK.1") +
		message("", "", "events.bot 1 $JS.ACK.2") +
		message("NATS/1.0\r\nNats-Msg-Id:m-3\r\nOther: b\r\n\r\n", large, "events.two 1 $JS.ACK.3") +
		message("NATS/1.0 100 Idle Heartbeat\r\n\r\n", "", "inbox 1") +
		message("", "MSG a 1 3\r\nabc\r\n", "events.bot 1 $JS.ACK.5")
	want := []arrival{
		{subject: "events.bot", reply: "$JS.ACK.1", id: "m-1", data: []byte(`{"a":1}`)},
		{subject: "events.bot", reply: "$JS.ACK.2", data: []byte{}},
		{subject: "events.two", reply: "$JS.ACK.3", id: "m-3", header: nats.Header{"Nats-Msg-Id": {"m-3"}, "Other": {"b"}}, data: []byte(large)},
		{subject: "inbox", header: nats.Header{"Status": {"100"}, "Description": {"Idle Heartbeat"}}, data: []byte{}},
		{subject: "events.bot", reply: "$JS.ACK.5", data: []byte("MSG a 1 3\r\nabc\r\n")},
	}
	for _, size := range []int{1, 7, 1000, pipeChunk, len(sent)} {
		p, far := connect(t)
		go func() {
			for rest := []byte(sent); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				far.Write(rest[:min(size, len(rest))]) // what fails is missed below
			}
			far.Close()
		}()
		var got []arrival
		for list := range p.arrived {
			got = append(got, list...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("in pieces of %d bytes: %.300q", size, fmt.Sprint(got))
		}
		if p.err != io.EOF {
			t.Errorf("in pieces of %d bytes: %v", size, p.err)
		}
	}
}

// A pipe answers the server's question whether it is there, and ends with what
// it cannot read.
func TestPipeAnswers(t *testing.T) {
	_, far := connect(t)
	go far.Write([]byte("PING\r\n"))
	answer := make([]byte, len("PONG\r\n"))
	if _, err := io.ReadFull(far, answer); err != nil || string(answer) != "PONG\r\n" {
		t.Errorf("%q, %v", answer, err)
	}
	for _, line := range []string{
		"-ERR 'Authorization Violation'", "MSG", "MSG a 1", "MSG a 1 x", "MSG a 1 -1", "MSG a 1 b 2 3", "HMSG a 1 3", "HMSG a 1 b x 3", "HMSG a 1 b 4 3",
		"HMSG a 1 b -1 3", "HMSG a 1 b c 4 3",
	} {
		p, far := connect(t)
		go far.Write([]byte(line + "\r\nabcd\r\n"))
		for list := range p.arrived {
			t.Errorf("%s: %v", line, list)
		}
		if p.err == nil || !bytes.Contains([]byte(p.err.Error()), []byte("embedded NATS server s")) {
			t.Errorf("%s: %v", line, p.err)
		}
	}
}

// Our own server is read through a pipe also where it wants a token, and again
// after it was started anew.
func TestPipeToAServerStartedAnew(t *testing.T) {
	c := open(t, Options{Listen: "127.0.0.1:0", Token: "s3cret"})
	for _, id := range []string{"a", "b"} {
		if err := c.Publish(t.Context(), event(id)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := c.openFeed(consumerOf(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := f.next(t.Context(), feedSilence); err != nil || a.id != "a" {
		t.Errorf("%+v, %v", a, err)
	}
	c.server.shutdown()
	for err == nil {
		_, err = f.next(t.Context(), feedSilence)
	}
	if !errors.Is(err, errGap) {
		t.Error(err)
	}
	f.close()
	if err := c.server.start(); err != nil {
		t.Fatal(err)
	}
	if ids, _ := read(t, c, ingest.Position{}, 2); fmt.Sprint(ids) != "[a b]" {
		t.Error(ids)
	}
}

// consumerOf makes a consumer of all messages.
func consumerOf(t *testing.T, c *Client) string {
	t.Helper()
	name, err := c.NewSource("test", ingest.Position{}, 0).consumer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return name
}
