package dashboard

import "sync"

// work is what is reckoned beside the requests that asked for it.
type work struct {
	stopping chan struct{} // closed when it is to end
	places   chan struct{} // one for each at once

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// atOnce is how many answers are reckoned at once: two, so that a long one does
// not hold up all others, and the events still find a core.
const atOnce = 2

func newWork() *work {
	return &work{stopping: make(chan struct{}), places: make(chan struct{}, atOnce)}
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
