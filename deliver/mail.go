package deliver

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/url"
	"strings"
)

// A Mail says how to send e-mail. It goes over the standard library's net/smtp,
// which does what is needed and is no further dependency.
type Mail struct {
	To     string      // addresses, separated by commas; empty: no mail
	From   string      // address
	Server string      // such as smtp://user:password@mail.example.net:587, see [toMail]
	TLS    *tls.Config // nil: the machine's own list of authorities
}

// A server is where e-mail is handed in.
type server struct {
	host, address  string // address has the port
	name           string // for people, without the password
	user, password string
	security       security
	tls            *tls.Config
}

// A security is how a connection to a mail server is protected.
type security int

const (
	startTLS security = iota // from the command STARTTLS on, or there is no mail
	implicitTLS
	noTLS
)

// schemes are the ways to reach a mail server and their usual ports (RFC 6409,
// RFC 8314). There is none that takes what it gets: one who cuts STARTTLS out
// of a conversation would get the password.
var schemes = map[string]struct {
	port     string
	security security
}{
	"smtp":       {"587", startTLS},
	"smtps":      {"465", implicitTLS},
	"smtp+plain": {"25", noTLS},
}

// toMail sends each addressee a message of their own, so that one who cannot be
// reached is tried again alone, and none sees the others.
func toMail(o Options) ([]Deliverer, error) {
	m := o.Mail
	if m.To == "" && m.From == "" && m.Server == "" {
		return nil, nil
	}
	for _, setting := range []struct{ flag, value, like string }{
		{"--mail-to", m.To, "ops@example.net,dev@example.net"},
		{"--mail-from", m.From, "hansei@example.net"},
		{"--smtp-url", m.Server, "smtp://user:password@mail.example.net:587"},
	} {
		if setting.value == "" {
			return nil, fmt.Errorf("%s is missing, which e-mail needs beside the others; write it like %s", setting.flag, setting.like)
		}
	}
	s, err := parseServer(m.Server, m.TLS)
	if err != nil {
		return nil, err
	}
	from, err := addresses("--mail-from", m.From)
	if err == nil && len(from) != 1 {
		err = errors.New("--mail-from: want one address")
	}
	if err != nil {
		return nil, err
	}
	to, err := addresses("--mail-to", m.To)
	if err != nil {
		return nil, err
	}
	var all []Deliverer
	for _, addressee := range to {
		e := envelope{from: from[0], to: addressee, key: "mail." + token(strings.ToLower(addressee.Address))}
		all = append(all, Deliverer{
			To:   addressee.Address,
			Key:  e.key,
			Send: func(ctx context.Context, ed *Edition, c Copy) error { return s.send(ctx, e, e.message(ed, c, false)) },
			Show: func(w io.Writer, ed *Edition, c Copy) error {
				text := bytes.ReplaceAll(e.message(ed, c, true), []byte("\r\n"), []byte("\n"))
				_, err := fmt.Fprintf(w, "from %s to %s through %s\n\n%s", e.from.Address, e.to.Address, s.name, text)
				return err
			},
		})
	}
	return all, nil
}

// addresses reads a list of addresses. Those with letters beyond ASCII need an
// extension (RFC 6531) that few servers have, and are refused.
func addresses(flag, text string) ([]*mail.Address, error) {
	list, err := mail.ParseAddressList(text)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w; write addresses like ops@example.net, separated by commas", flag, text, err)
	}
	seen := map[string]bool{}
	for _, a := range list {
		if strings.ContainsFunc(a.Address, func(c rune) bool { return c > '~' || c <= ' ' }) {
			return nil, fmt.Errorf("%s %q: only ASCII letters are taken in an address; write its domain in the form xn--…", flag, a.Address)
		}
		if lower := strings.ToLower(a.Address); seen[lower] {
			return nil, fmt.Errorf("%s: %s stands there twice", flag, a.Address)
		} else {
			seen[lower] = true
		}
	}
	return list, nil
}

// parseServer reads the address of a mail server, which an error does not show.
func parseServer(text string, config *tls.Config) (*server, error) {
	const like = "write it like smtp://user:password@mail.example.net:587 (STARTTLS), smtps://… (TLS from the start) or, on a network that you trust, smtp+plain://…; escape what is special in the password, such as %%40 for @"
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("--smtp-url is no address of a mail server (it holds a password and is not shown); " + like)
	}
	scheme, known := schemes[u.Scheme]
	if !known || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, fmt.Errorf("--smtp-url is no address of a mail server (it holds a password and is not shown); " + like)
	}
	port := u.Port()
	if port == "" {
		port = scheme.port
	}
	s := &server{host: u.Hostname(), address: net.JoinHostPort(u.Hostname(), port), user: u.User.Username(), security: scheme.security, tls: config}
	s.password, _ = u.User.Password()
	s.name = u.Scheme + "://" + s.address
	if (s.user == "") != (s.password == "") {
		return nil, errors.New("--smtp-url has a user without a password, or the other way round; give both or neither")
	}
	if ip := net.ParseIP(s.host); s.security == noTLS && s.user != "" && s.host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("--smtp-url would send the password in the clear to another machine; use smtp:// or smtps://")
	}
	return s, nil
}
