package dashboard

import (
	"context"
	"sync"
)

// work is what is reckoned beside the requests that asked for it.
type work struct {
	stopping chan struct{} // closed when it is to end
	places   chan struct{} // one for each long one at once
	again    chan struct{} // a place for one that is only to be newer

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// atOnce is how many long answers are reckoned at once: two, so that one does
// not hold up all others, and the events still find a core. Those that take the
// place of an older answer are one of them at most: nobody waits for them.
const atOnce = 2

func newWork() *work {
	return &work{stopping: make(chan struct{}), places: make(chan struct{}, atOnce), again: make(chan struct{}, 1)}
}

// enter waits for a place for a long answer, which leave gives back. When ctx
// ends first there is none, and what is begun ends at once.
func (w *work) enter(ctx context.Context, again bool) (leave func()) {
	var taken []chan struct{}
	leave = func() {
		for _, place := range taken {
			<-place
		}
	}
	wanted := []chan struct{}{w.places}
	if again {
		wanted = []chan struct{}{w.again, w.places}
	}
	for _, place := range wanted {
		select {
		case place <- struct{}{}:
			taken = append(taken, place)
		case <-ctx.Done():
			return leave
		}
	}
	return leave
}

// start runs f beside its caller; false when no more work is taken.
func (w *work) start(f func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.running.Go(f)
	return true
}

// close ends the work and waits for it.
func (w *work) close() {
	w.mu.Lock()
	w.closed = true
	close(w.stopping)
	w.mu.Unlock()
	w.running.Wait()
}

// onStop calls cancel when the work is to end, until done is called.
func (w *work) onStop(cancel func()) (done func()) {
	over := make(chan struct{})
	w.running.Go(func() { // within work that is running
		select {
		case <-w.stopping:
			cancel()
		case <-over:
		}
	})
	return func() { close(over) }
}
