package classify

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"hansei/ingest"
)

// A memo keeps what was decided about messages that came more than once. Most
// failures are attempts of one operation that fail again with the same words,
// so a small one serves most events of a fleet. It is safe for concurrent use
// and never changes an answer, only its time.
type memo struct {
	seed  maphash.Seed
	slots [memoSlots]memoSlot
}

const (
	// memoSlots is how many messages are kept at most: enough that the few hundred
	// of a busy hour seldom meet in a slot. With memoText it bounds the memory to
	// 16 MiB; a usual message of 150 bytes takes a twentieth of that.
	memoSlots = 1 << 14
	// memoText is the longest message that is kept; 99 of 100 are shorter.
	memoText = 1 << 10
)

// A memoSlot holds the last message of its hash that came twice. A message
// that comes once leaves only its mark, so that a million different ones cost
// no memory.
type memoSlot struct {
	mark atomic.Uint64
	kept atomic.Pointer[remembered]
}

// A remembered is an event, as far as its tag depends on it, and the tag.
type remembered struct {
	kind                             ingest.Kind
	code, status, operation, message string
	tag                              Tag
}

func (r *remembered) is(e *ingest.Event) bool {
	return r.message == e.Message && r.code == e.Code && r.operation == e.Operation && r.status == e.Status && r.kind == e.Kind
}

// find returns what is remembered of e, and the slot and mark to keep it under;
// no slot when e is not of the kind that is kept.
func (m *memo) find(e *ingest.Event) (tag Tag, slot *memoSlot, mark uint64, ok bool) {
	if len(e.Message) > memoText || e.Detail != "" || hasFields(e) {
		return Tag{}, nil, 0, false
	}
	mark = maphash.String(m.seed, e.Message) ^ maphash.String(m.seed, e.Operation)<<1 ^ maphash.String(m.seed, e.Code)<<2 | 1
	slot = &m.slots[mark/2%memoSlots]
	if kept := slot.kept.Load(); kept != nil && kept.is(e) {
		return kept.tag, slot, mark, true
	}
	return Tag{}, slot, mark, false
}

// keep remembers the tag of e when e comes for the second time.
func (s *memoSlot) keep(e *ingest.Event, mark uint64, tag Tag) {
	if s == nil || s.mark.Swap(mark) != mark {
		return
	}
	s.kept.Store(&remembered{e.Kind, strings.Clone(e.Code), strings.Clone(e.Status), strings.Clone(e.Operation),
		strings.Clone(e.Message), tag}) // clones, as a message may be a part of a large record
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
