package analyze

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"hansei/queries"
)

// Carried is what a store knows that no stream brings back: what the tuner
// suggested, and what people decided of it.
type Carried struct {
	suggestions []queries.Suggestion
	decisions   []queries.Decision
	policies    []queries.PolicyChange
}

// Decisions counts the decisions and the changes of policies among it.
func (c *Carried) Decisions() int { return len(c.decisions) + len(c.policies) }

// Carried returns what a store that takes the place of this one is to get. With
// an error, of a damaged table, it returns what the others hold.
func (s *Store) Carried(ctx context.Context) (c Carried, err error) {
	db := s.Reader()
	var errs [3]error
	c.suggestions, errs[0] = queries.Suggestions(ctx, db, queries.Always())
	c.decisions, errs[1] = queries.Decisions(ctx, db)
	c.policies, errs[2] = queries.Policies(ctx, db)
	if err := errors.Join(errs[:]...); err != nil {
		return c, fmt.Errorf("store %s: read the decisions: %w", s.path, err)
	}
	return c, nil
}

// Carry keeps what another store knew. This one is new, and has no decisions.
func (s *Store) Carry(ctx context.Context, c Carried) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		var err error
		for _, row := range c.suggestions {
			err = errors.Join(err, queries.KeepSuggestion(ctx, tx, row))
		}
		for _, row := range c.decisions {
			err = errors.Join(err, queries.AddDecision(ctx, tx, row))
		}
		for _, row := range c.policies {
			err = errors.Join(err, queries.AddPolicy(ctx, tx, row))
		}
		if err != nil {
			return fmt.Errorf("store %s: keep the decisions of the store before it: %w", s.path, err)
		}
		return nil
	})
}
