package dashboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hansei/analyze"
)

// A store that changes asks for new answers, but nobody waits long for one.
func TestMemory(t *testing.T) {
	store, err := analyze.Open(t.Context(), "", analyze.Options{Memory: "128MiB"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	change := func() {
		t.Helper()
		if err := store.Decide(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	d := New(Options{Store: store, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	var m memory[int]
	asked := 0
	check := func(key string, want int, behind bool, reckon func(context.Context) (int, error)) {
		t.Helper()
		got, err := m.ask(t.Context(), d, key, reckon)
		if err != nil || got.value != want || got.behind != behind {
			t.Errorf("got %d behind %v, %v; want %d behind %v", got.value, got.behind, err, want, behind)
		}
	}
	give := func(n int) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { asked++; return n, nil }
	}
	check("a", 1, false, give(1))
	check("a", 1, false, give(2)) // nothing was written
	check("b", 3, false, give(3))
	if asked != 2 {
		t.Errorf("asked %d times, want 2", asked)
	}
	change()
	check("a", 4, false, give(4))

	change()
	release := make(chan struct{})
	slow := func(context.Context) (int, error) { <-release; return 5, nil }
	check("a", 4, true, slow)
	check("a", 4, true, give(99)) // one is under way
	close(release)
	for end := time.Now().Add(time.Minute); ; {
		if got, err := m.ask(t.Context(), d, "a", give(98)); err == nil && got.value == 5 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the newer answer never came")
		}
	}

	change()
	check("a", 5, true, give(6)) // what took long is not made again at once
	m.forget()
	check("a", 6, false, give(6))

	change()
	trouble := errors.New("trouble")
	if _, err := m.ask(t.Context(), d, "a", func(context.Context) (int, error) { return 0, trouble }); !errors.Is(err, trouble) {
		t.Errorf("got %v, want the trouble", err)
	}
	if _, err := m.ask(t.Context(), d, "a", func(context.Context) (int, error) { panic("a fault") }); err == nil || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("got %v, want the panic", err)
	}
	check("a", 7, false, give(7)) // an error is not kept
	for i := range 3 * maxAnswers {
		check(fmt.Sprint(i), i, false, give(i))
	}
	if len(m.answers) > maxAnswers {
		t.Errorf("%d answers are kept, want at most %d", len(m.answers), maxAnswers)
	}

	change()
	check("0", 0, false, give(0))
	change()
	check("0", 0, true, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
	d.Close() // ends that, or the test does
	if _, err := m.ask(t.Context(), d, "new", give(1)); !errors.Is(err, errStopping) {
		t.Errorf("after Close: %v", err)
	}
}

// What nobody waits for any more is not reckoned to its end; what one still
// waits for is.
func TestMemoryAbandons(t *testing.T) {
	store, err := analyze.Open(t.Context(), "", analyze.Options{Memory: "128MiB"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	d := New(Options{Store: store, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	defer d.Close()
	var m memory[int]
	begun, ended, release := make(chan bool), make(chan bool), make(chan bool)
	reckon := func(ctx context.Context) (int, error) {
		begun <- true
		select {
		case <-ctx.Done():
			close(ended)
			return 0, ctx.Err()
		case <-release:
			return 5, nil
		}
	}
	asks := func(ctx context.Context) chan answer[int] {
		got := make(chan answer[int], 1)
		go func() {
			a, err := m.ask(ctx, d, "a", reckon)
			a.err = err
			got <- a
		}()
		return got
	}
	waiting := func(n int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; {
			m.mu.Lock()
			r := m.answers["a"]
			there := r != nil && r.waiting == n
			m.mu.Unlock()
			if there {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("never %d waiting", n)
			}
		}
	}
	gone, leave := context.WithCancel(t.Context())
	first, second := asks(gone), asks(t.Context())
	<-begun
	waiting(2)
	leave()
	if a := <-first; !errors.Is(a.err, context.Canceled) {
		t.Errorf("who left got %v", a.err)
	}
	waiting(1)
	close(release)
	if a := <-second; a.err != nil || a.value != 5 {
		t.Errorf("who stayed got %d, %v", a.value, a.err)
	}
	m.forget()
	release = make(chan bool)
	gone, leave = context.WithCancel(t.Context())
	only := asks(gone)
	<-begun
	waiting(1)
	leave()
	<-only
	<-ended // or the test does
	if len(m.answers) > 0 {
		t.Error("what was abandoned is kept")
	}
}

// Who asks while the program ends is told so: an empty page would say that all is well.
func TestFailAtTheEnd(t *testing.T) {
	d := New(Options{Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	for _, err := range []error{errStopping, context.Canceled} {
		w := httptest.NewRecorder()
		d.fail(&request{w: w, r: httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)}, err)
		if w.Code != http.StatusServiceUnavailable {
			t.Errorf("%v: %d %s", err, w.Code, w.Body)
		}
	}
}

// The line of events forgets what is older than a minute.
func TestLive(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := newLive(func() time.Time { return now })
	l.Told(5, []Failure{{Message: "a"}, {Message: "b"}})
	now = now.Add(time.Second)
	l.Told(7, nil)
	s := l.State(0)
	if s.Seconds[58] != 5 || s.Seconds[59] != 7 || s.LastMinute != 12 || len(s.Failures) != 2 || s.Failures[0].Message != "b" || s.Number != 2 {
		t.Errorf("got %+v", s)
	}
	l.Told(1, []Failure{{Message: "c"}})
	if s := l.State(2); len(s.Failures) != 1 || s.Failures[0].Message != "c" {
		t.Errorf("after the second: %+v", s.Failures)
	}
	if s := l.State(500); len(s.Failures) != 3 {
		t.Errorf("to a browser that followed the program before: %+v", s.Failures)
	}
	now = now.Add(59 * time.Second)
	if s := l.State(0); s.LastMinute != 8 || s.Seconds[0] != 8 {
		t.Errorf("59 s later: %+v", s.Seconds)
	}
	now = now.Add(time.Hour)
	if s := l.State(0); s.LastMinute != 0 {
		t.Errorf("an hour later: %+v", s.Seconds)
	}
	for range 10 {
		l.Told(Room, make([]Failure, Room))
	}
	if s := l.State(0); len(s.Failures) != Room {
		t.Errorf("%d failures kept", len(s.Failures))
	}
}
