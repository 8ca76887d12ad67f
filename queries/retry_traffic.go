package queries

import (
	"context"
	_ "embed"
	"time"
)

var (
	//go:embed retry_traffic.sql
	retryTrafficSQL string
	//go:embed retrying_agents.sql
	retryingAgentsSQL string
)

// A TrafficHour is a row of retry_traffic.sql: the calls of an agent in an hour.
type TrafficHour struct {
	Agent               string
	Hour                time.Time
	Tries, Retries, Won int64
	MS                  int64 // that the retries waited and ran
}

// RetryTraffic returns the calls of each hour of span, by agent; of one whose
// traffic nobody knows none.
func RetryTraffic(ctx context.Context, db DB, span Span) ([]TrafficHour, error) {
	return collect(ctx, db, retryTrafficSQL, span.bounds(), func(r *TrafficHour) []any {
		return []any{&r.Agent, &r.Hour, &r.Tries, &r.Retries, &r.Won, &r.MS}
	})
}

// RetryingAgents returns the agents that retried an incident of span, by name.
func RetryingAgents(ctx context.Context, db DB, span Span) ([]string, error) {
	return collect(ctx, db, retryingAgentsSQL, span.bounds(), func(r *string) []any { return []any{r} })
}
