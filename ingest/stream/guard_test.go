package stream

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// fill publishes n events of about size bytes and returns the state at the end,
// when the server is closed.
func fill(t *testing.T, dir string, n, size int) State {
	t.Helper()
	c, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := c.NewPublisher()
	for i := range n {
		e, noise := event(fmt.Sprint("e", i)), make([]byte, size/2)
		rand.Read(noise)
		e.Message = "subject hansei.v1.event.bot of " + hex.EncodeToString(noise)
		if err := p.Publish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := c.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spoil changes bytes in the middle of a file of the stream, whose server was killed.
func spoil(t *testing.T, dir, name string) (sound []byte) {
	t.Helper()
	folder := filepath.Join(dir, "jetstream", "$G", "streams", Events)
	path := filepath.Join(folder, name)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := append([]byte(nil), sound...)
	for i := range 60 {
		broken[len(broken)/2+i] ^= 0x5a
	}
	if err := os.WriteFile(path, broken, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "msgs", "index.db")); err != nil {
		t.Fatal(err)
	}
	return broken
}

func stateOf(t *testing.T, dir string) State {
	t.Helper()
	c, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := c.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tell is what a store does that has noticed what was lost.
func tell(t *testing.T, dir string) {
	t.Helper()
	c, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := c.State(t.Context())
	if err := errors.Join(err, c.Told(s.Tip)); err != nil {
		t.Fatal(err)
	}
}

// The server cuts a block off where it is damaged: how far it reached is known,
// and what was cut is kept. Files that are well leave nothing behind.
func TestCutBlockIsKept(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 500, 200)
	block := spoil(t, dir, "msgs/1.blk")
	s := stateOf(t, dir)
	if s.Tip.Sequence == 0 || s.Tip.Sequence >= 500 || s.Held != 500 || s.Damaged == 0 {
		t.Errorf("the stream ends at %d, its files at %d, %d bytes damaged", s.Tip.Sequence, s.Held, s.Damaged)
	}
	kept, err := os.ReadFile(filepath.Join(s.Aside, "1.blk"))
	if err != nil || string(kept) != string(block) {
		t.Errorf("%d of %d bytes are kept aside: %v", len(kept), len(block), err)
	}
	if again := stateOf(t, dir); again.Damaged != s.Damaged || again.Held != s.Held || again.Aside != s.Aside {
		t.Errorf("at the second start %+v, nobody was told of %+v", again, s)
	}
	tell(t, dir)
	if s := stateOf(t, dir); s.Damaged != 0 {
		t.Errorf("%d bytes damaged after that was told", s.Damaged)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, keptGlob)); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

// Whether a stream was closed its times alone do not tell: a copy of a folder has
// new ones.
func TestCopyOfAnOpenStreamIsKept(t *testing.T) {
	dir := t.TempDir()
	tip := fill(t, dir, 1, 200).Tip
	for _, open := range []bool{false, true} {
		if err := setEnd(dir, end{tip, open}); err != nil {
			t.Fatal(err)
		}
		g, err := newGuard(dir)
		if err != nil || g.kept != "" != open {
			t.Errorf("open %v: kept in %q, %v", open, g.kept, err)
		}
		if err := g.close(); err != nil {
			t.Error(err)
		}
	}
}

// A stream of which the server opens nothing is not made anew in its place,
// which would delete all of it: the damaged block is moved away, and the rest opens.
func TestPackedBlockIsMovedAside(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, 400, 60_000) // of blocks of 8 MiB
	spoil(t, dir, "msgs/1.blk")
	s := stateOf(t, dir)
	if !s.Tip.Created.Equal(before.Tip.Created) || s.Tip.Sequence != 400 || s.First < 2 || s.First > 200 || s.Damaged == 0 || s.Held != 400 {
		t.Errorf("after %+v: %+v", before, s)
	}
	if _, err := os.Stat(filepath.Join(s.Aside, "1.blk")); err != nil {
		t.Error(err)
	}
}

// A start that was killed after the server had deleted the stream is taken up.
func TestKilledStartIsTakenUp(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, 50, 200)
	stream := filepath.Join(dir, "jetstream", "$G", "streams", Events)
	if err := errors.Join(double(stream, filepath.Join(dir, ".hansei-stream-1")), os.RemoveAll(stream)); err != nil {
		t.Fatal(err)
	}
	s := stateOf(t, dir)
	if len(s.Ended) != 1 || s.Ended[0] != before.Tip {
		t.Errorf("ended at %+v, want %+v", s.Ended, before.Tip)
	}
	if s.Ended, s.Ours = nil, before.Ours; !reflect.DeepEqual(s, before) {
		t.Errorf("after %+v: %+v", before, s)
	}
}

// A start that was killed after the server had cut the stream off leaves what it
// kept, which tells of that.
func TestKilledStartTellsOfTheCut(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 500, 200)
	block := spoil(t, dir, "msgs/1.blk")
	stream, kept := filepath.Join(dir, "jetstream", "$G", "streams", Events), filepath.Join(dir, ".hansei-stream-1")
	if err := double(stream, kept); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(stream, "msgs", "1.blk"), int64(len(block)/3)); err != nil { // as the server does
		t.Fatal(err)
	}
	s := stateOf(t, dir)
	if s.Tip.Sequence == 0 || s.Tip.Sequence >= 500 || s.Held != 500 || s.Damaged == 0 {
		t.Errorf("the stream ends at %d, its files at %d, %d bytes damaged", s.Tip.Sequence, s.Held, s.Damaged)
	}
	if got, err := os.ReadFile(filepath.Join(s.Aside, "1.blk")); err != nil || string(got) != string(block) {
		t.Errorf("%d of %d bytes are kept aside: %v", len(got), len(block), err)
	}
}

// How far the stream reached before it was opened is told until somebody keeps
// it, and is how far it reached then.
func TestEndIsToldUntilKept(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, 5, 200)
	for range 2 {
		if s := stateOf(t, dir); len(s.Ended) != 1 || s.Ended[0] != before.Tip {
			t.Errorf("ended at %+v, want %+v", s.Ended, before.Tip)
		}
	}
	c, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Told(before.Tip); err != nil {
		t.Fatal(err)
	}
	if s, err := c.State(t.Context()); err != nil || len(s.Ended) > 0 || len(s.Ours) != 1 || !s.Ours[0].Equal(before.Tip.Created) {
		t.Errorf("told again: %+v, %v", s, err)
	}
	c.Close()
	farther := before.Tip
	farther.Sequence = 9
	if err := setEnd(dir, end{farther, false}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s := stateOf(t, dir); len(s.Ended) != 1 || s.Ended[0] != farther {
			t.Errorf("ended at %+v, want %+v", s.Ended, farther)
		}
	}
}

// What is known of streams outlives that it cannot be written, as on a full disk.
func TestEndsOutliveAFullDisk(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, 5, 200)
	if err := os.Mkdir(filepath.Join(dir, endsFile+".new"), 0o700); err != nil { // in the way of it
		t.Fatal(err)
	}
	other := before.Tip
	other.Sequence = 9
	if err := setEnd(dir, end{other, false}); err == nil {
		t.Error("it was written")
	}
	if _, ended := had(dir); len(ended) != 1 || ended[0] != before.Tip {
		t.Errorf("ended at %+v, want %+v", ended, before.Tip)
	}
}

// Where the stream's own description is damaged, all of it is moved away.
func TestDamagedStreamIsMovedAside(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, 50, 200)
	spoil(t, dir, "meta.inf")
	s := stateOf(t, dir)
	if s.Tip.Created.Equal(before.Tip.Created) || s.Tip.Sequence != 0 || s.Held != 50 || s.Damaged == 0 {
		t.Errorf("after %+v: %+v", before, s)
	}
	if _, err := os.Stat(filepath.Join(s.Aside, Events, "msgs", "1.blk")); err != nil {
		t.Error(err)
	}
}
