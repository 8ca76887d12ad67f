package deliver

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
)

// An envelope is from whom to whom a message goes.
type envelope struct {
	from, to *mail.Address
	key      string // of the addressee's deliverer
}

// maxLine is the longest line of an encoded file (RFC 2045, section 6.8).
const maxLine = 76

// message writes the e-mail of an edition: its text and the same as HTML, then
// the files. It is ASCII with lines of at most 78 characters, and the same for
// the same copy. brief leaves the files' bytes out, for people to read.
func (e envelope) message(ed *Edition, c Copy, brief bool) []byte {
	id := ed.id(e.key, c)
	_, domain, _ := strings.Cut(e.from.Address, "@")
	var b bytes.Buffer
	mixed, alternative := multipart.NewWriter(&b), &bytes.Buffer{}
	inner := multipart.NewWriter(alternative)
	must(mixed.SetBoundary("hansei-" + token(id)))
	must(inner.SetBoundary("hansei-text-" + token(id)))
	for _, header := range [][2]string{
		{"From", " " + e.from.String()},
		{"To", " " + e.to.String()},
		{"Subject", subject(ed.Title)},
		{"Date", " " + c.At.Format(time.RFC1123Z)},
		{"Message-ID", " <" + id + "@" + domain + ">"},
		{"Auto-Submitted", " auto-generated"}, // RFC 3834: nothing answers that it is on holiday
		{"MIME-Version", " 1.0"},
		{"Content-Type", " " + mime.FormatMediaType("multipart/mixed", map[string]string{"boundary": mixed.Boundary()})},
	} {
		fmt.Fprintf(&b, "%s:%s\r\n", header[0], header[1])
	}
	b.WriteString("\r\n")
	textPart(inner, "text/plain", ed.Title+"\n\n"+strings.Join(ed.Paragraphs, "\n\n")+"\n")
	textPart(inner, "text/html", ed.HTML)
	must(inner.Close())
	part := newPart(mixed, "multipart/alternative", map[string]string{"boundary": inner.Boundary()}, nil)
	write(part, alternative.Bytes())
	for _, f := range ed.Files {
		if f.Attach {
			attach(mixed, f, brief)
		}
	}
	must(mixed.Close())
	return b.Bytes()
}

// subject encodes a title behind its header, a line for each encoded word (RFC 2047, section 2).
func subject(title string) string {
	text := mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(title), " "))
	if !strings.HasPrefix(text, "=?") {
		return " " + text
	}
	return "\r\n " + strings.ReplaceAll(text, "?= =?", "?=\r\n =?")
}

// textPart adds text in quoted-printable, which every server passes on as it is.
func textPart(w *multipart.Writer, media, text string) {
	part := newPart(w, media, map[string]string{"charset": "utf-8"}, textproto.MIMEHeader{"Content-Transfer-Encoding": {"quoted-printable"}})
	q := quotedprintable.NewWriter(part)
	write(q, []byte(text))
	must(q.Close())
}

// attach adds a file in base64.
func attach(w *multipart.Writer, f File, brief bool) {
	part := newPart(w, f.Media, nil, textproto.MIMEHeader{
		"Content-Transfer-Encoding": {"base64"},
		"Content-Disposition":       {mime.FormatMediaType("attachment", map[string]string{"filename": f.Name})},
	})
	if brief {
		write(part, fmt.Appendf(nil, "(%d bytes)\r\n", len(f.Data)))
		return
	}
	text := base64.StdEncoding.EncodeToString(f.Data)
	for len(text) > maxLine {
		write(part, []byte(text[:maxLine]+"\r\n"))
		text = text[maxLine:]
	}
	write(part, []byte(text+"\r\n"))
}

func newPart(w *multipart.Writer, media string, parameters map[string]string, header textproto.MIMEHeader) io.Writer {
	if header == nil {
		header = textproto.MIMEHeader{}
	}
	kind, already, err := mime.ParseMediaType(media)
	must(err)
	for name, value := range parameters {
		already[name] = value
	}
	header.Set("Content-Type", mime.FormatMediaType(kind, already))
	part, err := w.CreatePart(header)
	must(err)
	return part
}

func write(w io.Writer, text []byte) {
	_, err := w.Write(text)
	must(err)
}

// must holds what cannot fail in memory.
func must(err error) {
	if err != nil {
		panic("deliver: " + err.Error())
	}
}
