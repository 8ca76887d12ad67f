package reports

import (
	"slices"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// filtered names what the report is limited to: "agent monadic, category
// rate_limit"; empty where it is of everything.
func (r *Report) filtered() string {
	f := r.Span.Filter
	var parts []string
	for _, part := range []struct {
		what      text
		dimension queries.Dimension
		key       string
	}{
		{text{EN: "agent %s", JA: "エージェント：%s"}, queries.ByAgent, f.Agent},
		{text{EN: "operation %s", JA: "操作：%s"}, queries.ByOperation, f.Operation},
		{text{EN: "category %s", JA: "カテゴリ：%s"}, queries.ByCategory, f.Category},
		{text{EN: "provider %s", JA: "プロバイダー：%s"}, queries.ByProvider, f.Provider},
	} {
		if part.key != "" {
			parts = append(parts, r.say(part.what, r.name(part.dimension, part.key)))
		}
	}
	return strings.Join(parts, r.say(text{EN: ", ", JA: "、"}))
}

// keepFiltered leaves out the suggestions, and what became of others, that have
// nothing to do with the filter. A scope knows no provider: with one, all are
// left out.
func (o *Options) keepFiltered() {
	f := o.Span.Filter
	if f != (queries.Filter{}) {
		o.Oddities = nil // they are counted over all
	}
	if f.Provider != "" {
		o.Suggestions, o.Decisions = nil, nil
		return
	}
	o.Suggestions, o.Decisions = concerning(f, o.Suggestions, o.Decisions)
}

// Concerning returns what of a tuning has to do with the agent, the operation and
// the category of a filter: a scope that leaves one open has to do with each. Notes
// are of all, and left out.
func Concerning(f queries.Filter, t *analyze.Tuning) *analyze.Tuning {
	of := *t
	of.Suggestions, of.Decisions = concerning(f, t.Suggestions, t.Decisions)
	if f != (queries.Filter{}) {
		of.Notes = nil // they are counted over all
	}
	return &of
}

// concerning copies: the lists are the caller's.
func concerning(f queries.Filter, suggestions []analyze.Suggestion, decisions []analyze.Outcome) ([]analyze.Suggestion, []analyze.Outcome) {
	return slices.DeleteFunc(slices.Clone(suggestions), func(s analyze.Suggestion) bool { return !s.Scope.Concerns(f) }),
		slices.DeleteFunc(slices.Clone(decisions), func(d analyze.Outcome) bool { return !d.Scope.Concerns(f) })
}
