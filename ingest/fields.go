package ingest

// Limits of an event. An event or message over one of them is bad input, and
// its error names the field, the value and the limit.
const (
	MaxEvent   = 64 << 10 // bytes of one event's JSON
	MaxArray   = 1000     // events in one message
	MaxID      = 128      // bytes of an id: it is also a message id of the stream
	MaxText    = 1 << 10  // bytes of a name-like field; text for people is limited by MaxEvent alone
	MaxDetail  = 8 << 10  // bytes of detail that are kept, counted from its end
	MaxAttrs   = 32       // keys of attrs
	MaxAttrKey = 128      // bytes of a key of attrs
	// MaxInteger keeps integers exact in every JSON reader: 2^53-1, RFC 8259, section 6.
	MaxInteger = 1<<53 - 1

	// The most that can be true of a number that is summed up, so that no agent's
	// mistake, such as a time of day where a length is asked for, outweighs all others.
	MaxAttempt = 1_000_000                   // one each second for eleven days
	MaxMillis  = 10 * 366 * 24 * 3600 * 1000 // ten years: nine times as long as events are kept by default, a fifth of the milliseconds since 1970
	MaxTokens  = 1_000_000_000_000           // ten thousand times the longest context on offer in 2025, 100 million
	MaxCost    = 1_000_000_000               // US dollars: MaxTokens at a thousand for a million of them
)

// A field describes one field of the event's wire form. The list below is the
// only place that knows all of them: decoding, encoding, the content id and
// the published schema walk it.
type field struct {
	name string
	doc  string
	max  int              // bytes of a string; 0: limited by MaxEvent alone
	min  int64            // least value of a number
	most int64            // largest value of a number
	at   func(*Event) any // address of the field; its type decides how it is read
	num  bool             // a string field that also takes an integer, kept as text
	enum []Kind           // closed list of values
	want bool             // required
}

var fields = []field{
	{name: "id", max: MaxID, at: func(e *Event) any { return &e.ID }, doc: "Unique per event, over all agents and runs: of several events with one id the first is kept, and a counter of a process is none; also the Nats-Msg-Id. Without it a hash of the content stands in, so publishing the same event again is harmless."},
	{name: "time", want: true, at: func(e *Event) any { return &e.Time }, doc: "When it happened, RFC 3339 with a zone."},
	{name: "kind", enum: Kinds, at: func(e *Event) any { return &e.Kind }, doc: "failure: an attempt failed; success: an attempt passed (with incident: it resolves it); end: the incident ended without success. Default failure."},
	{name: "agent", want: true, max: MaxText, at: func(e *Event) any { return &e.Agent }, doc: "The publishing system."},
	{name: "session", max: MaxText, at: func(e *Event) any { return &e.Session }, doc: "Run or conversation."},
	{name: "turn", most: MaxInteger, at: func(e *Event) any { return &e.Turn }, doc: "The user's turn in the session."},
	{name: "operation", max: MaxText, at: func(e *Event) any { return &e.Operation }, doc: "What was tried: a skill, a tool, an API call. One leading / is dropped."},
	{name: "step", max: MaxText, at: func(e *Event) any { return &e.Step }, doc: "Where in the operation."},
	{name: "component", max: MaxText, at: func(e *Event) any { return &e.Component }, doc: "Which part raised it."},
	{name: "args_hash", max: MaxText, at: func(e *Event) any { return &e.ArgsHash }, doc: "Fingerprint of the call's arguments."},
	{name: "incident", max: MaxText, at: func(e *Event) any { return &e.Incident }, doc: "Joins the attempts of one operation. Without it the event is an incident of its own, whose name is its id: what comes later joins it by that name, so no other incident of the agent should have it."},
	{name: "attempt", min: 1, most: MaxAttempt, at: func(e *Event) any { return &e.Attempt }, doc: "Counted from 1, the first try. Absent means unknown, which is not 1."},
	{name: "max_retries", most: MaxInteger, at: func(e *Event) any { return &e.MaxRetries }, doc: "The policy's cap in force."},
	{name: "wait_ms", most: MaxMillis, at: func(e *Event) any { return &e.WaitMS }, doc: "Milliseconds waited before this attempt."},
	{name: "duration_ms", most: MaxMillis, at: func(e *Event) any { return &e.DurationMS }, doc: "Milliseconds that the attempt took."},
	{name: "code", max: MaxText, num: true, at: func(e *Event) any { return &e.Code }, doc: "Error code as the source gave it."},
	{name: "status", max: MaxText, num: true, at: func(e *Event) any { return &e.Status }, doc: "Status as the source gave it."},
	{name: "message", at: func(e *Event) any { return &e.Message }, doc: "Text for people."},
	{name: "detail", at: func(e *Event) any { return &e.Detail }, doc: "Longer output; its last 8 KiB are kept."},
	{name: "resolution", max: MaxText, at: func(e *Event) any { return &e.Resolution }, doc: "How the incident ended: a tag, or free text in any language."},
	{name: "score", min: -MaxInteger, most: MaxInteger, at: func(e *Event) any { return &e.Score }, doc: "What a quality gate measured."},
	{name: "score_bar", min: -MaxInteger, most: MaxInteger, at: func(e *Event) any { return &e.ScoreBar }, doc: "What the gate wanted."},
	{name: "score_name", max: MaxText, at: func(e *Event) any { return &e.ScoreName }, doc: "The gate's name."},
	{name: "provider", max: MaxText, at: func(e *Event) any { return &e.Provider }, doc: "Provider of the call."},
	{name: "model", max: MaxText, at: func(e *Event) any { return &e.Model }, doc: "Model of the call."},
	{name: "tokens", most: MaxTokens, at: func(e *Event) any { return &e.Tokens }, doc: "Tokens of the call."},
	{name: "cost_usd", most: MaxCost, at: func(e *Event) any { return &e.CostUSD }, doc: "Price of the call in US dollars."},
	{name: "trace_id", max: MaxText, at: func(e *Event) any { return &e.TraceID }, doc: "W3C trace id."},
	{name: "source", max: MaxText, at: func(e *Event) any { return &e.Source }, doc: "The adapter that made the event; hansei for native events."},
	{name: "attrs", at: func(e *Event) any { return &e.Attrs }, doc: "Anything else, at most 32 keys. Unknown fields of the event go here, as text."},
}

// A fieldSet is a set of fields: a bit for each place in the list.
type fieldSet uint64

// allFields holds every field, the others one each.
var (
	allFields  = fieldSet(1)<<len(fields) - 1
	idField    = fieldSet(1) << fieldNamed("id")
	attrsField = fieldSet(1) << fieldNamed("attrs")
)

// wantedFields are those that every event needs.
var wantedFields = func() (s fieldSet) {
	for i := range fields {
		if fields[i].want {
			s |= 1 << i
		}
	}
	return s
}()

// fieldPlaces finds fields by their names: at the place of a name, or the next
// one that is free of others, stands one more than where its field is in the
// list. A map took a fifth of the time that reading an event takes.
var fieldPlaces = func() (places [256]uint8) {
	for i := range fields {
		at := fieldPlace(fields[i].name)
		for places[at] != 0 {
			at++
		}
		places[at] = uint8(i + 1)
	}
	return places
}()

// fieldPlace returns where to look for a name, which its length and two of its
// bytes tell.
func fieldPlace(name string) uint8 {
	n := len(name)
	return uint8(n) + 7*name[n/2] + 31*name[n-1]
}

// fieldNamed returns where the field of that wire name stands in the list; -1
// where there is none.
func fieldNamed(name string) int {
	if name == "" {
		return -1
	}
	for at := fieldPlace(name); fieldPlaces[at] != 0; at++ {
		if i := int(fieldPlaces[at]) - 1; fields[i].name == name {
			return i
		}
	}
	return -1
}

// fieldByName returns the field of that wire name; nil where there is none.
func fieldByName(name string) *field {
	if i := fieldNamed(name); i >= 0 {
		return &fields[i]
	}
	return nil
}
