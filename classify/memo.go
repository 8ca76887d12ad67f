package classify

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"hansei/ingest"
)

// A memo keeps what was decided about messages that came more than once, and about
// those whose shape did, see [numbers]. Most failures of a fleet have the words of
// another one, with other numbers and identifiers at most, so a small memo serves
// most of them. It is safe for concurrent use and never changes an answer, only its time.
type memo struct {
	seed  maphash.Seed
	slots [memoSlots]memoSlot
}

const (
	// memoSlots is how many messages and shapes are kept at most: enough that the few hundred
	// of a busy hour seldom meet in a slot. With memoText it bounds the memory to
	// 16 MiB; a usual message of 150 bytes takes a twentieth of that.
	memoSlots = 1 << 14
	// memoText is the longest message that is kept; 99 of 100 are shorter.
	memoText = 1 << 10
)

// A memoSlot holds the last message or shape of its hash that came twice. One
// that comes once leaves only its mark, so that a million different ones cost
// no memory.
type memoSlot struct {
	mark atomic.Uint64
	kept atomic.Pointer[remembered]
}

// A remembered is an event, as far as its tag depends on it, and the tag.
type remembered struct {
	kind                          ingest.Kind
	code, status, operation, text string
	shape                         bool // text is a shape, not a message
	tag                           Tag
}

// isOf says whether r is of e, if its text is.
func (r *remembered) isOf(e *ingest.Event) bool {
	return r.code == e.Code && r.operation == e.Operation && r.status == e.Status && r.kind == e.Kind
}

// keeps says whether e is of the kind that is kept.
func (m *memo) keeps(e *ingest.Event) bool {
	return len(e.Message) <= memoText && e.Detail == "" && !hasFields(e)
}

// mark returns what tells e, with a text of that hash, from most others.
func (m *memo) mark(e *ingest.Event, text uint64) uint64 {
	return text ^ maphash.String(m.seed, e.Operation)<<1 ^ maphash.String(m.seed, e.Code)<<2 | 1
}

func (m *memo) slot(mark uint64) *memoSlot { return &m.slots[mark/2%memoSlots] }

// message returns the tag that is kept for the message of e, and the mark to keep
// it under, 0 if e is not of the kind that is kept.
func (m *memo) message(e *ingest.Event) (tag Tag, mark uint64, ok bool) {
	if !m.keeps(e) {
		return Tag{}, 0, false
	}
	mark = m.mark(e, maphash.String(m.seed, e.Message))
	if r := m.slot(mark).kept.Load(); r != nil && !r.shape && r.text == e.Message && r.isOf(e) {
		return r.tag, mark, true
	}
	return Tag{}, mark, false
}

// shape returns the tag that is kept for all messages of a shape, in an event like
// e, and the mark to keep it under.
func (m *memo) shape(e *ingest.Event, shape []byte) (tag Tag, mark uint64, ok bool) {
	mark = m.mark(e, ^maphash.Bytes(m.seed, shape))
	if r := m.slot(mark).kept.Load(); r != nil && r.shape && r.text == string(shape) && r.isOf(e) {
		return r.tag, mark, true
	}
	return Tag{}, mark, false
}

// keep remembers tag for e with text, a message or a shape, when its mark comes
// for the second time.
func keep[T string | []byte](m *memo, mark uint64, e *ingest.Event, text T, tag Tag) {
	if mark == 0 {
		return
	}
	slot := m.slot(mark)
	if slot.mark.Swap(mark) != mark {
		return
	}
	_, message := any(text).(string)
	slot.kept.Store(&remembered{e.Kind, strings.Clone(e.Code), strings.Clone(e.Status), strings.Clone(e.Operation),
		string([]byte(text)), !message, tag}) // clones, as a field may be a part of a large record
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
