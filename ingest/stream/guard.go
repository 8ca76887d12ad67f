package stream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A guard keeps what the embedded server would destroy of [Events] when it opens
// damaged files: it cuts a block off at the first record that is not as it was
// written, with all that is sound behind it; and a stream with a block that does
// not unpack it deletes.
type guard struct {
	data   string // folder of the program
	stream string // folder of the stream
	kept   string // folder that has all of the stream's files; empty where the stream was closed
	gone   bool   // all of the stream is moved aside
	damage damage
}

// mostCopied bounds what is copied before the server opens a stream that was not
// closed: eight blocks of the server's largest size. It packs a block when it
// begins the next, so that mostly one is not packed. The others are linked, which
// is enough against being deleted.
const mostCopied = 64 << 20

// AsideGlob matches the folders in a data folder that hold what was damaged of
// the stream.
const AsideGlob = "stream.aside-*"

// newGuard keeps the files of a stream that was not closed; one that was is opened
// by its index, which is written last. It returns nil where there is no stream.
func newGuard(data string) (*guard, error) {
	g := &guard{data: data, stream: filepath.Join(data, "jetstream", "$G", "streams", Events)}
	if err := g.resume(); err != nil {
		return g, err
	}
	if _, err := os.Stat(g.stream); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if g.closed() {
		return g, nil
	}
	kept, err := os.MkdirTemp(data, keptGlob)
	if err == nil {
		err = double(g.stream, kept)
	}
	if err != nil {
		return g, errors.Join(err, os.RemoveAll(kept))
	}
	g.kept = kept
	return g, nil
}

// resume ends what a start began that was killed: without the stream, what it kept
// is all that is left of that; else it tells what the server has cut meanwhile.
func (g *guard) resume() error {
	if err := g.forget(mendGlob); err != nil {
		return err
	}
	for _, kept := range g.left(keptGlob) {
		if _, err := os.Stat(g.stream); errors.Is(err, fs.ErrNotExist) {
			if err := os.Rename(kept, g.stream); err != nil {
				return err
			}
			continue
		}
		if heldIn(kept) > heldIn(g.stream) {
			g.damage.Lost++ // or more
			if err := g.setAside(kept); err != nil {
				return err
			}
		}
	}
	return g.forget(keptGlob)
}

// Folders that only a start that was killed leaves: what is kept, and what a
// stream is put together in.
const (
	keptGlob = ".hansei-stream-*"
	mendGlob = ".hansei-mend-*"
)

func (g *guard) left(glob string) []string {
	list, _ := filepath.Glob(filepath.Join(escapeGlob(g.data), glob)) // the pattern is right
	return list
}

func (g *guard) forget(glob string) (err error) {
	for _, folder := range g.left(glob) {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// double makes the files of a stream anew in another folder: copies of what the
// server may write to, links to what it may delete.
func double(from, to string) error {
	if err := os.MkdirAll(filepath.Join(to, messagesDir), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"meta.inf", "meta.sum"} {
		if _, err := copyBlock(filepath.Join(from, name), filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	room := int64(mostCopied)
	for _, block := range slices.Backward(blocksOf(from)) {
		info, err := os.Stat(block)
		if err != nil {
			return err
		}
		room -= info.Size()
		copied, into := false, filepath.Join(to, messagesDir, filepath.Base(block))
		if room >= 0 {
			if copied, err = copyBlock(block, into); err != nil {
				return err
			}
		}
		if !copied {
			if err := os.Link(block, into); err != nil {
				return err
			}
		}
	}
	return nil
}

// messagesDir is the folder of a stream that holds its blocks.
const messagesDir = "msgs"

// blocksOf are the files of a stream's messages, oldest first.
func blocksOf(stream string) []string {
	list, _ := filepath.Glob(filepath.Join(escapeGlob(stream), messagesDir, "*.blk")) // the pattern is right
	number := func(path string) uint64 {
		n, _ := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), ".blk"), 10, 64)
		return n
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return list
}

// escapeGlob makes a path match itself alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// closed reports whether the index is newer than every block, and nothing says that
// the stream stayed open: in a copy of a folder all times may be those of copying.
func (g *guard) closed() bool {
	if slices.ContainsFunc(readEnds(g.data), func(e end) bool { return e.Open }) {
		return false
	}
	index, err := os.Stat(filepath.Join(g.stream, messagesDir, "index.db"))
	return err == nil && !slices.ContainsFunc(blocksOf(g.stream), func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.ModTime().After(index.ModTime())
	})
}

// copyBlock copies a file, unless it is a packed block: that one the server does
// not cut.
func copyBlock(from, to string) (whole bool, err error) {
	in, err := os.Open(from)
	if err != nil {
		return false, err
	}
	defer in.Close()
	head := make([]byte, 16) // what tells of packing is shorter
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	if packed(head[:n]) > 0 {
		return false, nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(out, in)
	return true, errors.Join(err, out.Close())
}

// packed returns how many bytes tell that a block is packed; 0 where it is not.
func packed(block []byte) int {
	var meta natsserver.CompressionInfo
	n, err := meta.UnmarshalMetadata(block)
	if err != nil {
		return len(block)
	}
	return n
}

// opened looks at what the server made of the stream, and moves aside what it
// cut. It reports whether the server did not open the stream at all.
func (g *guard) opened(ctx context.Context, nc *nats.Conn) (unopened bool, err error) {
	if g.gone {
		return false, nil
	}
	info, err := streamInfo(ctx, nc)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return true, nil
	}
	if err != nil || info.State.Lost == nil {
		return false, err
	}
	g.damage.Lost += info.lost()
	if g.kept == "" {
		g.damage.keep(g.data)
		return false, nil
	}
	return false, g.setAside(g.kept)
}

// setAside moves those blocks of a copy of the stream aside of which the server
// has cut something.
func (g *guard) setAside(kept string) error {
	g.damage.Held = max(g.damage.Held, heldIn(kept))
	aside, err := g.aside()
	if err != nil {
		return err
	}
	for _, block := range blocksOf(kept) {
		before, err := os.Stat(block)
		if err != nil {
			return err
		}
		now, err := os.Stat(filepath.Join(g.stream, messagesDir, filepath.Base(block)))
		if err == nil && now.Size() == before.Size() {
			continue // it is whole
		}
		into := filepath.Join(aside, filepath.Base(block))
		if _, err := os.Stat(into); err == nil {
			continue // from before it was cut for the first time
		}
		if err := os.Rename(block, into); err != nil {
			return err
		}
	}
	return nil
}

// aside makes the folder for what was damaged, and writes down that there is some.
func (g *guard) aside() (string, error) {
	if g.damage.Aside == "" {
		g.damage.Aside = filepath.Join(g.data, "stream.aside-"+time.Now().UTC().Format("20060102T150405.000"))
	}
	if err := os.MkdirAll(g.damage.Aside, 0o700); err != nil {
		return "", fmt.Errorf("move what is damaged of the stream aside: %w", err)
	}
	g.damage.keep(g.data)
	return g.damage.Aside, nil
}

// mend puts back the stream that the server did not open, and mostly deleted,
// without the blocks that do not unpack; it moves all of it aside where that is not
// what is wrong.
func (g *guard) mend() error {
	whole := cmp.Or(g.kept, g.stream)
	var broken []string
	for _, path := range blocksOf(whole) {
		block, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := packed(block); n > 0 {
			if _, err := natsserver.S2Compression.Decompress(block[n:]); err != nil {
				broken = append(broken, path)
				g.damage.Lost += uint64(len(block))
			}
		}
	}
	g.damage.Held = max(g.damage.Held, heldIn(whole))
	if len(broken) == 0 {
		return g.moveWhole(whole)
	}
	aside, err := g.aside()
	if err != nil {
		return err
	}
	for _, path := range broken {
		if err := os.Rename(path, filepath.Join(aside, filepath.Base(path))); err != nil {
			return err
		}
	}
	if g.kept == "" {
		return nil
	}
	return g.putBack()
}

// putBack makes the stream anew of what is kept: whole or not at all.
func (g *guard) putBack() error {
	whole, err := os.MkdirTemp(g.data, mendGlob)
	if err == nil {
		err = double(g.kept, whole)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(whole))
	}
	return errors.Join(os.RemoveAll(g.stream), os.Rename(whole, g.stream))
}

// moveWhole moves all of the stream aside.
func (g *guard) moveWhole(from string) error {
	for _, path := range blocksOf(from) {
		if info, err := os.Stat(path); err == nil {
			g.damage.Lost += uint64(info.Size())
		}
	}
	g.damage.Lost = max(g.damage.Lost, 1)
	aside, err := g.aside()
	if err != nil {
		return err
	}
	if err := os.Rename(from, filepath.Join(aside, Events)); err != nil {
		return fmt.Errorf("move the damaged stream aside: %w", err)
	}
	g.kept, g.gone = "", true
	return os.RemoveAll(g.stream) // what the server left of it
}

// heldIn finds the last message that stands in the blocks of a stream that are
// not packed; 0: nobody knows.
func heldIn(stream string) (last uint64) {
	for _, path := range blocksOf(stream) {
		if block, err := os.ReadFile(path); err == nil && packed(block) == 0 {
			last = max(last, lastSequence(block))
		}
	}
	return last
}

// Where a message's sequence stands in a block, seen from its subject, which
// stands behind its length, sequence, time and the subject's own length. A
// record is no shorter than leastRecord.
const (
	beforeSubject = 22
	sequenceAt    = 4
	leastRecord   = 30

	longestSubject = 4 << 10 // a control line of NATS
)

// lastSequence returns the last message that stands in a block that is not
// packed, though parts of it may be damaged: it looks for subjects, and believes
// those at which the sequence goes on from the one before.
func lastSequence(block []byte) (last uint64) {
	subject := []byte(strings.TrimSuffix(eventSubjects, ">"))
	before := 0
	for at := 0; ; at += len(subject) {
		next := bytes.Index(block[at:], subject)
		if next < 0 {
			return last
		}
		if at += next; at < beforeSubject {
			continue
		}
		if length := int(binary.LittleEndian.Uint16(block[at-2:])); length <= len(subject) || length > longestSubject {
			continue // the text of a message
		}
		sequence := binary.LittleEndian.Uint64(block[at-beforeSubject+sequenceAt:])
		most := last + 1 + uint64((at-before)/leastRecord)
		if sequence > last && (last == 0 && sequence < 1<<62 || sequence <= most) {
			last, before = sequence, at
		}
	}
}

// close removes the copies and links that are not needed.
func (g *guard) close() error {
	if g == nil || g.kept == "" {
		return nil
	}
	return os.RemoveAll(g.kept)
}
