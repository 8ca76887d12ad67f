package dashboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"hansei/queries"
)

// A memory keeps the last answers to questions that take long. While nothing
// was written to the store an answer holds. After that it is made anew, and who
// asks waits for that for a short time only: then the answer before is given,
// with the time of its data. The zero value is empty.
type memory[V any] struct {
	mu      sync.Mutex
	answers map[string]*remembered[V]
}

type remembered[V any] struct {
	told   answer[V] // the last one
	known  bool      // there is one
	failed error     // of the last try
	asked  time.Time
	made   time.Time     // when the last one was ready
	took   time.Duration // to make it
	making chan struct{} // closed when the one under way is there; nil: none is
	// Of the one under way: who waits for it, and what ends it when none do.
	waiting int
	abandon context.CancelFunc
}

// An answer is a value and what it is made of.
type answer[V any] struct {
	value   V
	err     error
	changes uint64    // of the store when it was asked
	asOf    time.Time // when that was
	behind  bool      // the store has changed since
}

// Bounds of a memory.
const (
	maxAnswers = 24                     // a report of 10,000 operations has a few MiB
	patience   = 120 * time.Millisecond // for a newer answer, of the 200 ms of a page
	longest    = 2 * time.Minute        // to make one
	rest       = 9                      // times what an answer took: making it takes a tenth of the time
	// keepFor is how long an answer holds at most: goals and other files that it
	// rests on change without the store.
	keepFor = time.Minute
	// longestRest is what a reader waits at most before looking again.
	longestRest = 15 * time.Second
)

// ask returns the answer to the question key, which reckon makes.
func (m *memory[V]) ask(ctx context.Context, d *Dashboard, key string, reckon func(context.Context) (V, error)) (answer[V], error) {
	m.mu.Lock()
	r := m.entry(key)
	r.asked = d.Now()
	if r.known && r.told.err == nil && r.told.changes == d.Store.Changes() && time.Since(r.made) < keepFor {
		defer m.mu.Unlock()
		told := r.told
		told.asOf = d.Now() // nothing was written since
		return told, nil
	}
	before := r.told
	impatient := r.known && before.err == nil
	if impatient && r.making == nil && r.resting() {
		defer m.mu.Unlock()
		before.behind = true
		return before, nil
	}
	making := r.making
	if making == nil {
		making = make(chan struct{})
		r.making = making
		m.start(ctx, d, r, reckon)
	}
	if !impatient {
		r.waiting++
	}
	m.mu.Unlock()
	wait := longest
	if impatient {
		wait = patience
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-making:
		m.mu.Lock()
		defer m.mu.Unlock()
		return r.told, r.failed
	case <-timer.C:
		if !impatient {
			m.leave(key, r, making)
			return before, context.DeadlineExceeded
		}
		before.behind = true
		return before, nil
	case <-ctx.Done():
		if !impatient {
			m.leave(key, r, making)
		}
		return before, ctx.Err()
	}
}

// leave ends the making of a first answer that nobody waits for any more: the
// browser has gone, or asks for something else.
func (m *memory[V]) leave(key string, r *remembered[V], making chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.making != making {
		return // it is there
	}
	if r.waiting--; r.waiting == 0 && (!r.known || r.told.err != nil) {
		r.abandon()
		if m.answers[key] == r {
			delete(m.answers, key) // who comes now begins anew
		}
	}
}

// entry returns what is known of key; where there is no room it forgets what
// was not asked for longest. m.mu is held.
func (m *memory[V]) entry(key string) *remembered[V] {
	if m.answers == nil {
		m.answers = map[string]*remembered[V]{}
	}
	if r, ok := m.answers[key]; ok {
		return r
	}
	if len(m.answers) >= maxAnswers {
		oldest := ""
		for k, r := range m.answers {
			if o, ok := m.answers[oldest]; r.making == nil && (!ok || r.asked.Before(o.asked)) {
				oldest = k
			}
		}
		delete(m.answers, oldest)
	}
	r := &remembered[V]{}
	m.answers[key] = r
	return r
}

// start makes an answer beside the request, which may go before it is there.
// m.mu is held.
func (m *memory[V]) start(ctx context.Context, d *Dashboard, r *remembered[V], reckon func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	r.waiting, r.abandon = 0, cancel
	taken := d.work.start(func() {
		defer cancel()
		defer d.work.onStop(cancel)()
		select {
		case d.work.places <- struct{}{}:
			defer func() { <-d.work.places }()
		case <-ctx.Done():
		}
		start := time.Now()
		made := answer[V]{changes: d.Store.Changes(), asOf: d.Now()}
		made.value, made.err = sheltered(ctx, d.Log, reckon)
		m.mu.Lock()
		defer m.mu.Unlock()
		r.made, r.took = time.Now(), time.Since(start)
		r.settle(made)
	})
	if !taken {
		cancel()
		r.settle(answer[V]{err: errStopping})
	}
}

// sheltered makes a panic an error, as net/http does within a request: one page
// that cannot be made does not end the program, which stores events.
func sheltered[V any](ctx context.Context, log *slog.Logger, reckon func(context.Context) (V, error)) (value V, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			log.Error("panic while a page was made", "cause", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return reckon(ctx)
}

// resting reports whether an answer that took long was made just before: while
// events come in it is out of date at once, and making it all the time would
// take the time that they need.
func (r *remembered[V]) resting() bool {
	return r.took > patience && time.Since(r.made) < min(rest*r.took, longestRest)
}

// forget lets every answer go, after a change that must be seen.
func (m *memory[V]) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = nil
}

// settle keeps an answer and tells those who wait. An error does not take the
// place of an answer.
func (r *remembered[V]) settle(made answer[V]) {
	if made.err == nil || !r.known || r.told.err != nil {
		r.told, r.known = made, true
	}
	r.failed = made.err
	close(r.making)
	r.making = nil
}

// errStopping is what is asked for too late.
var errStopping = errors.New("the program is ending")

// db returns what questions about incidents are asked through, after a short
// wait for the incidents to tell of all events; behind when they do not yet.
func (d *Dashboard) db(ctx context.Context) (db queries.DB, behind bool, err error) {
	got, err := d.refresh.ask(ctx, d, "", func(ctx context.Context) (struct{}, error) { return struct{}{}, d.Store.Refresh(ctx) })
	return d.Store.Reader(), got.behind, err
}
