package reports

import (
	"cmp"
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

// Quantity writes a value of a knob with its unit.
func (w Wording) Quantity(knob string, v *int64) string { return w.r.quantity(knob, v) }

// Wanted writes the value that a suggestion asks for.
func (w Wording) Wanted(s analyze.Suggestion) string {
	return cmp.Or(w.r.stopBelow(s.Knob, s.Values), w.r.quantity(s.Knob, s.Suggested))
}

// Change writes what a decision was about, two values with their unit.
func (w Wording) Change(o analyze.Outcome) string {
	return cmp.Or(w.r.stopBelow(o.Knob, o.Values), w.r.change(o.Knob, o.Current, o.Value))
}

// Basis is how much the evidence of a suggestion rests on.
func (w Wording) Basis(s analyze.Suggestion) string { return w.r.count(int64(s.N), basis(s.Knob)) }

// Published names what other systems ship, where there is too little data.
func (w Wording) Published(s analyze.Suggestion) string { return w.r.published(s.Knob, s.Published) }

// Decided says a decision, or the verdict on one.
func (w Wording) Decided(of string) string { return w.r.say(outcomeText(of)) }

// WouldHave tells what following a suggestion would have changed; empty: not known.
func (w Wording) WouldHave(e *analyze.Effect) string {
	if e == nil {
		return ""
	}
	return w.r.effectOf(*e)
}

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
