package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hansei/classify"
	"hansei/queries"
)

// An Unmatched is a group of failures that no rule matches.
type Unmatched struct {
	Template string   // the message with its varying parts masked
	Count    int      // of failures
	Examples []string // messages, at most moveExamples
}

// Unknowns are the failures that are stored as unknown.
type Unknowns struct {
	Groups []Unmatched // that no rule matches now either, most frequent first
	Tagged int         // failures that the present rules tag: others were in force when they came
	None   bool        // no failure is stored, of whatever category
}

// maxTemplates bounds the memory of [Store.Unknowns] over messages that are
// all different; templates beyond it are not counted apart.
const maxTemplates = 50_000

// Unknowns groups the failures of span that are stored as unknown, and that c
// does not tag, by the template of their message.
func (s *Store) Unknowns(ctx context.Context, span queries.Span, c *classify.Classifier) (*Unknowns, error) {
	groups, u := map[string]*Unmatched{}, &Unknowns{}
	err := queries.EachFailure(ctx, s.Reader(), span, string(classify.Unknown), func(f queries.Failure) error {
		if c.Tag(eventOf(&f)).Category != classify.Unknown {
			u.Tagged++
			return nil
		}
		template := classify.Template(f.Message)
		g := groups[template]
		if g == nil && len(groups) == maxTemplates {
			return nil
		}
		if g == nil {
			g = &Unmatched{Template: template}
			groups[template] = g
		}
		g.Count++
		if len(g.Examples) < moveExamples && !slices.Contains(g.Examples, f.Message) {
			g.Examples = append(g.Examples, f.Message)
		}
		return nil
	})
	if err == nil && len(groups) == 0 && u.Tagged == 0 {
		u.None, err = s.noFailure(ctx, span)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: group what no rule matched: %w", s.path, err)
	}
	for _, template := range slices.Sorted(maps.Keys(groups)) {
		u.Groups = append(u.Groups, *groups[template])
	}
	slices.SortStableFunc(u.Groups, func(a, b Unmatched) int { return cmp.Compare(b.Count, a.Count) })
	return u, nil
}

// noFailure reports whether span has no failure of any category.
func (s *Store) noFailure(ctx context.Context, span queries.Span) (bool, error) {
	found := errors.New("found")
	err := queries.EachFailure(ctx, s.Reader(), span, "", func(queries.Failure) error { return found })
	if err == found {
		return false, nil
	}
	return err == nil, err
}

// Tries counts the failures of span that c tags by each rule of which named is
// true, as [Store.Retag] would move them.
func (s *Store) Tries(ctx context.Context, span queries.Span, c *classify.Classifier, named func(rule string) bool) (map[string]int, error) {
	counts := map[string]int{}
	err := queries.EachFailure(ctx, s.Reader(), span, "", func(f queries.Failure) error {
		if rule := c.Tag(eventOf(&f)).Rule; named(rule) {
			counts[rule]++
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store %s: try rules: %w", s.path, err)
	}
	return counts, nil
}
