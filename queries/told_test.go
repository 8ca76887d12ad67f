package queries

import (
	"testing"
	"time"
)

func TestTold(t *testing.T) {
	db := openTest(t, "")
	insert := `INSERT INTO events (id, time, kind, agent, session, operation, incident, attempt, status, resolution, source, attrs, position) VALUES
		('b', '2026-01-15 09:00:02+00', 'failure', 'claude-code', 's', 'api_request', 'a', 2, '529', 'abandoned', 'claude-code', '{"told_by":"log","request_id":"r","prompt_id":"p"}', 1),
		('a', '2026-01-15 09:00:00+00', 'failure', 'claude-code', 's', 'api_request', NULL, NULL, NULL, NULL, 'claude-code', '{"told_by":"line"}', 2),
		('c', '2026-01-15 09:00:09+00', 'failure', 'claude-code', 's', 'api_request', NULL, NULL, NULL, NULL, 'claude-code', '{"told_by":"line"}', 3),
		('d', '2026-01-15 09:00:01+00', 'failure', 'claude-code', 't', 'api_request', NULL, NULL, NULL, NULL, 'claude-code', '{"told_by":"line"}', 4),
		('e', '2026-01-15 09:00:01+00', 'failure', 'claude-code', 's', 'Bash', NULL, NULL, NULL, NULL, 'claude-code', NULL, 5)`
	if _, err := db.ExecContext(t.Context(), insert); err != nil {
		t.Fatal(err)
	}
	from := time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)
	got, err := Told(t.Context(), db, []string{"s", "it's"}, from, from.Add(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := Told(t.Context(), db, nil, from, from.Add(time.Hour)); err != nil || len(all) != 4 {
		t.Errorf("of all sessions: %v, %+v", err, all)
	}
	if len(got) != 2 || got[0].ID != "a" || got[0].Incident != "a" || got[0].Attempt.Valid || got[0].ToldBy != "line" {
		t.Fatalf("got %+v", got)
	}
	if b := got[1]; b.ID != "b" || b.Incident != "a" || b.Attempt.V != 2 || b.Status != "529" || b.Resolution != "abandoned" || b.RequestID != "r" || b.Prompt != "p" {
		t.Errorf("got %+v", b)
	}
}
