package analyze

import (
	"time"

	"hansei/ingest"
)

// A column fills one column of a staged table from rows of type R. Exactly one
// of its functions is set; what that returns as absent is NULL.
type column[R any] struct {
	name  string                       // of the SQL column
	text  func(*R) string              // absent: empty
	whole func(*R) ingest.Opt[int64]   // a whole number
	real  func(*R) ingest.Opt[float64] // any number
	truth func(*R) (value, known bool)
	time  func(*R) time.Time // always known
}

// eventColumns are the columns of table events, but that a sequence of the
// stream stands for the position in the store. The id comes first.
var eventColumns = []column[Row]{
	{name: "id", text: func(r *Row) string { return r.Event.ID }},
	{name: "time", time: func(r *Row) time.Time { return r.Event.Time }},
	{name: "kind", text: func(r *Row) string { return string(r.Event.Kind) }},
	{name: "agent", text: func(r *Row) string { return r.Event.Agent }},
	{name: "session", text: func(r *Row) string { return r.Event.Session }},
	{name: "turn", whole: func(r *Row) ingest.Opt[int64] { return r.Event.Turn }},
	{name: "operation", text: func(r *Row) string { return r.Event.Operation }},
	{name: "step", text: func(r *Row) string { return r.Event.Step }},
	{name: "component", text: func(r *Row) string { return r.Event.Component }},
	{name: "args_hash", text: func(r *Row) string { return r.Event.ArgsHash }},
	{name: "incident", text: func(r *Row) string { return r.Event.Incident }},
	{name: "attempt", whole: func(r *Row) ingest.Opt[int64] { return r.Event.Attempt }},
	{name: "max_retries", whole: func(r *Row) ingest.Opt[int64] { return r.Event.MaxRetries }},
	{name: "wait_ms", whole: func(r *Row) ingest.Opt[int64] { return r.Event.WaitMS }},
	{name: "duration_ms", whole: func(r *Row) ingest.Opt[int64] { return r.Event.DurationMS }},
	{name: "code", text: func(r *Row) string { return r.Event.Code }},
	{name: "status", text: func(r *Row) string { return r.Event.Status }},
	{name: "message", text: func(r *Row) string { return r.Event.Message }},
	{name: "detail", text: func(r *Row) string { return r.Event.Detail }},
	{name: "resolution", text: func(r *Row) string { return string(r.Tag.Resolution) }},
	{name: "resolution_text", text: freeText},
	{name: "score", real: func(r *Row) ingest.Opt[float64] { return r.Event.Score }},
	{name: "score_bar", real: func(r *Row) ingest.Opt[float64] { return r.Event.ScoreBar }},
	{name: "score_name", text: func(r *Row) string { return r.Event.ScoreName }},
	{name: "provider", text: func(r *Row) string { return r.Event.Provider }},
	{name: "model", text: func(r *Row) string { return r.Event.Model }},
	{name: "tokens", whole: func(r *Row) ingest.Opt[int64] { return r.Event.Tokens }},
	{name: "cost_usd", real: func(r *Row) ingest.Opt[float64] { return r.Event.CostUSD }},
	{name: "trace_id", text: func(r *Row) string { return r.Event.TraceID }},
	{name: "source", text: func(r *Row) string { return r.Event.Source }},
	{name: "attrs", text: func(r *Row) string { return string(ingest.AppendAttrs(nil, r.Event.Attrs)) }},
	{name: "taxonomy", text: func(r *Row) string { return string(r.Tag.Taxonomy) }},
	{name: "category", text: func(r *Row) string { return string(r.Tag.Category) }},
	{name: "retryable", truth: func(r *Row) (bool, bool) { return r.Tag.Retryable, r.Tag.Category != "" }},
	{name: "rule", text: func(r *Row) string { return r.Tag.Rule }},
	{name: "fingerprint", text: func(r *Row) string { return r.Tag.Fingerprint }},
	{name: "sequence", whole: func(r *Row) ingest.Opt[int64] { return ingest.Some(int64(r.Sequence)) }},
}

// freeText returns what the source wrote as resolution, unless that is the tag itself.
func freeText(r *Row) string {
	if r.Event.Resolution == string(r.Tag.Resolution) {
		return ""
	}
	return r.Event.Resolution
}

// quarantineColumns are the columns of table quarantine, with a sequence as in
// eventColumns.
var quarantineColumns = []column[Bad]{
	{name: "id", text: (*Bad).ID},
	{name: "arrived", time: func(b *Bad) time.Time { return b.Arrived.UTC() }},
	{name: "hour", time: (*Bad).hour},
	{name: "source", text: func(b *Bad) string { return storable(b.Source) }},
	{name: "subject", text: func(b *Bad) string { return storable(b.Subject) }},
	{name: "place", text: func(b *Bad) string { return storable(place(&b.Record, b.Sequence)) }},
	{name: "reason", text: func(b *Bad) string { return storable(b.Record.Err.Error()) }},
	{name: "raw", text: func(b *Bad) string { return storable(string(b.Record.Raw)) }},
	{name: "sequence", whole: func(b *Bad) ingest.Opt[int64] { return ingest.Some(int64(b.Sequence)) }},
}

// tagColumns are the columns of new tags, see [Store.Retag].
var tagColumns = []column[retag]{
	{name: "id", text: func(r *retag) string { return r.id }},
	{name: "taxonomy", text: func(r *retag) string { return string(r.tag.Taxonomy) }},
	{name: "category", text: func(r *retag) string { return string(r.tag.Category) }},
	{name: "retryable", truth: func(r *retag) (bool, bool) { return r.tag.Retryable, r.tag.Category != "" }},
	{name: "rule", text: func(r *retag) string { return r.tag.Rule }},
	{name: "fingerprint", text: func(r *retag) string { return r.tag.Fingerprint }},
}

// idColumns hold ids alone, to ask which of them are stored.
var idColumns = []column[string]{{name: "id", text: func(id *string) string { return *id }}}
