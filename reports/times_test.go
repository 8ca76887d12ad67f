package reports

import (
	"database/sql"
	"testing"

	"hansei/queries"
)

func TestHalf(t *testing.T) {
	seconds := func(n int64) sql.Null[int64] { return sql.Null[int64]{V: 1000 * n, Valid: true} }
	for _, test := range []struct {
		time   queries.ResolutionTime
		en, ja string
	}{
		{queries.ResolutionTime{Seen: 9, Half: seconds(20), HalfLow: seconds(15), HalfHigh: seconds(30)}, "-", "-"},
		{queries.ResolutionTime{Seen: 10, Half: seconds(20), HalfLow: seconds(15), HalfHigh: seconds(30)}, "20 s (15 s to 30 s)", "20秒（15秒〜30秒）"},
		{queries.ResolutionTime{Seen: 10, Half: seconds(20), HalfLow: seconds(20), HalfHigh: seconds(20)}, "20 s", "20秒"},
		{queries.ResolutionTime{Seen: 10, Half: seconds(20), HalfLow: seconds(15)}, "20 s (15 s or more)", "20秒（15秒以上）"},
		{queries.ResolutionTime{Seen: 10, HalfLow: seconds(15)}, "not reached", "半数に達せず"},
	} {
		for lang, want := range map[Lang]string{EN: test.en, JA: test.ja} {
			r := &Report{Options: Options{Lang: lang}}
			if got := r.half(test.time); got != want {
				t.Errorf("%+v in %s: %q, want %q", test.time, lang, got, want)
			}
		}
	}
}
