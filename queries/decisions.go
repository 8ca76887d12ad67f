package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

var (
	//go:embed add_decision.sql
	addDecisionSQL string
	//go:embed decisions.sql
	decisionsSQL string
	//go:embed latest_decision.sql
	latestDecisionSQL string
	//go:embed add_policy.sql
	addPolicySQL string
	//go:embed policies.sql
	policiesSQL string
)

// A Decision is a row of decisions.sql.
type Decision struct {
	ID       string // of the suggestion
	Made     time.Time
	Decision string // accepted, dismissed or applied
	Who      string
	Reason   string
	Body     string // the suggestion as JSON
}

// AddDecision keeps a decision.
func AddDecision(ctx context.Context, db DB, d Decision) error {
	return run(ctx, db, addDecisionSQL, sql.Named("id", d.ID), sql.Named("made", d.Made.UTC()), sql.Named("decision", d.Decision),
		sql.Named("who", d.Who), sql.Named("reason", d.Reason), sql.Named("body", d.Body))
}

// Decisions returns all decisions by time.
func Decisions(ctx context.Context, db DB) ([]Decision, error) {
	return collect(ctx, db, decisionsSQL, nil, (*Decision).fields)
}

// LatestDecision returns the latest decision on the suggestion id; not ok when
// there is none.
func LatestDecision(ctx context.Context, db DB, id string) (d Decision, ok bool, err error) {
	found, err := collect(ctx, db, latestDecisionSQL, []any{sql.Named("id", id)}, (*Decision).fields)
	if err != nil || len(found) == 0 {
		return d, false, err
	}
	return found[0], true, nil
}

func (r *Decision) fields() []any {
	return []any{&r.ID, &r.Made, &r.Decision, &r.Who, &r.Reason, &r.Body}
}

// A PolicyChange is a change of one threshold of one cell.
type PolicyChange struct {
	Agent, Operation, Category, Knob string
	Value                            float64 // of a list, its sum
	Since                            time.Time
	Reason, Who, Suggestion          string
	Setting, Previous                string // as the policy file writes it; no previous: ""
}

// AddPolicy keeps a change of a policy.
func AddPolicy(ctx context.Context, db DB, c PolicyChange) error {
	return run(ctx, db, addPolicySQL, sql.Named("agent", c.Agent), sql.Named("operation", c.Operation), sql.Named("category", c.Category),
		sql.Named("knob", c.Knob), sql.Named("value", c.Value), sql.Named("since", c.Since.UTC()), sql.Named("reason", c.Reason),
		sql.Named("who", c.Who), sql.Named("suggestion", c.Suggestion), sql.Named("setting", c.Setting), sql.Named("previous", c.Previous))
}

// Policies returns all changes of policies by time.
func Policies(ctx context.Context, db DB) ([]PolicyChange, error) {
	return collect(ctx, db, policiesSQL, nil, func(c *PolicyChange) []any {
		return []any{&c.Agent, &c.Operation, &c.Category, &c.Knob, &c.Value, &c.Since, &c.Reason, &c.Who, &c.Suggestion, &c.Setting, &c.Previous}
	})
}
