package deliver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hansei/ingest/stream"
)

// A clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// An addressee is a deliverer that notes what comes.
type addressee struct {
	mu     sync.Mutex
	copies []int
	answer func(ctx context.Context) error // nil: takes everything
}

func (a *addressee) deliverer() Deliverer {
	return Deliverer{Name: "mail", To: "ops@example.net", Key: "mail.ops", Send: func(ctx context.Context, _ *Edition, c Copy) error {
		a.mu.Lock()
		a.copies = append(a.copies, c.Number)
		answer := a.answer
		a.mu.Unlock()
		if answer != nil {
			return answer(ctx)
		}
		return nil
	}}
}

func (a *addressee) got() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.copies)
}

func openNATS(t *testing.T) *stream.Client {
	t.Helper()
	c, err := stream.Open(t.Context(), stream.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// replica returns the desk of one of several replicas.
func replica(c *stream.Client, owner string, now *clock, to ...Deliverer) *Desk {
	return &Desk{Register: c.Register(stream.Deliveries), Owner: owner, Now: now.Now, Location: time.UTC, Deliverers: to,
		Covers: func(context.Context, Period) (bool, error) { return true, nil },
		Make:   func(_ context.Context, p Period) (*Edition, error) { return &Edition{Period: p, Title: p.Name}, nil }}
}

func round(t *testing.T, d *Desk, due ...Period) []Record {
	t.Helper()
	records, err := d.Round(t.Context(), due)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func month(t *testing.T, name string) Period {
	t.Helper()
	p, err := ParsePeriod(Month, name, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newClock() *clock { return &clock{now: time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC)} }

// Of several replicas that find the same edition due at once one delivers it,
// and none does so later.
func TestOneReplicaDelivers(t *testing.T) {
	c, now, to := openNATS(t), newClock(), &addressee{}
	var group sync.WaitGroup
	for _, owner := range []string{"a", "b", "c", "d"} {
		d := replica(c, owner, now, to.deliverer())
		group.Go(func() {
			for range 5 {
				if _, err := d.Round(t.Context(), []Period{month(t, "2026-01")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	now.pass(24 * time.Hour)
	round(t, replica(c, "e", now, to.deliverer()), month(t, "2026-01"))
	if to.got() != 1 {
		t.Errorf("delivered %d times", to.got())
	}
}

// A replica that dies while it delivers is followed by another once its claim
// has been silent for a lease; one that is alive is left alone.
func TestClaimIsTakenOver(t *testing.T) {
	c, now := openNATS(t), newClock()
	begun, die := make(chan bool), make(chan bool)
	slow := &addressee{answer: func(context.Context) error { close(begun); <-die; return nil }}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	first := replica(c, "first", now, slow.deliverer())
	first.Lease = 30 * time.Millisecond // renews every 10 ms of the real clock
	ended := make(chan error)
	go func() {
		_, err := first.Round(ctx, []Period{month(t, "2026-01")})
		ended <- err
	}()
	<-begun
	next := &addressee{}
	second := replica(c, "second", now, next.deliverer())
	round(t, second) // sees the claim
	for range 3 {    // however long it takes, as long as it is renewed
		revision := entry(t, c, "month.2026-01.mail.ops").Revision
		for end := time.Now().Add(10 * time.Second); entry(t, c, "month.2026-01.mail.ops").Revision == revision; {
			if time.Now().After(end) {
				close(die)
				t.Fatal("the claim is not renewed")
			}
			time.Sleep(time.Millisecond) // between looks at a condition
		}
		now.pass(2 * DefaultLease)
		round(t, second)
	}
	if next.got() != 0 {
		t.Fatal("taken over from a replica that is alive")
	}
	close(die)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}

	// The claim of one that was killed is as it was left.
	left := Record{Kind: Month, Period: "2026-02", State: Claimed, By: "killed", Copy: 1}
	if _, err := c.Register(stream.Deliveries).Set(t.Context(), "month.2026-02.mail.ops", left.text(), 0); err != nil {
		t.Fatal(err)
	}
	round(t, second)
	now.pass(DefaultLease - time.Second)
	round(t, second)
	if next.got() != 0 {
		t.Fatal("taken over before the lease was over")
	}
	now.pass(time.Second)
	if got := round(t, second); next.got() != 1 || len(got) != 1 || got[0].State != Sent || got[0].Copy != 1 || got[0].By != "second" {
		t.Errorf("%d deliveries, %+v", next.got(), got)
	}
}

// The same replica, started again, goes on at once: nobody else has its folder.
func TestOwnClaimIsTakenUp(t *testing.T) {
	c, now, to := openNATS(t), newClock(), &addressee{}
	left := Record{Kind: Month, Period: "2026-01", State: Claimed, By: "me", Copy: 1}
	if _, err := c.Register(stream.Deliveries).Set(t.Context(), "month.2026-01.mail.ops", left.text(), 0); err != nil {
		t.Fatal(err)
	}
	round(t, replica(c, "me", now, to.deliverer()))
	if to.got() != 1 {
		t.Errorf("delivered %d times", to.got())
	}
}

func entry(t *testing.T, c *stream.Client, key string) stream.Entry {
	t.Helper()
	e, err := c.Register(stream.Deliveries).Entry(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What fails is tried again after growing pauses, or when the other side wants
// it, and given up in the end; the log keeps every try.
func TestRetries(t *testing.T) {
	c, now, to := openNATS(t), newClock(), &addressee{answer: func(context.Context) error { return errors.New("connection refused") }}
	d := replica(c, "a", now, to.deliverer())
	record := round(t, d, month(t, "2026-01"))[0]
	for i, pause := range pauses {
		if record.State != Waiting || record.Count != i+1 || !record.Next.Equal(now.Now().Add(pause)) {
			t.Fatalf("after try %d: %+v", i+1, record)
		}
		now.pass(pause - time.Second)
		if got := round(t, d); len(got) != 0 {
			t.Fatalf("tried before its time: %+v", got)
		}
		now.pass(time.Second)
		record = round(t, d)[0]
	}
	if record.State != Failed || len(record.Tries) != len(pauses)+1 || record.Error() != "connection refused" || !record.Troubles(now.Now()) {
		t.Fatalf("in the end %+v", record)
	}
	now.pass(48 * time.Hour)
	if got := round(t, d, month(t, "2026-01")); len(got) != 0 {
		t.Fatalf("tried again though given up: %+v", got)
	}
	to.answer = nil
	got, err := d.Deliver(t.Context(), month(t, "2026-01"), false)
	if err != nil || len(got) != 1 || got[0].State != Sent || got[0].Copy != 1 || got[0].Troubles(now.Now()) {
		t.Fatalf("asked for: %+v, %v", got, err)
	}
}

func TestOtherSideSaysHowToGoOn(t *testing.T) {
	for _, test := range []struct {
		failure error
		state   State
		next    time.Duration
	}{
		{&Failure{Err: errors.New("429"), After: 10 * time.Minute}, Waiting, 10 * time.Minute},
		{&Failure{Err: errors.New("429"), After: time.Second}, Waiting, pauses[0]},
		{&Failure{Err: errors.New("429"), After: 90 * 24 * time.Hour}, Waiting, longestAfter},
		{&Failure{Err: errors.New("404"), Final: true}, Failed, 0},
		{context.Canceled, Waiting, 0},
	} {
		c, now, to := openNATS(t), newClock(), &addressee{answer: func(context.Context) error { return test.failure }}
		got := round(t, replica(c, "a", now, to.deliverer()), month(t, "2026-01"))[0]
		if got.State != test.state || test.state == Waiting && !got.Next.Equal(now.Now().Add(test.next)) {
			t.Errorf("%+v: %+v", test.failure, got)
		}
	}
}

// What could not be delivered to an addressee who is no more on the list goes to
// nobody who is added later: they get the last edition only.
func TestRemovedAddressee(t *testing.T) {
	c, now, gone := openNATS(t), newClock(), &addressee{answer: func(context.Context) error { return errors.New("connection refused") }}
	round(t, replica(c, "a", now, gone.deliverer()), month(t, "2026-01"))
	now.pass(60 * 24 * time.Hour)
	to := &addressee{}
	added := to.deliverer()
	added.To, added.Key = "dev@example.net", "mail.dev"
	if got := round(t, replica(c, "a", now, added), month(t, "2026-03")); len(got) != 1 || got[0].Period != "2026-03" || to.got() != 1 {
		t.Errorf("%d deliveries: %+v", to.got(), got)
	}
}

// Asked for again, a file is replaced, and a mail goes out only with again.
func TestRerun(t *testing.T) {
	c, now, to := openNATS(t), newClock(), &addressee{}
	folder := t.TempDir()
	files, err := Deliverers(Options{Folder: folder, Store: "s"})
	if err != nil {
		t.Fatal(err)
	}
	d := replica(c, "a", now, append(files, to.deliverer())...)
	text := "early"
	d.Make = func(_ context.Context, p Period) (*Edition, error) {
		return &Edition{Period: p, Title: p.Name, Files: []File{{Name: "report-" + p.Name + ".md", Data: []byte(text)}}}, nil
	}
	round(t, d, month(t, "2026-01"))
	text = "with late events"
	round(t, d, month(t, "2026-01"))
	check := func(want string, mails int) {
		t.Helper()
		got, err := os.ReadFile(filepath.Join(folder, "report-2026-01.md"))
		if err != nil || string(got) != want || to.got() != mails {
			t.Fatalf("file %q, %v; %d mails", got, err, to.got())
		}
	}
	check("early", 1)
	if _, err := d.Deliver(t.Context(), month(t, "2026-01"), false); err != nil {
		t.Fatal(err)
	}
	check("with late events", 1)
	if _, err := d.Deliver(t.Context(), month(t, "2026-01"), true); err != nil {
		t.Fatal(err)
	}
	check("with late events", 2)
	if to.copies[1] != 2 {
		t.Errorf("copies %v: a mail program would take the second for the first", to.copies)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
	records, err := Records(t.Context(), d.Register)
	if err != nil || len(records) != 2 {
		t.Errorf("log %+v, %v", records, err)
	}
}

// A store from after the period has nothing to say of it; an edition that
// cannot be made is tried without end.
// A report whose making panics is waited for, as one that fails.
func TestMakingPanics(t *testing.T) {
	now, to := newClock(), &addressee{}
	d := replica(openNATS(t), "one", now, to.deliverer())
	whole := d.Make
	d.Make = func(context.Context, Period) (*Edition, error) { panic("a month without days") }
	records := round(t, d, month(t, "2026-01"))
	if len(records) != 1 || records[0].State != Waiting || !strings.Contains(records[0].Error(), "a month without days") {
		t.Errorf("after a panic: %+v", records)
	}
	d.Make = whole
	now.pass(makePause)
	if records := round(t, d, month(t, "2026-01")); len(records) != 1 || records[0].State != Sent {
		t.Errorf("after it was mended: %+v", records)
	}
}

func TestNothingToDeliver(t *testing.T) {
	c, now, to := openNATS(t), newClock(), &addressee{}
	d := replica(c, "a", now, to.deliverer())
	d.Covers = func(context.Context, Period) (bool, error) { return false, nil }
	if got := round(t, d, month(t, "2026-01")); len(got) != 0 || to.got() != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := d.Deliver(t.Context(), month(t, "2026-01"), true); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	d.Covers = func(context.Context, Period) (bool, error) { return true, nil }
	fine := d.Make
	d.Make = func(context.Context, Period) (*Edition, error) { return nil, errors.New("the store is closed") }
	for range 20 {
		if got := round(t, d, month(t, "2026-01")); len(got) != 1 || got[0].State != Waiting || !strings.Contains(got[0].Error(), "closed") {
			t.Fatalf("%+v", got)
		}
		now.pass(makePause)
	}
	d.Make = fine
	if got := round(t, d); len(got) != 1 || got[0].State != Sent || len(got[0].Tries) != maxTries {
		t.Errorf("%+v", got)
	}
}
