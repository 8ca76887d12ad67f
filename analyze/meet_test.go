package analyze

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// What a stream lost before it was stored is noticed when the store meets it,
// kept and booked once; where to read on is right.
func TestMeet(t *testing.T) {
	const met = 5 // messages of the stream that are stored before
	anew := birth.AddDate(0, 1, 0)
	for _, test := range []struct {
		name  string
		fresh bool // the store is new
		found Found
		at    uint64
		want  string // kind, behind and messages of each loss
		books string
	}{
		{"as it was", false, Found{Tip: at(birth, 9), First: 1}, 5, "", "5 0"},
		{"new", true, Found{Tip: at(birth, 9), First: 1}, 0, "", "0 0"},
		{"new and late", true, Found{Tip: at(birth, 9), First: 8}, 7, "start 0 7", "0 0"},
		{"new and empty", true, Found{Tip: at(birth, 9), First: 10}, 9, "start 0 9", "0 0"},
		{"new and damaged", true, Found{Tip: at(birth, 9), First: 8, Damaged: 1, Held: 9}, 0, "", "0 0"},
		{"end lost", false, Found{Tip: at(birth, 3), First: 2}, 1, "end 5 unknown", "5 0"},
		{"end lost that was stored", false, Found{Tip: at(birth, 3), First: 1, Damaged: 1, Held: 5}, 0, "", "5 0"},
		{"end lost behind the stored", false, Found{Tip: at(birth, 3), First: 1, Damaged: 1, Held: 12}, 0, "end 5 7", "12 7"},
		{"cut", false, Found{Tip: at(birth, 7), First: 1, Damaged: 1, Held: 12}, 5, "end 7 5", "10 5"},
		{"cut elsewhere", false, Found{Tip: at(birth, 7), First: 1, Damaged: 1, Held: 7}, 5, "", "5 0"},
		{"cut by another's server", false, Found{Tip: at(birth, 7), First: 1, Damaged: 1}, 5, "end 7 unknown", "5 0"},
		{"end lost that was not stored", false, Found{Tip: at(birth, 6), First: 1, Ended: []ingest.Position{at(birth, 8)}}, 5, "end 6 2", "7 2"},
		{"end lost that was known", false, Found{Tip: at(birth, 3), First: 1, Ended: []ingest.Position{at(birth, 6)}}, 0, "end 5 1", "6 1"},
		{"made anew after its end", false, Found{Tip: at(anew, 4), First: 1, Ended: []ingest.Position{at(birth, 5), at(anew, 3)}}, 0, "", "5 0"},
		{"made anew before its end", false, Found{Tip: at(anew, 0), First: 1, Ended: []ingest.Position{at(birth, 7)}}, 0, "anew 5 2", "7 2"},
		{"made anew of another end", false, Found{Tip: at(anew, 0), First: 1, Ended: []ingest.Position{at(anew.AddDate(0, 1, 0), 7)}}, 0, "anew 5 unknown", "5 0"},
		{"emptied", false, Found{Tip: at(birth, 9), First: 10}, 9, "gap 5 4", "9 4"},
		{"emptied of what is stored", false, Found{Tip: at(birth, 5), First: 6}, 5, "", "5 0"},
		{"made anew", false, Found{Tip: at(anew, 0), First: 1}, 0, "anew 5 unknown", "5 0"},
		{"made anew, of ours", false, Found{Tip: at(anew, 0), First: 1, Ours: []time.Time{birth, anew}}, 0, "anew 5 unknown", "5 0"},
		{"beside that of another's server", false, Found{Tip: at(anew, 3), First: 1, Ours: []time.Time{}}, 0, "", "5 0"},
		{"made anew of a damaged one", false, Found{Tip: at(anew, 0), First: 1, Damaged: 1, Held: 8}, 0, "anew 5 3", "8 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openStore(t, "")
			if !test.fresh {
				keepFirst(t, s, met)
			}
			now := noon.AddDate(0, 2, 0)
			read, lost, err := s.Meet(t.Context(), test.found, now)
			if err != nil {
				t.Fatal(err)
			}
			if want := (ingest.Position{Stream: "S", Created: test.found.Tip.Created, Sequence: test.at}); read != want {
				t.Errorf("to be read behind %+v, want %+v", read, want)
			}
			if got := lossesOf(lost); got != test.want {
				t.Errorf("lost %q, want %q", got, test.want)
			}
			if got := ask(t, s, "SELECT coalesce(sum(published), 0), coalesce(sum(expired), 0) FROM books"); got != test.books {
				t.Errorf("books %s, want %s", got, test.books)
			}
			kept, err := queries.Losses(t.Context(), s.Reader(), queries.Always())
			if got := lossesOf(kept); err != nil || got != test.want {
				t.Errorf("kept %q, want %q: %v", got, test.want, err)
			}
			if len(kept) > 0 && !test.fresh && !kept[0].Since.Equal(noon) {
				t.Errorf("since %v, want the latest event's %v", kept[0].Since, noon)
			}
			// as after a kill before that was told
			if second, lost, err := s.Meet(t.Context(), test.found, now.Add(time.Minute)); err != nil || len(lost) > 0 || second != read {
				t.Errorf("met again: at %+v, lost %q, %v", second, lossesOf(lost), err)
			}
		})
	}
}

// Of a stream that ended with nothing in it nothing is lost when another takes its place.
func TestMeetAfterNothing(t *testing.T) {
	s := openStore(t, "")
	for _, found := range []Found{
		{Tip: at(birth, 0), First: 1},
		{Tip: at(birth.AddDate(0, 1, 0), 0), First: 1, Ended: []ingest.Position{at(birth, 0)}},
	} {
		if _, lost, err := s.Meet(t.Context(), found, noon.AddDate(0, 2, 0)); err != nil || len(lost) > 0 {
			t.Errorf("lost %q, %v", lossesOf(lost), err)
		}
	}
}

// keepFirst stores the first messages of the stream.
func keepFirst(t *testing.T, s *Store, n int) {
	t.Helper()
	var rows []Row
	for i := range n {
		rows = append(rows, row(uint64(i+1), fmt.Sprint(i)))
	}
	keep(t, s, upTo(uint64(n), rows...), queries.Kept{Stored: int64(n)})
}

func at(created time.Time, sequence uint64) ingest.Position {
	return ingest.Position{Stream: "S", Created: created, Sequence: sequence}
}

func lossesOf(list []queries.Loss) string {
	var out []string
	for _, l := range list {
		n := "unknown"
		if l.Messages.Valid {
			n = fmt.Sprint(l.Messages.V)
		}
		out = append(out, fmt.Sprint(l.Kind, " ", l.Behind, " ", n))
	}
	return strings.Join(out, "; ")
}

// A gap happened between what was stored before the batch behind it and when that
// was noticed, which may be long after the message behind it arrived.
func TestGapIsNoticed(t *testing.T) {
	s := openStore(t, "")
	keepFirst(t, s, 2)
	later := row(9, "later")
	later.Event.Time = noon.AddDate(0, 0, 2)
	b := upTo(9, later)
	b.Missing = 6
	keep(t, s, b, queries.Kept{Stored: 1})
	got, err := queries.Losses(t.Context(), s.Reader(), queries.Always())
	if err != nil || lossesOf(got) != "gap 2 6" || !got[0].Since.Equal(noon) || !got[0].Noticed.Equal(b.Noticed) {
		t.Errorf("%+v, %v", got, err)
	}
}
