package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"time"
)

//go:embed told.sql
var toldSQL string

// A ToldEvent is a row of told.sql: what tells an event of a request to an API
// apart from others, and joins it to its incident.
type ToldEvent struct {
	ID, Incident      string
	Time              time.Time
	Kind              string
	Source            string
	Agent, Session    string
	Operation         string
	Attempt           sql.Null[int64]
	Status            string
	Resolution        string // "" when the event tells of none
	ToldBy            string // the way: log, hook or line
	RequestID, Prompt string // "" when the way does not tell, as the next
	Part              string // of the session that made the request
}

// Told returns what was told of sessions, none: of all, from one time to
// another, both inclusive.
func Told(ctx context.Context, db DB, sessions []string, from, to time.Time) ([]ToldEvent, error) {
	text, err := json.Marshal(append([]string{}, sessions...)) // none is [], not null
	if err != nil {
		return nil, err
	}
	args := []any{sql.Named("from", from.UTC()), sql.Named("to", to.UTC()), sql.Named("sessions", string(text))}
	return collect(ctx, db, toldSQL, args, func(r *ToldEvent) []any {
		return []any{&r.ID, &r.Incident, &r.Time, &r.Kind, &r.Source, &r.Agent, &r.Session, &r.Operation, &r.Attempt,
			&r.Status, &r.Resolution, &r.ToldBy, &r.RequestID, &r.Prompt, &r.Part}
	})
}
