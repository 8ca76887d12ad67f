package classify

import (
	"bytes"
	"hash/maphash"
	"strings"
	"sync/atomic"

	"hansei/ingest"
)

// A memo keeps what was decided about messages whose shape came more than once,
// see [numbers]. Most failures of a fleet have the words of another one, and other
// numbers at most, so a small memo serves most of them. It is safe for concurrent
// use and never changes an answer, only its time.
type memo struct {
	seed  maphash.Seed
	slots [memoSlots]memoSlot
}

const (
	// memoSlots is how many shapes are kept at most: enough that the few hundred
	// of a busy hour seldom meet in a slot. With memoText it bounds the memory to
	// 16 MiB; a usual message of 150 bytes takes a twentieth of that.
	memoSlots = 1 << 14
	// memoText is the longest message that is kept; 99 of 100 are shorter.
	memoText = 1 << 10
)

// A memoSlot holds the last shape of its hash that came twice. One that comes
// once leaves only its mark, so that a million different ones cost
// no memory.
type memoSlot struct {
	mark atomic.Uint64
	kept atomic.Pointer[remembered]
}

// A remembered is an event, as far as its tag depends on it, and the tag.
type remembered struct {
	kind                           ingest.Kind
	code, status, operation, shape string
	tag                            Tag
}

func (r *remembered) is(e *ingest.Event, shape []byte) bool {
	return r.shape == string(shape) && r.code == e.Code && r.operation == e.Operation && r.status == e.Status && r.kind == e.Kind
}

// remember returns the tag of an event like e, whose message is in s: one with a
// message of the same shape, or with the same message where its numbers matter.
// It makes the shape, unless e is not of the kind that is kept.
func (c *Classifier) remember(e *ingest.Event, s *scratch) (tag Tag, ok bool) {
	if len(e.Message) > memoText || (e.Message == "") != (len(s.text) == 0) || e.Detail != "" || hasFields(e) {
		return Tag{}, false
	}
	s.learned = c.learned.Load()
	s.shape = c.numbers.shape(s.shape, s.text, s.learned)
	s.kept = true
	if tag, ok := c.memo.find(e, s.shape); ok || bytes.Equal(s.shape, s.text) {
		return tag, ok
	}
	return c.memo.find(e, s.text)
}

// mark returns what tells an event like e, with a text of shape, from most others.
func (m *memo) mark(e *ingest.Event, shape []byte) uint64 {
	return maphash.Bytes(m.seed, shape) ^ maphash.String(m.seed, e.Operation)<<1 ^ maphash.String(m.seed, e.Code)<<2 | 1
}

func (m *memo) find(e *ingest.Event, shape []byte) (tag Tag, ok bool) {
	if kept := m.slots[m.mark(e, shape)/2%memoSlots].kept.Load(); kept != nil && kept.is(e, shape) {
		return kept.tag, true
	}
	return Tag{}, false
}

// keep remembers the tag of e when an event like it comes for the second time.
func (m *memo) keep(e *ingest.Event, s *scratch, tag Tag) {
	if !s.kept {
		return
	}
	shape := s.shape
	if s.byValue && e.Message != "" {
		shape = s.text
	}
	mark := m.mark(e, shape)
	slot := &m.slots[mark/2%memoSlots]
	if slot.mark.Swap(mark) != mark {
		return
	}
	slot.kept.Store(&remembered{e.Kind, strings.Clone(e.Code), strings.Clone(e.Status), strings.Clone(e.Operation),
		string(shape), tag}) // clones, as a field may be a part of a large record
}

// hasFields says whether e has structured evidence among its attributes.
func hasFields(e *ingest.Event) bool {
	if len(e.Attrs) == 0 {
		return false
	}
	for i := range fields {
		if _, ok := e.Attrs[fields[i].name]; ok {
			return true
		}
	}
	return false
}
