package queries

import "testing"

// A name that no incident has is told from one that some have, with those most like it.
func TestKnownNames(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	for _, test := range []struct {
		filter Filter
		want   KnownName // the first
	}{
		{Filter{Agent: "Bott"}, KnownName{"agent", "bot", false}},
		{Filter{Agent: "bot"}, KnownName{"agent", "bot", true}},
		{Filter{Category: "rate_limit"}, KnownName{"category", "rate_limit", true}},
	} {
		got, err := KnownNames(t.Context(), db, test.filter)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 || len(got) > 5 || got[0] != test.want {
			t.Errorf("%+v: %+v, want first %+v", test.filter, got, test.want)
		}
	}
}
