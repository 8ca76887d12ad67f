package analyze

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

// A Move is how many stored failures a changed rule set tags otherwise.
type Move struct {
	From     classify.Category `json:"from"`
	To       classify.Category `json:"to"`
	Rule     string            `json:"rule"` // that decides now; empty: none does
	Count    int               `json:"count"`
	Same     []int             `json:"same"`     // of Count, those that each classifier beside tags so too
	Examples []string          `json:"examples"` // messages, at most moveExamples
}

// moveExamples is how many messages show a move: enough to judge it by.
const moveExamples = 3

// retagChunk is how many failures get their new tags in one transaction, so
// that ingest waits no longer than for a batch of its own.
const retagChunk = 50_000

// A retag is a stored failure with its new tags.
type retag struct {
	id  string
	tag classify.Tag
}

// Retag finds the failures of span that c tags otherwise than they are stored,
// most frequent first, and with apply gives them the new tags, among them
// fingerprints of another version. The classifiers
// beside c are asked about those as well.
func (s *Store) Retag(ctx context.Context, span queries.Span, c *classify.Classifier, apply bool, beside ...*classify.Classifier) ([]Move, error) {
	moves := map[[3]string]*Move{}
	var chunk []retag
	err := queries.EachFailure(ctx, s.Reader(), span, "", func(f queries.Failure) error {
		tag := c.Tag(eventOf(&f))
		if string(tag.Category) == f.Category && tag.Rule == f.Rule && tag.Fingerprint == f.Fingerprint {
			return nil
		}
		if string(tag.Category) != f.Category {
			countMove(moves, f, tag, beside)
		}
		chunk = append(chunk, retag{f.ID, tag})
		if len(chunk) < retagChunk {
			return nil
		}
		err := s.retag(ctx, chunk, apply)
		chunk = chunk[:0]
		return err
	})
	if err == nil {
		err = s.retag(ctx, chunk, apply)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: tag again: %w", s.path, err)
	}
	out := make([]Move, 0, len(moves))
	for _, m := range moves {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Move) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Rule, b.Rule))
	})
	return out, nil
}

func countMove(moves map[[3]string]*Move, f queries.Failure, tag classify.Tag, beside []*classify.Classifier) {
	key := [3]string{f.Category, string(tag.Category), tag.Rule}
	m := moves[key]
	if m == nil {
		m = &Move{From: classify.Category(f.Category), To: tag.Category, Rule: tag.Rule, Same: make([]int, len(beside))}
		moves[key] = m
	}
	m.Count++
	for i, c := range beside {
		if c.Tag(eventOf(&f)).Category == tag.Category {
			m.Same[i]++
		}
	}
	if len(m.Examples) < moveExamples && !slices.Contains(m.Examples, f.Message) {
		m.Examples = append(m.Examples, f.Message)
	}
}

// eventOf is a stored failure as the classifier sees it.
func eventOf(f *queries.Failure) *ingest.Event {
	return &ingest.Event{Kind: ingest.Failure, Operation: f.Operation, Code: f.Code, Status: f.Status, Message: f.Message, Detail: f.Detail, Attrs: f.Attrs}
}

func (s *Store) retag(ctx context.Context, chunk []retag, apply bool) error {
	if !apply || len(chunk) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		return s.insert(ctx, tx, shapes(tagColumns), pack(chunk, tagColumns), queries.ApplyRetagged)
	})
}
