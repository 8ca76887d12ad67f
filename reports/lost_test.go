package reports

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// Losses are summed up: what is known, what is not, and what a new store never had.
func TestLost(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC) }
	n := func(v uint64) sql.Null[uint64] { return sql.Null[uint64]{V: v, Valid: true} }
	losses := []queries.Loss{
		{Kind: queries.LostBetween, Since: at(3), Noticed: at(4), Messages: n(1)},
		{Kind: queries.LostEnd, Since: at(2), Noticed: at(3), Messages: n(1200)},
		{Kind: queries.LostStream, Since: at(5), Noticed: at(6)},
		{Kind: queries.LostStart, Since: at(1), Noticed: at(1), Messages: n(1)},
		{Kind: queries.LostBetween, Since: at(6), Noticed: at(7), Messages: n(2)},
		{Kind: queries.LostEnd, Since: at(8), Noticed: at(9)},
	}
	for _, test := range []struct {
		lang   Lang
		losses []queries.Loss
		want   []string // how the sentences begin
	}{
		{EN, nil, nil},
		{EN, losses[:1], []string{"Lost from the stream before it was stored: 1 message, between 2026-01-03 12:00 and 2026-01-04 12:00."}},
		{EN, losses[4:5], []string{"After this time, between 2026-01-06 12:00 and 2026-01-07 12:00, the stream lost 2 messages before"}},
		{EN, losses[5:], []string{"After this time, between 2026-01-08 12:00 and 2026-01-09 12:00, the stream lost an unknown number of messages before"}},
		{EN, losses[4:], []string{"After this time, between 2026-01-06 12:00 and 2026-01-09 12:00, the stream lost more than 2 messages before"}},
		{JA, losses[4:], []string{"この期間より後（2026-01-06 12:00～2026-01-09 12:00）に、ストリームのメッセージ（2件以上）が保存前に失われました。"}},
		{EN, losses[:4], []string{
			"Lost from the stream before it was stored: 1,201 messages, between 2026-01-02 12:00 and 2026-01-04 12:00.",
			"The stream lost its end, or was made anew, between 2026-01-05 12:00 and 2026-01-06 12:00:",
			"The store was new on 2026-01-01 12:00, and its stream no longer held the first 1 message:"}},
		{JA, losses[:4], []string{
			"ストリームのメッセージ1,201件（2026-01-02 12:00～2026-01-04 12:00）が、保存前に失われました",
			"2026-01-05 12:00～2026-01-06 12:00の間に、ストリームの末尾が失われたか、",
			"このストアは2026-01-01 12:00に新しく作られ、ストリームには最初の1件が"}},
	} {
		got := WordingIn(test.lang).Lost(test.losses, queries.Span{To: at(5).Add(time.Minute), Location: time.UTC})
		if len(got) != len(test.want) {
			t.Errorf("%s: %d sentences, want %d: %q", test.lang, len(got), len(test.want), got)
			continue
		}
		for i, want := range test.want {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: %q, want %q", test.lang, got[i], want)
			}
		}
	}
}

// What was lost is not told as too old to keep.
func TestLostIsNotAged(t *testing.T) {
	r := &Report{Options: Options{Lang: EN, Span: queries.Month(2026, 1, time.UTC)}}
	for _, test := range []struct {
		expired, lost int64
		told          bool
	}{{5, 5, false}, {5, 4, true}} {
		r.Ledger = queries.Ledger{Published: test.expired, Expired: test.expired, Lost: test.lost}
		var b Block
		r.nothing(&b)
		if got := strings.Contains(strings.Join(b.Lead, " "), "Its events have expired"); got != test.told {
			t.Errorf("%+v: %q", test, b.Lead)
		}
	}
}
