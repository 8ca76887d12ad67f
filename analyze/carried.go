package analyze

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"hansei/queries"
)

// Carried is what a store knows that no stream brings back: what the tuner
// suggested, what people decided of it, and what was lost of streams.
type Carried struct {
	losses      []queries.Loss
	suggestions []queries.Suggestion
	decisions   []queries.Decision
	policies    []queries.PolicyChange
}

// Decisions counts the decisions and the changes of policies among it.
func (c *Carried) Decisions() int { return len(c.decisions) + len(c.policies) }

// Losses counts what was lost of streams.
func (c *Carried) Losses() int { return len(c.losses) }

// Carried returns what a store that takes the place of this one is to get. With
// an error, of a damaged table, it returns what the others hold.
func (s *Store) Carried(ctx context.Context) (c Carried, err error) {
	db := s.Reader()
	var errs [4]error
	c.suggestions, errs[0] = queries.Suggestions(ctx, db, queries.Always())
	c.decisions, errs[1] = queries.Decisions(ctx, db)
	c.policies, errs[2] = queries.Policies(ctx, db)
	c.losses, errs[3] = queries.Losses(ctx, db, queries.Always())
	c.losses = slices.DeleteFunc(c.losses, func(l queries.Loss) bool { return l.Kind == queries.LostStart }) // the new one has its own
	if err := errors.Join(errs[:]...); err != nil {
		return c, fmt.Errorf("store %s: read the decisions and losses: %w", s.path, err)
	}
	return c, nil
}

// Carry keeps what another store knew. This one is new, and has no decisions; what
// it has noticed itself of the stream is not kept twice.
func (s *Store) Carry(ctx context.Context, c Carried) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		noticed, err := queries.Losses(ctx, tx, queries.Always())
		for _, l := range c.losses {
			if !slices.ContainsFunc(noticed, l.Same) {
				err = errors.Join(err, queries.AddLoss(ctx, tx, l))
			}
		}
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
			return fmt.Errorf("store %s: keep what the store before it knew: %w", s.path, err)
		}
		return nil
	})
}
