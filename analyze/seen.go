package analyze

import (
	"context"
	"database/sql"
	"encoding/binary"
	"hash/maphash"
	"sync"

	"hansei/queries"
)

// A seen remembers which ids the store holds, so that it need not be asked
// about a batch of new ones: that reads all of its ids, and takes the longer the
// more there are. An id is kept as 44 bits of its hash, in some 5 bytes of
// memory. So an id may be taken for a stored one by mistake, one in a million
// among ten million, and the store is asked; a stored one is never missed. It
// is safe for concurrent use.
type seen struct {
	seed maphash.Seed

	mu     sync.Mutex
	shards [1 << seenBits]shard
	ids    int
	whole  bool // it holds every id of the store
	full   bool // it holds none: they are too many

	batches int // that were looked up
	loading sync.WaitGroup
	stop    context.CancelFunc // of loading; nil before
}

const (
	seenBits = 12       // of the hash tell the shard
	seenMost = 24 << 20 // ids, in some 120 MB; beyond, the store is asked
	seenLoad = 2        // batches after which it is worth to read all ids
)

// newSeen returns a seen of a store, which is empty or has yet to be read.
func newSeen(empty bool) *seen { return &seen{seed: maphash.MakeSeed(), whole: empty} }

// mayHold adds the ids of rows, which are their first column, and reports
// whether any of them may be stored or stand among rows twice.
func (s *seen) mayHold(rows []frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches++
	may := false
	for _, f := range rows {
		for i := f.from; i < f.to; i++ {
			may = s.add(maphash.Bytes(s.seed, f.columns[0].textAt(i))) || may
		}
	}
	return may || !s.whole
}

// add reports whether a hash was there, and adds it; s.mu is held.
func (s *seen) add(hash uint64) bool {
	if s.full {
		return true
	}
	if s.shards[hash>>(64-seenBits)].add(max(uint32(hash), 1)) {
		return true
	}
	if s.ids++; s.ids > seenMost {
		s.shards, s.full = [1 << seenBits]shard{}, true
	}
	return false
}

// load begins to read all ids of db, unless it has begun or is not worth it.
func (s *seen) load(db *sql.DB) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil || s.whole || s.batches < seenLoad {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.loading.Go(func() {
		if s.read(ctx, columnar{db}) == nil { // else the store goes on being asked
			s.mu.Lock()
			s.whole = !s.full
			s.mu.Unlock()
		}
	})
}

// read adds all ids of db.
func (s *seen) read(ctx context.Context, db queries.DB) error {
	hashes := make([]byte, 0, 8<<10)
	add := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for ; len(hashes) > 0; hashes = hashes[:len(hashes)-8] {
			s.add(binary.LittleEndian.Uint64(hashes[len(hashes)-8:]))
		}
	}
	err := queries.EachID(ctx, db, func(id []byte) error {
		if hashes = binary.LittleEndian.AppendUint64(hashes, maphash.Bytes(s.seed, id)); len(hashes) == cap(hashes) {
			add()
		}
		return ctx.Err()
	})
	add()
	return err
}

// close ends what load began.
func (s *seen) close() {
	s.mu.Lock()
	stop := s.stop
	s.mu.Unlock()
	if stop != nil {
		stop()
		s.loading.Wait()
	}
}

// A shard is a set of numbers over zero: a table with linear probing, in the
// order of the numbers, so that it can grow by any factor without the hashes.
type shard struct {
	slots []uint32 // zero is free
	used  int
}

// add reports whether n was there, and adds it.
func (t *shard) add(n uint32) bool {
	if 5*(t.used+1) > 4*len(t.slots) {
		old := t.slots
		t.slots, t.used = make([]uint32, len(old)*5/4+16), 0
		for _, other := range old {
			if other != 0 {
				t.add(other)
			}
		}
	}
	for i := uint64(n) * uint64(len(t.slots)) >> 32; ; i++ {
		if i == uint64(len(t.slots)) {
			i = 0
		}
		switch t.slots[i] {
		case n:
			return true
		case 0:
			t.slots[i] = n
			t.used++
			return false
		}
	}
}
