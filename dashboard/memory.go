package dashboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// A memory keeps the last answers to questions. While nothing was written to
// the store that concerns it an answer holds. After that it is made anew, and
// who asks waits for that for a short time only: then the answer before is
// given, with the time of its data. One that nobody asked for in a while is too
// old for that, and waited for longer. The zero value is empty.
type memory[V any] struct {
	long bool // an answer may take seconds to make

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

// A moment is of when data is: of so many changes of the store.
type moment struct {
	changes uint64
	asOf    time.Time
	behind  bool // events were stored since
}

// A question is asked of a memory.
type question struct {
	key     string
	moment            // that it is asked of
	before  time.Time // the answer rests on nothing that happened then or later
	patient time.Time // until when who asks waits for a newer answer
}

// allTime is the end of the time that an answer of everything rests on.
var allTime = time.Unix(1<<39, 0)

// changesOfAll is before all events: only what concerns everything, as a
// decision does, makes an answer anew that rests on nothing before it.
var changesOfAll = time.Time{}.Add(1)

// An answer is a value and when it is of.
type answer[V any] struct {
	value V
	err   error
	moment
}

// Bounds of a memory.
const (
	maxAnswers = 24                    // a report of 10,000 operations has a few MiB
	patience   = 60 * time.Millisecond // for newer answers, of the 200 ms of a page; the rest is for reading and writing it
	longest    = 2 * time.Minute       // to make one
	// An answer older than old is that of another visit: who comes back sees
	// what there is now, if that can be told within oldPatience.
	old         = 20 * time.Second
	oldPatience = 2 * time.Second
	rest        = 9 // times what an answer took: making it takes a tenth of the time
	// keepFor is how long an answer holds at most: a report names the months that
	// have data, of which there may be one more since.
	keepFor = time.Hour
	// longestRest is what a reader waits at most before looking again.
	longestRest = 2 * time.Minute
)

// ask returns the answer to q. Where none holds, reckon makes it, given the last
// one, which is empty at first.
func (m *memory[V]) ask(ctx context.Context, d *Dashboard, q question, reckon func(context.Context, answer[V]) (V, error)) (answer[V], error) {
	m.mu.Lock()
	r := m.entry(q.key)
	r.asked = d.Now()
	before := r.told
	has := r.known && before.err == nil
	if has && d.holds(before.moment, q) && time.Since(r.made) < keepFor {
		defer m.mu.Unlock()
		r.told = before.at(q)
		return r.told, nil
	}
	if has && r.making == nil && r.resting(d.Patience) {
		defer m.mu.Unlock()
		before.behind = true
		return before, nil
	}
	making := r.making
	if making == nil {
		making = make(chan struct{})
		r.making = making
		m.start(ctx, d, r, q, reckon)
	}
	wait := time.Until(q.patient)
	if d.Now().Sub(before.asOf) > old {
		wait += oldPatience
	}
	if r.took > wait {
		wait = 0 // in vain
	}
	if !has {
		wait = longest
		r.waiting++
	}
	m.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var failed error
	select {
	case <-making:
		m.mu.Lock()
		defer m.mu.Unlock()
		told := r.told
		if told.behind = true; d.holds(told.moment, q) {
			told = told.at(q)
		}
		return told, r.failed
	case <-timer.C:
		failed = context.DeadlineExceeded
	case <-ctx.Done():
		failed = ctx.Err()
	}
	if has {
		before.behind = true
		return before, ctx.Err()
	}
	m.leave(q.key, r, making)
	return before, failed
}

// holds reports whether nothing was written since a moment that concerns q.
func (d *Dashboard) holds(at moment, q question) bool {
	return !d.Store.Since(at.changes).Before(q.before)
}

// at is an answer that holds at the moment of q.
func (a answer[V]) at(q question) answer[V] {
	a.moment = q.moment
	return a
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
func (m *memory[V]) start(ctx context.Context, d *Dashboard, r *remembered[V], q question, reckon func(context.Context, answer[V]) (V, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	r.waiting, r.abandon = 0, cancel
	last := r.told
	again := r.known && last.err == nil
	taken := d.work.start(func() {
		defer cancel()
		defer d.work.onStop(cancel)()
		if m.long {
			defer d.work.enter(ctx, again)()
		}
		start := time.Now()
		made := answer[V]{moment: q.moment}
		made.value, made.err = sheltered(ctx, d.Log, func(ctx context.Context) (V, error) { return reckon(ctx, last) })
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
func (r *remembered[V]) resting(patience time.Duration) bool {
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

// refreshed lets the incidents tell of all events, for which it waits a short
// time, and notes of which moment they tell. The parts of a page are all of
// this moment or an earlier one.
func (d *Dashboard) refreshed(q *request) error {
	if q.of != nil {
		return nil
	}
	now := question{moment: moment{changes: d.Store.Changes(), asOf: d.Now()}, before: allTime, patient: q.patient}
	got, err := d.refresh.ask(q.r.Context(), d, now, func(ctx context.Context, _ answer[struct{}]) (struct{}, error) {
		return struct{}{}, d.Store.Refresh(ctx)
	})
	q.of = &got.moment
	return err
}

// remember asks a memory for the part of a page that key names, and notes of
// when it is. The part rests on nothing that happened before a time or later.
func remember[V any](d *Dashboard, q *request, m *memory[V], key string, before time.Time, reckon func(context.Context, answer[V]) (V, error)) (V, error) {
	if err := d.refreshed(q); err != nil {
		var none V
		return none, err
	}
	got, err := m.ask(q.r.Context(), d, question{key, *q.of, before, q.patient}, reckon)
	if got.asOf.Before(q.AsOf) && !got.asOf.IsZero() {
		q.AsOf = got.asOf
	}
	q.Behind = q.Behind || got.behind
	return got.value, err
}
