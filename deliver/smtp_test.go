package deliver

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// A mailbox is a small SMTP server (RFC 5321) with STARTTLS and AUTH.
type mailbox struct {
	net.Listener
	tls    *tls.Config // nil: no STARTTLS
	auth   string      // as EHLO offers it; empty: anyone may send
	answer map[string]string
	stuck  bool // never greets

	mu       sync.Mutex
	messages []string
	logins   []string
	secure   []bool // whether the message came over TLS
}

// certificate makes a certificate for 127.0.0.1 and what trusts it.
func certificate(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: pool}
}

// serve listens and answers until the test ends.
func (m *mailbox) serve(t *testing.T) string {
	t.Helper()
	var err error
	if m.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := m.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				if m.stuck {
					io.Copy(io.Discard, conn) // until the client gives up
					return
				}
				m.talk(conn)
			})
		}
	})
	t.Cleanup(func() {
		m.Close()
		group.Wait()
	})
	return m.Addr().String()
}

// talk is one conversation.
func (m *mailbox) talk(conn net.Conn) {
	c, secure := textproto.NewConn(conn), false
	say := func(lines ...string) bool {
		for _, line := range lines {
			if c.PrintfLine("%s", line) != nil {
				return false
			}
		}
		return true
	}
	say("220 mail ESMTP")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, " ")
		verb = strings.ToUpper(verb)
		if answer, ok := m.answer[verb]; ok && verb != "DATA" {
			say(answer)
			continue
		}
		switch verb {
		case "EHLO":
			say("250-mail")
			if m.tls != nil && !secure {
				say("250-STARTTLS")
			}
			if m.auth != "" {
				say("250-AUTH " + m.auth)
			}
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go ahead")
			over := tls.Server(conn, m.tls)
			if over.Handshake() != nil {
				return
			}
			conn, secure = over, true
			c = textproto.NewConn(over)
		case "AUTH":
			if !m.login(c, rest) {
				say("535 5.7.8 the password is wrong")
				continue
			}
			say("235 welcome")
		case "DATA":
			if say("354 go on"); !m.take(c, secure) {
				return
			}
			say("250 kept")
			if answer, ok := m.answer["DATA"]; ok && answer == "hang up" {
				return
			}
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// login reads what AUTH PLAIN or AUTH LOGIN shows.
func (m *mailbox) login(c *textproto.Conn, rest string) bool {
	var user, password string
	decode := func(text string) string {
		plain, _ := base64.StdEncoding.DecodeString(text) // a bad text is a wrong password
		return string(plain)
	}
	if initial, ok := strings.CutPrefix(rest, "PLAIN "); ok {
		parts := strings.Split(decode(initial), "\x00")
		user, password = parts[1], parts[2]
	} else {
		for _, ask := range []struct {
			prompt string
			into   *string
		}{{"Username:", &user}, {"Password:", &password}} {
			c.PrintfLine("334 %s", base64.StdEncoding.EncodeToString([]byte(ask.prompt)))
			line, _ := c.ReadLine()
			*ask.into = decode(line)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logins = append(m.logins, user)
	return user == "hansei" && password == "p@ss word"
}

func (m *mailbox) take(c *textproto.Conn, secure bool) bool {
	text, err := c.ReadDotBytes()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages, m.secure = append(m.messages, string(text)), append(m.secure, secure)
	return err == nil
}

func (m *mailbox) got() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string{}, m.messages...)
}

var edition = &Edition{
	Period:     Period{Kind: Month, Name: "2026-01"},
	Title:      "エラーレポート 2026年1月：とても長い題名でも一行に収まらないときは折り返します",
	Paragraphs: []string{"45件のインシデント、解決率は90%でした。", "API_FAILURE = 45 <b>@channel</b>\n.\n. a dot alone"},
	HTML:       "<p>" + strings.Repeat("長い行", 500) + "</p>\r\n.\r\n",
	Files: []File{
		{Name: "report-2026-01.ja.html", Media: "text/html; charset=utf-8", Data: []byte(strings.Repeat("<p>全文</p>", 99)), Attach: true},
		{Name: "report-2026-01.ja.md", Media: "text/markdown; charset=utf-8", Data: []byte("# 全文")},
	},
}

// mailTo opens the deliverer of one address through a mailbox.
func mailTo(t *testing.T, url string, config *tls.Config) Deliverer {
	t.Helper()
	all, err := Deliverers(Options{Mail: Mail{To: "ops@example.net", From: "Hansei 反省 <hansei@example.org>", Server: url, TLS: config}})
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	return all[0]
}

// The message arrives whole in each way to protect it, and reads as it was written.
func TestMailArrives(t *testing.T) {
	serverTLS, clientTLS := certificate(t)
	for _, test := range []struct {
		name, scheme string
		box          *mailbox
		secure       bool
	}{
		{"STARTTLS and PLAIN", "smtp", &mailbox{tls: serverTLS, auth: "PLAIN LOGIN"}, true},
		{"STARTTLS and LOGIN", "smtp", &mailbox{tls: serverTLS, auth: "LOGIN XOAUTH2"}, true},
		{"in the clear on this machine", "smtp+plain", &mailbox{auth: "PLAIN"}, false},
		{"hung up after the message", "smtp", &mailbox{tls: serverTLS, auth: "PLAIN", answer: map[string]string{"DATA": "hang up"}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := test.box.serve(t)
			to := mailTo(t, test.scheme+"://hansei:p%40ss%20word@"+address, clientTLS)
			at := time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC)
			if err := to.Send(t.Context(), edition, Copy{1, at}); err != nil {
				t.Fatal(err)
			}
			got := test.box.got()
			if len(got) != 1 || test.box.secure[0] != test.secure || test.box.logins[0] != "hansei" {
				t.Fatalf("%d messages, over TLS %v, logins %v", len(got), test.box.secure, test.box.logins)
			}
			checkMessage(t, got[0])
		})
	}
}

// TLS from the start, as on port 465.
func TestMailOverTLS(t *testing.T) {
	serverTLS, clientTLS := certificate(t)
	box := &mailbox{}
	address := box.serve(t)
	front, err := tls.Listen("tcp", "127.0.0.1:0", serverTLS)
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	go func() { // ends with front
		for {
			conn, err := front.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			go func() { io.Copy(back, conn); back.Close() }()
			go func() { io.Copy(conn, back); conn.Close() }()
		}
	}()
	if err := mailTo(t, "smtps://"+front.Addr().String(), clientTLS).Send(t.Context(), edition, Copy{1, time.Now()}); err != nil {
		t.Fatal(err)
	}
	checkMessage(t, box.got()[0])
}

// checkMessage reads a message as a mail program would.
func checkMessage(t *testing.T, text string) {
	t.Helper()
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if len(s.Text()) > 78 || strings.ContainsFunc(s.Text(), func(c rune) bool { return c > '~' }) {
			t.Fatalf("line of %d characters: %q", len(s.Text()), s.Text())
		}
	}
	if !strings.Contains(text, "\nSubject:\n =?utf-8?q?") { // a blank before the fold would be shown by some
		t.Errorf("folded otherwise: %s", text[:300])
	}
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	title, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || strings.ReplaceAll(title, " ", "") != strings.ReplaceAll(edition.Title, " ", "") {
		t.Errorf("subject %q, %v", title, err)
	}
	if from, err := m.Header.AddressList("From"); err != nil || from[0].Name != "Hansei 反省" {
		t.Errorf("from %v, %v", from, err)
	}
	if _, err := m.Header.Date(); err != nil {
		t.Error(err)
	}
	if id := m.Header.Get("Message-Id"); !strings.HasPrefix(id, "<month.2026-01.mail.") || !strings.HasSuffix(id, ".1@example.org>") {
		t.Errorf("id %s", id)
	}
	leaves := parts(t, m.Header.Get("Content-Type"), m.Body)
	var kinds []string
	for _, l := range leaves {
		kinds = append(kinds, l[0])
	}
	if got := strings.Join(kinds, " "); got != "text/plain text/html text/html" {
		t.Fatalf("parts %s", got)
	}
	lines := strings.NewReplacer("\r\n", "\n")
	if want := edition.Title + "\n\n" + strings.Join(edition.Paragraphs, "\n\n") + "\n"; lines.Replace(leaves[0][1]) != want {
		t.Errorf("text %q", leaves[0][1])
	}
	if lines.Replace(leaves[1][1]) != lines.Replace(edition.HTML) {
		t.Errorf("HTML %q", leaves[1][1])
	}
	if leaves[2][1] != string(edition.Files[0].Data) {
		t.Errorf("attachment %q", leaves[2][1])
	}
}

// parts returns type and decoded text of the leaves of a message.
func parts(t *testing.T, media string, body io.Reader) (leaves [][2]string) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(media)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return [][2]string{{kind, string(text)}}
	}
	reader := multipart.NewReader(body, parameters["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return leaves
		}
		if err != nil {
			t.Fatal(err)
		}
		var decoded io.Reader = part
		switch part.Header.Get("Content-Transfer-Encoding") {
		case "quoted-printable":
			decoded = quotedprintable.NewReader(part)
		case "base64":
			decoded = base64.NewDecoder(base64.StdEncoding, part)
		}
		leaves = append(leaves, parts(t, part.Header.Get("Content-Type"), decoded)...)
	}
}

// What a server refuses is told without the password, and whether trying again helps.
func TestMailRefused(t *testing.T) {
	serverTLS, clientTLS := certificate(t)
	for _, test := range []struct {
		name, scheme, password string
		box                    *mailbox
		config                 *tls.Config
		final                  bool
		want                   string
	}{
		{"wrong password", "smtp", "wrong", &mailbox{tls: serverTLS, auth: "PLAIN"}, clientTLS, true, "user and password: 535"},
		{"no STARTTLS", "smtp", "p%40ss%20word", &mailbox{auth: "PLAIN"}, clientTLS, true, "does not offer STARTTLS"},
		{"no known AUTH", "smtp", "p%40ss%20word", &mailbox{tls: serverTLS, auth: "GSSAPI"}, clientTLS, true, `it offers "GSSAPI"`},
		{"not trusted", "smtp", "p%40ss%20word", &mailbox{tls: serverTLS, auth: "PLAIN"}, nil, true, "certificate"},
		{"no such person", "smtp", "p%40ss%20word", &mailbox{tls: serverTLS, auth: "PLAIN", answer: map[string]string{"RCPT": "550 5.1.1 nobody \x1b[2J; your password is p@ss word, AUTH PLAIN AGhhbnNlaQBwQHNzIHdvcmQ= or cEBzcyB3b3Jk"}}, clientTLS, true, "to ops@example.net: 550"},
		{"greylisted", "smtp", "p%40ss%20word", &mailbox{tls: serverTLS, auth: "PLAIN", answer: map[string]string{"RCPT": "451 4.7.1 come again"}}, clientTLS, false, "451"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := test.box.serve(t)
			err := mailTo(t, test.scheme+"://hansei:"+test.password+"@"+address, test.config).Send(t.Context(), edition, Copy{1, time.Now()})
			var failure *Failure
			if !errors.As(err, &failure) || failure.Final != test.final || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v (%+v), want %s, final %t", err, failure, test.want, test.final)
			}
			if err == nil || strings.ContainsAny(err.Error(), "\x1b") || strings.Contains(err.Error(), "p@ss word") || strings.Contains(err.Error(), "cEBzcy") || strings.Contains(err.Error(), "BwQHNzI") || strings.Contains(err.Error(), "wrong@") {
				t.Errorf("the password or a command stands in %q", err)
			}
			if got := test.box.got(); len(got) != 0 {
				t.Errorf("%d messages went out", len(got))
			}
		})
	}
}

// A server that says nothing holds nobody when the program ends.
func TestMailStops(t *testing.T) {
	box := &mailbox{stuck: true}
	to := mailTo(t, "smtp+plain://"+box.serve(t), nil)
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error)
	go func() { sent <- to.Send(ctx, edition, Copy{1, time.Now()}) }()
	cancel()
	select {
	case err := <-sent:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("still waiting")
	}
}

// Settings that cannot work are refused with what to do, and without their secrets.
func TestMailSettings(t *testing.T) {
	good := Mail{To: "ops@example.net", From: "hansei@example.net", Server: "smtp://hansei:secret@mail.example.net"}
	for _, test := range []struct {
		change func(*Mail)
		want   string
	}{
		{func(m *Mail) { m.To = "" }, "--mail-to is missing"},
		{func(m *Mail) { m.From = "" }, "--mail-from is missing"},
		{func(m *Mail) { m.Server = "" }, "--smtp-url is missing"},
		{func(m *Mail) { m.To = "ops" }, "write addresses like"},
		{func(m *Mail) { m.To = "ops@example.net\r\nBcc: x@example.net" }, "write addresses like"},
		{func(m *Mail) { m.To = "a@example.net, A@example.net" }, "twice"},
		{func(m *Mail) { m.To = "ops@例え.jp" }, "xn--"},
		{func(m *Mail) { m.From = "a@example.net,b@example.net" }, "want one address"},
		{func(m *Mail) { m.Server = "mail.example.net:587" }, "no address of a mail server"},
		{func(m *Mail) { m.Server = "https://hansei:secret@mail.example.net" }, "no address of a mail server"},
		{func(m *Mail) { m.Server = "smtp://hansei:secret%zz@mail.example.net" }, "no address of a mail server"},
		{func(m *Mail) { m.Server = "smtp://hansei@mail.example.net" }, "without a password"},
		{func(m *Mail) { m.Server = "smtp+plain://hansei:secret@mail.example.net" }, "in the clear"},
	} {
		m := good
		test.change(&m)
		_, err := Deliverers(Options{Mail: m})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret@") || strings.Contains(err.Error(), "secret%") {
			t.Errorf("%+v: %v, want %q", m, err, test.want)
		}
	}
	if all, err := Deliverers(Options{Mail: good}); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}
