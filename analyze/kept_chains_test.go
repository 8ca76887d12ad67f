package analyze

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

// Chains that are kept answer as those that are put together for each answer,
// whatever came, went or was tagged anew since.
func TestKeepChains(t *testing.T) {
	s, never := openStore(t, filepath.Join(t.TempDir(), "s.duckdb")), openStore(t, "")
	at := func(sequence uint64, incident, attempt int, when time.Time) Row {
		e := row(sequence, fmt.Sprintf("%d/%d", incident, attempt))
		e.Event.Agent, e.Event.Incident = fmt.Sprint("agent", incident%3), fmt.Sprint("i", incident)
		e.Event.Time, e.Event.Attempt = when, ingest.Some(int64(attempt))
		e.Tag.Resolution = ""
		return e
	}
	var rows []Row
	for i := range 300 { // over 25 days from the last of December on
		for attempt := range 1 + i%3 {
			rows = append(rows, at(uint64(i+1), i, attempt+1, month.From.Add(time.Duration(i*2-24)*time.Hour+time.Duration(attempt)*time.Minute)))
		}
	}
	come := func(rows ...Row) func(*Store) error {
		return func(s *Store) error {
			_, err := s.Append(t.Context(), upTo(rows[len(rows)-1].Sequence, rows...))
			return err
		}
	}
	around := queries.Span{From: month.From.AddDate(0, 0, -9), To: month.To, Location: time.UTC}
	for _, step := range []struct {
		name        string
		change      func(*Store) error
		left, again int // days whose chains are kept after the change, and once they have been kept again
	}{
		{"all at first", come(rows...), 0, 25},
		{"nothing new", func(*Store) error { return nil }, 25, 25},
		{"a later attempt and a new incident", come(at(501, 500, 1, noon), at(502, 150, 3, noon.AddDate(0, 0, 12))), 23, 25},
		{"an earlier attempt moves an incident to another day", come(at(503, 50, 4, month.From.Add(time.Hour))), 23, 25},
		{"another category", func(s *Store) error {
			return s.retag(t.Context(), []retag{{"60/1", classify.Tag{Taxonomy: classify.Transient, Category: classify.Timeout}}}, true)
		}, 24, 25},
		{"the oldest go", func(s *Store) error {
			_, err := s.expire(t.Context(), month.From.AddDate(0, 0, 5), 20)
			return err
		}, 18, 19},
	} {
		kept := func() (n int) {
			db, err := s.Current(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			days, err := queries.DaysWithoutChains(t.Context(), db, around, chainForm)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscan(ask(t, s, "SELECT count(DISTINCT epoch_us(opened_at) // 86400000000) FROM incidents"), &n); err != nil {
				t.Fatal(err)
			}
			return n - len(days)
		}
		for _, s := range []*Store{s, never} {
			if err := step.change(s); err != nil {
				t.Fatal(err)
			}
		}
		if got := kept(); got != step.left {
			t.Errorf("%s: the chains of %d days are kept still, want %d", step.name, got, step.left)
		}
		sameCells(t, step.name+", before", s, never)
		if err := s.KeepChains(t.Context(), around, noon.AddDate(1, 0, 0)); err != nil {
			t.Fatal(err)
		}
		if got := kept(); got != step.again {
			t.Errorf("%s: the chains of %d days are kept again, want %d", step.name, got, step.again)
		}
		sameCells(t, step.name, s, never)
	}
}

// sameCells compares what the tuner reads of two stores.
func sameCells(t *testing.T, name string, s, never *Store) {
	t.Helper()
	if _, err := never.Current(t.Context()); err != nil {
		t.Fatal(err)
	}
	odd, want := &oddities{}, &oddities{}
	fresh := allCells(t, never.Reader(), want)
	got, plain := allCells(t, s.Reader(), odd), allCells(t, s.db, &oddities{})
	if len(got) != len(fresh) || len(plain) != len(fresh) || *odd != *want {
		t.Fatalf("%s: %d cells, row by row %d, %+v; want %d, %+v", name, len(got), len(plain), odd, len(fresh), want)
	}
	for i := range fresh {
		for j, c := range fresh[i].laid {
			if n := len(got[i].laid); j >= n || !reflect.DeepEqual(got[i].laid[j], c) {
				t.Fatalf("%s: of %d chains of %v, chain %d is not %+v\n%+v", name, n, fresh[i].Scope, j, c, got[i].laid[min(j, n-1)])
			}
		}
	}
	if !reflect.DeepEqual(got, fresh) || !reflect.DeepEqual(plain, fresh) {
		t.Errorf("%s: the cells differ", name)
	}
}

// What changes while the chains are put together is not kept, and today is not
// while anything comes in.
func TestKeepChainsMeanwhile(t *testing.T) {
	s := openStore(t, "")
	var rows []Row
	for i := range 10 {
		r := row(uint64(i+1), fmt.Sprint("e", i))
		r.Event.Time = noon.AddDate(0, 0, i)
		rows = append(rows, r)
	}
	keep(t, s, upTo(10, rows...), queries.Kept{Stored: 10})
	if err := s.KeepChains(t.Context(), month, noon.AddDate(0, 0, 9)); err != nil {
		t.Fatal(err)
	}
	const days = "SELECT count(*)::INTEGER, max(day)::INTEGER FROM chains"
	if got, want := ask(t, s, days), fmt.Sprint(9, " ", queries.DayOf(noon)+8); got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	asked := s.Changes()
	late := row(11, "late")
	late.Event.Time = noon.AddDate(0, 0, 3).Add(time.Hour)
	keep(t, s, upTo(11, late), queries.Kept{Stored: 1})
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, logs := []queries.ChainDay{}, map[queries.ChainDay]*dayLog{}
	for i := range 6 {
		d := queries.DayOf(noon) + queries.ChainDay(i)
		all, logs[d] = append(all, d), &dayLog{}
	}
	if left, err := s.keepSome(t.Context(), all, logs, asked); err != nil || len(left) != 0 {
		t.Fatal(left, err)
	}
	if got, want := ask(t, s, "SELECT count(*)::INTEGER, count(*) FILTER (octet_length(chains) = 0)::INTEGER FROM chains"), "8 3"; got != want {
		t.Errorf("days, and those that were kept meanwhile: %s, want %s", got, want)
	}
}

// A log that was cut or changed gives an error, never a wrong answer that goes
// unseen by its length, and no panic.
func TestBadChainLog(t *testing.T) {
	var log chainLog
	c := Chain{Opened: noon, Retries: 1, Cost: []Price{{Seconds: 5, Known: true}}}
	for i := range 3 {
		log.add(Scope{Agent: fmt.Sprint("a", i)}, &c, 0)
	}
	read := func(b []byte) (cells int, err error) {
		g := newGathering(month, &oddities{})
		err = g.addLog(b)
		return len(g.cells), err
	}
	all := log.bytes()
	if n, err := read(all); n != 3 || err != nil {
		t.Errorf("%d cells, %v", n, err)
	}
	whole := 0
	for i := range all {
		if _, err := read(all[:i]); err == nil {
			whole++
		}
	}
	if whole != 3 { // nothing, one chain, two chains
		t.Errorf("%d of the cut logs parse, want 3", whole)
	}
	if _, err := read([]byte{7}); err == nil {
		t.Error("a name that is longer than the log")
	}
}
