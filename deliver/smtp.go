package deliver

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"time"
)

// How long the parts of handing a message in may take. A server answers within
// seconds; a message of a few MiB takes longer on a slow line. RFC 5321 allows
// minutes for each command, which is for queues that nobody waits for.
const (
	dialTimeout = 20 * time.Second
	mailTimeout = 3 * time.Minute
)

// send hands a message in. When ctx ends the conversation is broken off.
func (s *server) send(ctx context.Context, e envelope, message []byte) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server %s: %w", s.name, err)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	err = conn.SetDeadline(time.Now().Add(mailTimeout))
	if err == nil {
		err = s.converse(conn, e, message)
	}
	if err == nil {
		return nil
	}
	conn.Close() // it may be closed already; err says why
	if ctx.Err() != nil {
		return fmt.Errorf("mail server %s: %w", s.name, context.Cause(ctx))
	}
	return s.failure(err)
}

func (s *server) dial(ctx context.Context) (net.Conn, error) {
	d := &net.Dialer{Timeout: dialTimeout}
	if s.security == implicitTLS {
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		return (&tls.Dialer{NetDialer: d, Config: s.config()}).DialContext(ctx, "tcp", s.address)
	}
	return d.DialContext(ctx, "tcp", s.address)
}

func (s *server) config() *tls.Config {
	config := &tls.Config{}
	if s.tls != nil {
		config = s.tls.Clone()
	}
	config.ServerName = s.host
	return config
}

// converse hands the message in over conn. What goes wrong after the server has
// taken the message is no error.
func (s *server) converse(conn net.Conn, e envelope, message []byte) error {
	c, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	if err := c.Hello(localName()); err != nil {
		return fmt.Errorf("EHLO: %w", err)
	}
	if s.security == startTLS {
		if ok, _ := c.Extension("STARTTLS"); !ok {
			return &Failure{Err: errors.New("it does not offer STARTTLS, so nothing was sent; use smtps:// if it speaks TLS from the start"), Final: true}
		}
		if err := c.StartTLS(s.config()); err != nil {
			return fmt.Errorf("STARTTLS: %w", err)
		}
	}
	if err := s.authenticate(c); err != nil {
		return err
	}
	if err := c.Mail(e.from.Address); err != nil {
		return fmt.Errorf("from %s: %w", e.from.Address, err)
	}
	if err := c.Rcpt(e.to.Address); err != nil {
		return fmt.Errorf("to %s: %w", e.to.Address, err)
	}
	w, err := c.Data()
	if err != nil {
		return fmt.Errorf("DATA: %w", err)
	}
	if _, err := w.Write(message); err != nil {
		return fmt.Errorf("write the message: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("the message: %w", err)
	}
	if err := c.Quit(); err != nil {
		conn.Close() // the server has the message
	}
	return nil
}

// authenticate shows user and password, in the way that the server offers.
func (s *server) authenticate(c *smtp.Client) error {
	if s.user == "" {
		return nil
	}
	_, offered := c.Extension("AUTH")
	names := strings.Fields(strings.ToUpper(offered))
	var auth smtp.Auth
	switch {
	case slices.Contains(names, "PLAIN"):
		auth = smtp.PlainAuth("", s.user, s.password, s.host)
	case slices.Contains(names, "LOGIN"):
		auth = &login{s.user, s.password}
	default:
		return &Failure{Err: fmt.Errorf("it takes no password in a way that is known here: it offers %q, known are PLAIN and LOGIN", offered), Final: true}
	}
	if err := c.Auth(auth); err != nil {
		return fmt.Errorf("user and password: %w", err)
	}
	return nil
}

// A login is the older way to show a password, which Microsoft's servers ask
// for: they prompt for the user, then for the password.
type login struct{ user, password string }

// Start begins. The connection is protected or local, see [parseServer].
func (l *login) Start(*smtp.ServerInfo) (string, []byte, error) { return "LOGIN", nil, nil }

// Next answers a prompt.
func (l *login) Next(prompt []byte, more bool) ([]byte, error) {
	switch text := strings.ToLower(string(prompt)); {
	case !more:
		return nil, nil
	case strings.HasPrefix(text, "user"):
		return []byte(l.user), nil
	case strings.HasPrefix(text, "pass"):
		return []byte(l.password), nil
	}
	return nil, errors.New("the server asks for something else than user and password")
}

// failure tells what went wrong in a conversation, without the password, which
// a server may repeat as it was sent. A reply of 500 and above says that the same would fail again (RFC 5321, section
// 4.2.1), and so does a certificate that is not trusted.
func (s *server) failure(err error) error {
	f := &Failure{}
	var known *Failure
	var reply *textproto.Error
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &known):
		f.Final = known.Final
	case errors.As(err, &reply):
		f.Final = reply.Code >= 500
	case errors.As(err, &certificate):
		f.Final = true
	}
	f.Err = fmt.Errorf("mail server %s: %s", s.name, told(err.Error(), encoded("\x00"+s.user+"\x00"+s.password), encoded(s.password), s.password))
	return f
}

// encoded is a text as AUTH sends it.
func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// localName is how the program introduces itself.
func localName() string {
	name, err := os.Hostname()
	if err != nil || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c > '~' }) {
		name = ""
	}
	return cmp.Or(name, "localhost")
}
