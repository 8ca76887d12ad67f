package queries

import (
	"testing"
	"time"
)

func TestSources(t *testing.T) {
	db := openTest(t, "")
	insert := `INSERT INTO events (id, time, kind, agent, source, attrs, position, session, attempt, message) VALUES
		('1', '2026-01-15 09:00:00+00', 'failure', 'a', 'codex', '{"version":"0.98.0"}', 1, 's', 1, NULL),
		('2', '2026-01-16 09:00:00+00', 'failure', 'a', 'codex', '{"version":"0.99.0"}', 2, NULL, 2, 'm'),
		('3', '2026-01-14 09:00:00+00', 'success', 'a', 'codex', '{"version":"0.98.0"}', 3, NULL, 3, NULL),
		('4', '2026-01-17 09:00:00+00', 'failure', 'a', 'hansei', NULL, 4, NULL, NULL, 'm')`
	if _, err := db.ExecContext(t.Context(), insert); err != nil {
		t.Fatal(err)
	}
	got, err := Sources(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	want := []SourceArrivals{
		{"codex", 3, time.Date(2026, 1, 16, 9, 0, 0, 0, time.UTC), "0.98.0, 0.99.0", "operation, incident, code, model"},
		{"hansei", 1, time.Date(2026, 1, 17, 9, 0, 0, 0, time.UTC), "", "session, operation, incident, attempt, code, model"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if !got[i].Latest.Equal(want[i].Latest) {
			t.Errorf("%s: latest %v", got[i].Source, got[i].Latest)
		}
		if got[i].Latest = want[i].Latest; got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
