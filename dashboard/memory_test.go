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
	"hansei/ingest"
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
		if err := store.Decide(t.Context(), nil, time.Time{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	d := New(Options{Store: store, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	var m memory[int]
	asked := 0
	ask := func(key string, reckon func(context.Context) (int, error)) (answer[int], error) {
		now := moment{changes: store.Changes(), asOf: time.Now()}
		return m.ask(t.Context(), d, question{key, now, allTime, time.Now().Add(patience)}, func(ctx context.Context, _ answer[int]) (int, error) { return reckon(ctx) })
	}
	check := func(key string, want int, behind bool, reckon func(context.Context) (int, error)) {
		t.Helper()
		got, err := ask(key, reckon)
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
		if got, err := ask("a", give(98)); err == nil && got.value == 5 {
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
	if _, err := ask("a", func(context.Context) (int, error) { return 0, trouble }); !errors.Is(err, trouble) {
		t.Errorf("got %v, want the trouble", err)
	}
	if _, err := ask("a", func(context.Context) (int, error) { panic("a fault") }); err == nil || !strings.Contains(err.Error(), "a fault") {
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
	if _, err := ask("new", give(1)); !errors.Is(err, errStopping) {
		t.Errorf("after Close: %v", err)
	}
}

// Who comes back after a while does not get what there was then, but waits.
func TestMemoryOld(t *testing.T) {
	store, err := analyze.Open(t.Context(), "", analyze.Options{Memory: "128MiB"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := time.Now()
	d := New(Options{Store: store, Now: func() time.Time { return now }, Patience: time.Hour, Log: slog.New(slog.DiscardHandler)})
	defer d.Close()
	var m memory[int]
	check := func(want int, behind bool, reckon func(ctx context.Context) (int, error)) {
		t.Helper()
		impatient := question{"a", moment{changes: store.Changes(), asOf: now}, allTime, time.Now()}
		got, err := m.ask(t.Context(), d, impatient, func(ctx context.Context, _ answer[int]) (int, error) { return reckon(ctx) })
		if err != nil || got.value != want || got.behind != behind {
			t.Errorf("got %d behind %v, %v; want %d behind %v", got.value, got.behind, err, want, behind)
		}
	}
	change := func() {
		t.Helper()
		if err := store.Decide(t.Context(), nil, time.Time{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	check(1, false, func(context.Context) (int, error) { return 1, nil })
	change()
	now = now.Add(2 * old)
	begun, release := make(chan bool), make(chan bool)
	go func() {
		<-begun
		close(release)
	}()
	check(2, false, func(context.Context) (int, error) { begun <- true; <-release; return 2, nil })
	change()
	check(2, true, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
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
	reckon := func(ctx context.Context, _ answer[int]) (int, error) {
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
			a, err := m.ask(ctx, d, question{key: "a", before: allTime, patient: time.Now()}, reckon)
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

// What is written of other times leaves an answer as it is, now as of later;
// and who gets an older answer is told of when it is.
func TestMemoryHolds(t *testing.T) {
	store, err := analyze.Open(t.Context(), "", analyze.Options{Memory: "128MiB"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	d := New(Options{Store: store, Now: func() time.Time { return now }, Patience: time.Minute, Log: slog.New(slog.DiscardHandler)})
	defer d.Close()
	sequence := uint64(0)
	event := func(at time.Time) {
		t.Helper()
		sequence++
		e := ingest.Event{Time: at, Agent: "bot", Message: "x"}
		if err := e.Finish(now); err != nil {
			t.Fatal(err)
		}
		packer := analyze.NewPacker()
		packer.Add(&analyze.Row{Sequence: sequence, Event: &e})
		if _, err := store.Append(t.Context(), analyze.Batch{Position: ingest.Position{Stream: "s", Sequence: sequence}, Parts: []*analyze.Part{packer.Part()}}); err != nil {
			t.Fatal(err)
		}
	}
	var m memory[int]
	asked := 0
	page := func(before time.Time) *request {
		t.Helper()
		q := &request{r: httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), AsOf: now, patient: time.Now().Add(time.Minute)}
		if _, err := remember(d, q, &m, before.String(), before, func(context.Context, answer[int]) (int, error) { asked++; return asked, nil }); err != nil {
			t.Fatal(err)
		}
		if q.AsOf != now || q.Behind {
			t.Errorf("of %v, behind %v; nothing concerns it since", q.AsOf, q.Behind)
		}
		return q
	}
	march := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	page(march)
	event(now)
	now = now.Add(time.Hour)
	page(march)
	if asked != 1 {
		t.Errorf("asked %d times of February, want 1: only March has changed", asked)
	}
	event(march.Add(-time.Hour))
	page(march)
	if asked != 2 {
		t.Errorf("asked %d times of February, want 2: it has changed", asked)
	}
	event(march.Add(-time.Hour))
	first := now
	now = now.Add(time.Hour)
	q := &request{r: httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), AsOf: now, patient: time.Now()}
	release := make(chan bool)
	defer close(release)
	if n, err := remember(d, q, &m, march.String(), march, func(context.Context, answer[int]) (int, error) { <-release; return 0, nil }); n != 2 || err != nil || q.AsOf != first || !q.Behind {
		t.Errorf("got %d, %v, of %v, behind %v; want the answer before, of %v", n, err, q.AsOf, q.Behind, first)
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
