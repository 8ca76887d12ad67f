package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/nats-io/nats.go"
)

// An arrival is a message as a consumer delivered it, or what the server says
// of a request, which has no address for an answer.
type arrival struct {
	subject, reply string
	id             string      // its Nats-Msg-Id
	header         nats.Header // all of it; nil: there is nothing but the id
	data           []byte
}

// arrivalOf keeps of m what is read later. Of most that is little: the table of
// its headers takes more memory than the rest.
func arrivalOf(m *nats.Msg) arrival {
	a := arrival{subject: m.Subject, reply: m.Reply, id: m.Header.Get(nats.MsgIdHdr), header: m.Header, data: m.Data}
	if len(m.Header) == 1 && a.id != "" {
		a.header = nil
	}
	return a
}

// A pipe is a connection to the server of this process that takes the messages
// of one inbox. It is as much of a NATS client as that needs: the whole one, of
// nats.go, makes a table of each message's headers and copies of all its texts,
// an eighth of what a single event costs from the stream to the store. What a
// pipe delivers shares the memory that was read.
type pipe struct {
	conn    net.Conn
	arrived chan []arrival // closed when reading has ended
	err     error          // why it has; for whoever saw arrived closed
	writing sync.Mutex
}

// pipeWrite is how long our server may take to read a line of ours, which it does
// at once.
const pipeWrite = 10 * time.Second

// openPipe connects to s and listens to inbox. There may be room arrivals that
// nobody has taken yet. The caller closes the pipe.
func openPipe(s *server, inbox string, room int) (*pipe, error) {
	conn, err := s.InProcessConn()
	if err != nil {
		return nil, fmt.Errorf("connect to the embedded NATS server: %w", err)
	}
	p := &pipe{conn: conn, arrived: make(chan []arrival, room)}
	go p.run()
	if err := p.greet(s.options.Authorization, inbox); err != nil {
		p.close()
		return nil, fmt.Errorf("greet the embedded NATS server: %w", err)
	}
	return p, nil
}

func (p *pipe) greet(token, inbox string) error {
	client, err := json.Marshal(struct {
		Name     string `json:"name"`
		Lang     string `json:"lang"`
		Version  string `json:"version"`
		Verbose  bool   `json:"verbose"`
		Headers  bool   `json:"headers"`
		Protocol int    `json:"protocol"`
		Token    string `json:"auth_token,omitempty"`
	}{Name: "hansei feed", Lang: "go", Version: nats.Version, Headers: true, Protocol: 1, Token: token})
	if err != nil {
		return err
	}
	return p.write(fmt.Appendf(nil, "CONNECT %s\r\nSUB %s 1\r\n", client, inbox))
}

func (p *pipe) close() {
	p.conn.Close()
	for range p.arrived { // until reading has ended
	}
}

// publish sends a request whose answers go to reply.
func (p *pipe) publish(subject, reply string, data []byte) error {
	return p.write(fmt.Appendf(nil, "PUB %s %s %d\r\n%s\r\n", subject, reply, len(data), data))
}

func (p *pipe) write(b []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	if err := p.conn.SetWriteDeadline(time.Now().Add(pipeWrite)); err != nil {
		return err
	}
	_, err := p.conn.Write(b)
	return err
}

// run reads until the connection ends.
func (p *pipe) run() {
	defer close(p.arrived)
	p.err = p.read()
}

// How much a pipe reads into one piece of memory: eight arrays of a hundred events,
// since one that does not fit is begun anew in the next piece. What is left at the
// end is not worth another read.
const (
	pipeChunk = 256 << 10
	pipeRest  = 1 << 10
)

func (p *pipe) read() error {
	chunk, from, to := make([]byte, pipeChunk), 0, 0 // what is between is not a whole operation
	some := 1                                        // messages of a read, mostly
	for {
		n, err := p.conn.Read(chunk[to:])
		if err != nil {
			return err
		}
		to += n
		list := make([]arrival, 0, some)
		used, whole, err := p.parse(chunk[from:to], &list)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			p.arrived <- list
			some = len(list)
		}
		if from += used; len(chunk)-to < pipeRest || from+whole > len(chunk) {
			next := make([]byte, max(pipeChunk, whole, 2*(to-from)))
			to = copy(next, chunk[from:to])
			chunk, from = next, 0
		}
	}
}

var lineEnd = []byte("\r\n")

// parse reads the operations in b, and appends the messages to list. used is
// their length, whole that of the first one that b holds a part of; 0 where that
// is not known yet.
func (p *pipe) parse(b []byte, list *[]arrival) (used, whole int, err error) {
	for {
		line, body, ok := bytes.Cut(b[used:], lineEnd)
		if !ok {
			return used, 0, nil
		}
		length := len(line) + len(lineEnd)
		name, words, _ := bytes.Cut(line, []byte(" "))
		switch string(name) {
		case "MSG", "HMSG":
			a, size, err := readMessage(name[0] == 'H', words, body)
			if err != nil {
				return used, 0, fmt.Errorf("the embedded NATS server sent %q: %w", line, err)
			}
			if length += size + len(lineEnd); used+length > len(b) {
				return used, length, nil
			}
			*list = append(*list, a)
		case "PING":
			if err := p.write([]byte("PONG\r\n")); err != nil {
				return used, 0, err
			}
		case "-ERR":
			return used, 0, fmt.Errorf("the embedded NATS server says %s", words)
		}
		used += length
	}
}

var errLine = errors.New("not the line of a message")

// readMessage reads a message whose line has the words given:
//
//	<subject> <subscription> [address] [length of the headers] <length>
//
// The length of headers is there in a line that has them. A message whose body
// is not all there is empty.
func readMessage(headers bool, words, body []byte) (a arrival, size int, err error) {
	list, n := split(words)
	most := 4
	if headers {
		most++
	}
	if n > most || n < most-1 {
		return a, 0, errLine
	}
	head, last := 0, n-1
	if size, err = strconv.Atoi(text(list[last])); err != nil {
		return a, 0, errLine
	}
	if headers {
		if head, err = strconv.Atoi(text(list[last-1])); err != nil {
			return a, 0, errLine
		}
	}
	if head < 0 || size < head {
		return a, 0, errLine
	}
	if len(body) < size {
		return a, size, nil
	}
	if n == most {
		a.reply = text(list[2])
	}
	a.subject, a.data = text(list[0]), body[head:size:size]
	if headers {
		err = a.read(body[:head])
	}
	return a, size, err
}

// split returns the words of a line and their number, at most one more than the
// line of a message has.
func split(line []byte) (list [6][]byte, n int) {
	for n < len(list) && len(line) > 0 {
		list[n], line, _ = bytes.Cut(line, []byte(" "))
		n++
	}
	return list, n
}

// onlyID begins the headers of most messages.
var onlyID = []byte("NATS/1.0\r\n" + nats.MsgIdHdr + ":")

// read reads the headers of a message.
func (a *arrival) read(headers []byte) (err error) {
	if rest, ok := bytes.CutPrefix(headers, onlyID); ok {
		if id, rest, _ := bytes.Cut(rest, lineEnd); len(rest) == len(lineEnd) {
			a.id = text(bytes.TrimSpace(id))
			return nil
		}
	}
	a.header, err = nats.DecodeHeadersMsg(headers)
	a.id = a.header.Get(nats.MsgIdHdr)
	return err
}

// text returns b as text, which shares its memory.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
