package analyze

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// A limit that came down because the retries behind it were in vain is not
// raised again because nobody makes them any more.
func TestPastRetriesSpeak(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	o := TuneOptions{Worth: DefaultWorth}
	now := chains(800, 2, []float64{0.4, 0.2}, 20, r)
	for _, test := range []struct {
		name    string
		before  []float64 // hazards
		verdict Verdict
		says    string
	}{
		{"nobody went so far", nil, Raise, ""},
		{"in vain", []float64{0.4, 0.2, 0, 0}, Keep, "When retry 3 was still made, it resolved 0 of "},
		{"not in vain", []float64{0.4, 0.2, 0.2, 0.1}, Raise, "When retry 3 was still made, it resolved "},
	} {
		c := Cell{laid: now}
		if test.before != nil {
			was := Cell{laid: chains(800, 4, test.before, 20, r)}
			c.Past = evidenceOf(was.count().sighted().tallies())
		}
		s, _ := suggestMaxRetries(c, o)
		if s.Verdict != test.verdict || test.says == "" && strings.Contains(s.Reason.EN, "still made") || !strings.Contains(s.Reason.EN, test.says) {
			t.Errorf("%s: %s: %s", test.name, s.Verdict, s.Reason.EN)
		}
	}

	both := spread(append(chains(800, 4, []float64{0.4, 0.2, 0, 0}, 20, r), now...)) // the limit changed within the span
	v := viewOf(Cell{laid: both})
	if s, _ := v.ask(maxRetries, o); s.Verdict != Keep || s.Earlier == nil || s.Earlier.Verdict != Lower {
		t.Errorf("%s: %s", s.Verdict, s.Reason.EN)
	}
}

// What the retries of the year before achieved is what the tuner would have counted
// then, of every source, whether or not it was asked.
func TestPastOf(t *testing.T) {
	s := openStore(t, "")
	r := rand.New(rand.NewPCG(113, 114))
	var rows []Row
	for i := range 400 {
		made := 1 + r.IntN(5)
		for attempt := range made {
			e := row(0, fmt.Sprintf("%d/%d", i, attempt))
			e.Event.Agent, e.Event.Incident, e.Event.Operation = fmt.Sprint("agent", i%3), fmt.Sprint("i", i), []string{"fetch", ""}[i%2]
			e.Event.Time = noon.Add(time.Duration(i%9)*time.Hour + time.Duration(attempt)*time.Minute)
			e.Event.Attempt, e.Event.Source = ingest.Some(int64(attempt+1)), []string{"hansei", "monadic"}[i%5/4]
			e.Tag.Resolution = ""
			if i%11 == 0 {
				e.Tag.Category = "cancelled"
			}
			if attempt == made-1 && r.IntN(2) == 0 && (i%3 > 0 || e.Event.Source == "hansei") { // of one agent a source hides what passes
				e.Event.Kind = ingest.Success
				if r.IntN(3) == 0 {
					e.Event.Attempt = ingest.Opt[int64]{}
				}
				if r.IntN(4) == 0 {
					e.Tag.Resolution = "human"
				}
			}
			rows = append(rows, e)
		}
	}
	for i := range rows {
		rows[i].Sequence = uint64(i + 1)
	}
	if _, err := s.Append(t.Context(), upTo(uint64(len(rows)), rows...)); err != nil {
		t.Fatal(err)
	}
	db, err := s.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	february := queries.Month(2026, time.February, time.UTC)
	got, err := pastOf(t.Context(), db, february)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Scope][]Evidence{}
	for _, c := range allCells(t, db, &oddities{}) {
		if of := evidenceOf(c.count().sighted().tallies()); len(of) > 0 {
			want[c.Scope] = of
		}
	}
	if len(want) < 6 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	for _, other := range []queries.Span{month, queries.Month(2027, time.February, time.UTC)} { // what the span itself tells is not past, nor what is too long ago
		if got, err := pastOf(t.Context(), db, other); err != nil || len(got) > 0 {
			t.Errorf("before %v: %v, %+v", other.From, err, got)
		}
	}
}
