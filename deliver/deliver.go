// Package deliver brings reports to people: as a file, by e-mail and to a
// webhook, each once.
//
// A [Schedule] says which [Period] is due at a time. A [Desk] makes its
// [Edition] and hands it to each [Deliverer]; what became of that is a
// [Record], which lies in a register that all replicas of the program on the
// same NATS server share.
//
// What always holds: of several replicas exactly one delivers, because it
// claims the record first; a claim that is not renewed is taken over, so a
// crash loses nothing; what was delivered is not delivered again unless someone
// asks; and no password or address of a webhook is in a record, an error or a
// log. No protocol can tell a mail server that accepted a message just before
// the program was killed from one that did not: that message may come twice,
// with the same Message-ID.
//
// The claim decides, not the clock: JetStream's message schedules would start
// a delivery at one replica too, but only newer servers have them, nothing of
// them tells what was delivered when a program comes back after the first of
// the month, and the claim is needed for retries in any case.
package deliver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// An Edition is the report of a period as it is delivered. It is not changed
// once it is made.
type Edition struct {
	Period     Period
	Title      string   // one line
	Paragraphs []string // the first screen as plain text
	HTML       string   // the same as a page for mail programs
	Files      []File
}

// A File is a form of the report as a whole.
type File struct {
	Name   string // without a folder, of letters, digits, dots and dashes
	Media  string // type
	Data   []byte
	Attach bool // goes with an e-mail
}

// A Copy tells one delivery of an edition from a repeated one.
type Copy struct {
	Number int // from 1
	At     time.Time
}

// A Deliverer brings editions to one place or person. It is safe for
// concurrent use.
type Deliverer struct {
	Name string // file, webhook or mail
	To   string // where or whom, without secrets
	Key  string // tells it from the others in the register
	// Replaces tells that delivering again leaves one copy, so that whoever asks
	// for an edition always gets it made anew.
	Replaces bool
	// Send delivers. An error that is no [*Failure] may pass later.
	Send func(ctx context.Context, e *Edition, c Copy) error
	// Show writes what Send would send, to whom.
	Show func(w io.Writer, e *Edition, c Copy) error
}

// Options say what to deliver to. The zero value delivers nowhere.
type Options struct {
	Folder   string   // of the files; empty: none
	Store    string   // id of the store, whose folder that is
	Mail     Mail     // no addressees: none
	Webhooks []string // addresses, which are secrets
}

// ways lists how editions are delivered, what cannot hang first.
var ways = []struct {
	name string
	open func(Options) ([]Deliverer, error)
}{
	{"file", toFile},
	{"webhook", toWebhooks},
	{"mail", toMail},
}

// Ways returns the names of all ways.
func Ways() []string {
	var names []string
	for _, way := range ways {
		names = append(names, way.name)
	}
	return names
}

// Deliverers returns the deliverers that o asks for. Its error tells which
// setting is wrong and what to do.
func Deliverers(o Options) ([]Deliverer, error) {
	var all []Deliverer
	for _, way := range ways {
		some, err := way.open(o)
		if err != nil {
			return nil, err
		}
		for _, d := range some {
			d.Name = way.name
			all = append(all, d)
		}
	}
	return all, nil
}

// A Failure is an error that says how to go on.
type Failure struct {
	Err   error
	Final bool          // trying again would fail again
	After time.Duration // the other side asked to wait this long; 0: it did not
}

// Error tells the cause.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// token is short, the same for the same text, and tells nothing of it.
func token(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// id names a copy of an edition for one addressee: the same after a crash.
func (e *Edition) id(key string, c Copy) string {
	return fmt.Sprintf("%s.%s.%d", e.Period, key, c.Number)
}

// maxError is the longest text of another side that an error carries.
const maxError = 300

// told is what another side said, in one line without the secrets, of which
// the longest stand first, and without what a terminal takes for a command.
func told(text string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return '\uFFFD'
		}
		return c
	}, text)
	if runes := []rune(text); len(runes) > maxError {
		text = string(runes[:maxError]) + "…"
	}
	return text
}
