package reports

import (
	"database/sql"

	"hansei/analyze"
	"hansei/queries"
)

// A Wording says things as the report says them, for pages beside it. Texts of
// events are made fit to be shown; whoever writes them escapes them.
type Wording struct{ r *Report }

// WordingIn returns the wording of a language.
func WordingIn(lang Lang) Wording { return Wording{&Report{Options: Options{Lang: lang}}} }

// Clean is text of an event on one line, cut where it is long.
func (Wording) Clean(s string) string { return clean(s) }

// Whole is text of an event with its lines, uncut.
func (Wording) Whole(s string) string { return visible(s) }

// Category is the name of a category.
func (w Wording) Category(key string) string { return w.r.name(queries.ByCategory, key) }

// Taxonomy is the name of a taxonomy.
func (w Wording) Taxonomy(key string) string { return w.r.name(queries.ByTaxonomy, key) }

// Scope names the cell of a suggestion.
func (w Wording) Scope(s analyze.Scope) string { return w.r.scope(s) }

// Verdict names a verdict.
func (w Wording) Verdict(v analyze.Verdict) string { return w.r.verdict(v) }

// Effect tells what a suggestion would have changed; a dash where it wants no change.
func (w Wording) Effect(s analyze.Suggestion) string { return w.r.effect(s) }

// Count groups the digits of a number.
func (Wording) Count(n int64) string { return group(n) }

// Percent is part of whole; a dash where there is no whole.
func (Wording) Percent(part, whole int64) string { return percent(part, whole) }

// Mean is a mean number of retries; a dash where none is known.
func (w Wording) Mean(v sql.Null[float64]) string { return w.r.mean(v) }

// Period names a span: "January 2026", "2026年1月".
func (w Wording) Period(span queries.Span) string {
	return (&Report{Options: Options{Lang: w.r.Lang, Span: span}}).period()
}
