package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

var arrived = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)

func TestDecodeFull(t *testing.T) {
	in := `{"id":"a","time":"2026-01-31T18:30:00.5+09:00","kind":"success","agent":"bot","session":"s","turn":0,
	"operation":"/deploy","step":"push","component":"git","args_hash":"ff","incident":"i","attempt":2,"max_retries":0,
	"wait_ms":5000,"duration_ms":12,"code":429,"status":"failed","message":"日本語 \u2028","detail":"d","resolution":"fallback",
	"score":56,"score_bar":70.5,"score_name":"review","provider":"p","model":"m","tokens":10,"cost_usd":0.25,"trace_id":"t",
	"source":"x","attrs":{"k":"v","n":5,"null":null},"extra":{"a":[1]},"flag":true,"nothing":null}`
	want := Event{
		ID: "a", Time: time.Date(2026, 1, 31, 9, 30, 0, 5e8, time.UTC), Kind: Success, Agent: "bot", Session: "s",
		Turn: Some[int64](0), Operation: "deploy", Step: "push", Component: "git", ArgsHash: "ff", Incident: "i",
		Attempt: Some[int64](2), MaxRetries: Some[int64](0), WaitMS: Some[int64](5000), DurationMS: Some[int64](12),
		Code: "429", Status: "failed", Message: "日本語 \u2028", Detail: "d", Resolution: "fallback",
		Score: Some(56.0), ScoreBar: Some(70.5), ScoreName: "review", Provider: "p", Model: "m", Tokens: Some[int64](10),
		CostUSD: Some(0.25), TraceID: "t", Source: "x",
		Attrs: map[string]string{"k": "v", "n": "5", "extra": `{"a":[1]}`, "flag": "true"},
	}
	got := Decode(Message{Arrived: arrived, Data: []byte(in)})
	if len(got) != 1 || got[0].Err != nil || !reflect.DeepEqual(got[0].Event, want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	again := Decode(Message{Data: want.AppendJSON(nil)})
	if again[0].Err != nil || !reflect.DeepEqual(again[0].Event, want) {
		t.Errorf("encoded and decoded: %+v, want %+v", again[0], want)
	}
}

// RFC 3339 allows small letters, and a second more at the end of a day.
func TestDecodeTimes(t *testing.T) {
	for in, want := range map[string]string{
		"2026-01-31t09:30:00.25z":          "2026-01-31T09:30:00.25Z",
		"2016-12-31T23:59:60Z":             "2016-12-31T23:59:59.999999Z",
		"2017-01-01t08:59:60.125+09:00":    "2016-12-31T23:59:59.999999Z",
		"2026-01-31T18:30:00.123456+09:00": "2026-01-31T09:30:00.123456Z",
	} {
		r := Decode(Message{Data: []byte(`{"agent":"a","time":"` + in + `"}`)})[0]
		if got := r.Event.Time.Format(time.RFC3339Nano); r.Err != nil || got != want {
			t.Errorf("%s is read as %s (%v), want %s", in, got, r.Err, want)
		}
	}
}

func TestDecodeBad(t *testing.T) {
	event := func(field string) string {
		return `{"time":"2026-01-01T00:00:00Z","agent":"a",` + field + `}`
	}
	var many []string
	for i := range MaxArray + 1 {
		many = append(many, event(fmt.Sprintf(`"turn":%d`, i)))
	}
	for _, test := range []struct{ name, in, want string }{
		{"not JSON", "segfault at 0", "not JSON: invalid character"},
		{"cut", `{"time":"2026-01-01T00:00:00Z"`, "not JSON: it ends too early"},
		{"two events", event(`"turn":1`) + event(`"turn":2`), "more follows after the end"},
		{"empty", " \n", "empty message"},
		{"string", `"oops"`, "a JSON string; an event is an object"},
		{"number", `17`, "a JSON number; an event is an object"},
		{"wrong type of text", event(`"message":{"a":1}`), "message: a JSON object, want a string"},
		{"wrong type of number", event(`"attempt":"two"`), "attempt: a JSON string (two), want an integer"},
		{"fraction", event(`"attempt":1.5`), "attempt: a JSON number (1.5), want an integer"},
		{"wrong type of attrs", event(`"attrs":"x"`), "attrs: a JSON string (x), want an object of strings"},
		{"no time", `{"agent":"a"}`, "time: missing"},
		{"no zone", `{"agent":"a","time":"2026-01-01 10:00"}`, `time: "2026-01-01 10:00" is not RFC 3339`},
		{"far future", `{"agent":"a","time":"2027-01-01T00:00:00Z"}`, "time: 2027-01-01T00:00:00Z is more than 24h0m0s after its arrival"},
		{"zero time", `{"agent":"a","time":"0001-01-01T00:00:01Z"}`, "time: 0001-01-01T00:00:01Z is before 2000-01-01T00:00:00Z"},
		{"time left at zero", `{"agent":"a","time":"0001-01-01T00:00:00Z"}`, "time: 0001-01-01T00:00:00Z is what programs write that set no time"},
		{"no agent", `{"time":"2026-01-01T00:00:00Z"}`, "agent: missing"},
		{"blank agent", `{"time":"2026-01-01T00:00:00Z","agent":" "}`, "agent: missing"},
		{"65 KiB", event(`"message":"` + strings.Repeat("x", 65<<10) + `"`), "event of 66616 bytes, at most 65536"},
		{"array of 1001", "[" + strings.Join(many, ",") + "]", "array of 1001 events, at most 1000"},
		{"empty array", "[]", "empty array"},
		{"wrapped", `{"events":[{"time":"2026-01-01T00:00:00Z","agent":"a"}]}`, `if the events are those in "events", send that array without the object around it`},
		{"broken array", `[{"a":1},`, "not JSON: it ends too early"},
		{"invalid UTF-8", event("\"message\":\"\xff\""), "not JSON: invalid UTF-8"},
		{"NUL", event(`"message":"a\u0000b"`), "message: a NUL character at byte 1"},
		{"NUL in attrs", event(`"attrs":{"k":"\u0000"}`), "attrs.k: a NUL character at byte 0"},
		{"negative attempt", event(`"attempt":-1`), "attempt: -1, want 1 to"},
		{"attempt zero", event(`"attempt":0`), "attempt: 0, want 1 to"},
		{"negative wait", event(`"wait_ms":-5`), "wait_ms: -5, want 0 to"},
		{"negative tokens", event(`"tokens":-5`), "tokens: -5, want 0 to"},
		{"negative cost", event(`"cost_usd":-0.5`), "cost_usd: -0.5, want 0 to 1000000000"},
		{"second 60 at noon", `{"agent":"a","time":"2026-01-01T12:00:60Z"}`, "is not RFC 3339"},
		{"second 61", `{"agent":"a","time":"2016-12-31T23:59:61Z"}`, "is not RFC 3339"},
		{"unknown kind", event(`"kind":"oops"`), `kind: "oops", want one of ["failure" "success" "end"]`},
		{"long id", event(`"id":"` + strings.Repeat("i", 129) + `"`), "id: 129 bytes (iii"},
		{"attempt by the clock", event(`"attempt":1767225600000`), "attempt: 1767225600000, want 1 to 1000000"},
		{"wait by the clock", event(`"wait_ms":1767225600000`), "wait_ms: 1767225600000, want 0 to 316224000000"},
		{"largest integer as duration", event(`"duration_ms":9007199254740991`), "duration_ms: 9007199254740991, want 0 to 316224000000"},
		{"largest integer as tokens", event(`"tokens":9007199254740991`), "tokens: 9007199254740991, want 0 to 1000000000000"},
		{"cost of nothing on earth", event(`"cost_usd":1.7e308`), "cost_usd: 1.7e+308, want 0 to 1000000000"},
		{"score beyond all", event(`"score":-1e300`), "score: -1e+300, want -9007199254740991 to 9007199254740991"},
		{"bar beyond all", event(`"score_bar":1e300`), "score_bar: 1e+300, want -9007199254740991 to 9007199254740991"},
		{"huge number", event(`"score":1e999`), "score: a JSON number (1e999), want a number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Decode(Message{Arrived: arrived, Data: []byte(test.in)})
			if len(got) != 1 || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", got[0].Err, test.want)
			}
			if !bytes.Equal(bytes.TrimSpace(got[0].Raw), bytes.TrimSpace([]byte(test.in))) {
				t.Errorf("raw input is not kept: %q", got[0].Raw)
			}
		})
	}
}

func TestDecodeArrayKeepsGood(t *testing.T) {
	got := Decode(Message{ID: "m", Data: []byte(`[{"time":"2026-01-01T00:00:00Z","agent":"a"}, 7 ,{"id":"x","time":"2026-01-01T00:00:00Z","agent":"a"}]`)})
	if len(got) != 3 || got[0].Err != nil || got[1].Err == nil || got[2].Event.ID != "x" {
		t.Fatalf("got %+v", got)
	}
	if got[1].Position != "message[1]" || string(got[1].Raw) != "7" {
		t.Errorf("bad element at %q raw %q", got[1].Position, got[1].Raw)
	}
	if got[0].Event.ID == "m" {
		t.Error("an element took the message's id, which names the whole array")
	}
}

func TestContentID(t *testing.T) {
	id := func(in string) string { return Decode(Message{Data: []byte(in)})[0].Event.ID }
	a := id(`{"time":"2026-01-01T00:00:00Z","agent":"a","message":"m","attrs":{"x":"1","y":"2"}}`)
	if b := id(`{"attrs":{"y":"2","x":"1"},"message":"m","agent":"a","time":"2026-01-01T09:00:00+09:00"}`); a != b {
		t.Errorf("same content, other order: %s and %s", a, b)
	}
	if b := id(`{"time":"2026-01-01T00:00:00Z","agent":"a","message":"n"}`); a == b {
		t.Errorf("other content, same id %s", a)
	}
	if got := Decode(Message{ID: "given", Data: []byte(`{"time":"2026-01-01T00:00:00Z","agent":"a"}`)})[0].Event.ID; got != "given" {
		t.Errorf("id %q, want the message's", got)
	}
}

func TestDetailKeepsItsEnd(t *testing.T) {
	e := Event{Time: arrived, Agent: "a", Detail: strings.Repeat("あ", 4000) + "end"}
	if err := e.Finish(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if len(e.Detail) > MaxDetail || len(e.Detail) < MaxDetail-3 || !strings.HasSuffix(e.Detail, "end") || !strings.HasPrefix(e.Detail, "あ") {
		t.Errorf("detail of %d bytes, begins %q", len(e.Detail), e.Detail[:6])
	}
}

func TestAttrsLimits(t *testing.T) {
	e := Event{Time: arrived, Agent: "a", Attrs: map[string]string{}}
	for i := range MaxAttrs + 1 {
		e.Attrs[fmt.Sprint(i)] = ""
	}
	if err := e.Finish(time.Time{}); err == nil || !strings.Contains(err.Error(), "33 keys") {
		t.Errorf("33 keys: %v", err)
	}
}

// What the schema permits is stored: the least and the most of each number.
func TestLimitsOfNumbers(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Type             any
			Minimum, Maximum *float64
		}
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	numbers := 0
	for name, p := range schema.Properties {
		if typ := fmt.Sprint(p.Type); !strings.HasPrefix(typ, "[number") && !strings.HasPrefix(typ, "[integer") {
			continue
		}
		numbers++
		if p.Minimum == nil || p.Maximum == nil {
			t.Errorf("%s: the schema tells no limits", name)
			continue
		}
		for _, n := range []struct {
			value float64
			ok    bool
		}{{*p.Minimum, true}, {*p.Maximum, true}, {*p.Minimum - 1, false}, {*p.Maximum + 1, false}} {
			in := fmt.Sprintf(`{"time":"2026-01-01T00:00:00Z","agent":"a","%s":%.0f}`, name, n.value)
			if got := Decode(Message{Data: []byte(in)})[0]; (got.Err == nil) != n.ok {
				t.Errorf("%s: %v, want taken %v", in, got.Err, n.ok)
			}
		}
	}
	if numbers != 9 {
		t.Errorf("%d numbers, want the 9 of the contract", numbers)
	}
}

// An agent's own record does not know our limits: what is beyond them is
// absent, and the event is taken.
func TestTidyNumbers(t *testing.T) {
	e := Event{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Agent: "a", Attempt: Some(int64(MaxAttempt)),
		WaitMS: Some(int64(MaxMillis + 1)), Tokens: Some(int64(-1)), CostUSD: Some(1e300), Score: Some(0.5)}
	e.tidy()
	if err := e.Finish(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if e.WaitMS.Known || e.Tokens.Known || e.CostUSD.Known || !e.Attempt.Known || !e.Score.Known {
		t.Errorf("got %+v", e)
	}
}

// The schema and the decoder are made from one list; this holds the list
// against the struct, so that a field added to one is not forgotten in the other.
func TestSchemaNamesEveryField(t *testing.T) {
	var schema struct {
		Required   []string
		Properties map[string]struct{ Description string }
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if n := reflect.TypeFor[Event]().NumField(); len(schema.Properties) != n || len(fields) != n {
		t.Errorf("schema has %d properties, the list %d, Event %d fields", len(schema.Properties), len(fields), n)
	}
	seen := map[any]string{}
	e := new(Event)
	for _, f := range fields {
		if other, twice := seen[f.at(e)]; twice {
			t.Errorf("%s and %s are the same field", f.name, other)
		}
		seen[f.at(e)] = f.name
		if schema.Properties[f.name].Description == "" {
			t.Errorf("%s has no description", f.name)
		}
	}
	if want := []string{"time", "agent"}; !reflect.DeepEqual(schema.Required, want) {
		t.Errorf("required %v, want %v", schema.Required, want)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"time":"2026-01-01T00:00:00Z","agent":"a"}`, `[{"id":1},{}]`, `[[[`, "\xff", `{"attrs":{"":null}}`, `{"score":-0.0,"time":"2026-01-01T00:00:00.000000001-23:59","agent":"é"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range Decode(Message{Arrived: arrived, Data: data}) {
			if r.Err != nil {
				if r.Position == "" {
					t.Error("bad record without a position")
				}
				continue
			}
			once := r.Event.AppendJSON(nil)
			again := Decode(Message{Data: once})
			if len(once) > MaxEvent {
				continue // escapes can make it longer than what came in
			}
			if again[0].Err != nil {
				t.Fatalf("%s does not decode: %v", once, again[0].Err)
			}
			if twice := again[0].Event.AppendJSON(nil); !bytes.Equal(once, twice) {
				t.Errorf("%s became %s", once, twice)
			}
		}
	})
}

// Files of events as programs write them for people, besides JSON Lines.
func TestReadPrinted(t *testing.T) {
	const a, b = `{"time":"2026-01-15T12:00:00Z","agent":"bot","id":"a"}`, `{"time":"2026-01-15T12:00:00Z","agent":"bot","id":"b"}`
	const printed = "{\n  \"time\": \"2026-01-15T12:00:00Z\",\n  \"agent\": \"bot\",\n  \"attrs\": {\n    \"k\": \"{\"\n  },\n  \"id\": \"c\"\n}"
	for _, test := range []struct{ name, in, want string }{
		{"lines", a + "\n" + b, "a b"},
		{"an array", "[" + a + "," + b + "]", "a b"},
		{"a large array", "[" + strings.Repeat(a+",", MaxArray) + b + "]", strings.Repeat("a ", MaxArray) + "b"},
		{"an element a line", "[\n" + a + ",\n" + b + "\n]\n", "a b"},
		{"an element a line, brackets beside", "[" + a + ",\n" + b + "]", "a b"},
		{"printed", printed + "\n" + printed, "c c"},
		{"printed array", "[\n  " + strings.ReplaceAll(printed+",\n"+printed, "\n", "\n  ") + "\n]", "c c"},
		{"nothing in it", "[]\n", ""},
		{"a bad element", "[\n" + a + ",\n{\"agent\":\"bot\"},\n" + b + "\n]", "a !f:3 b"},
		{"cut off", "{\n  \"time\":\n" + a + "\n{\n" + printed, "!f:1 a !f:4 c"},
		{"array cut between elements", "[\n" + a + ",\n" + b + ",\n", "a b !f:1"},
		{"array cut behind its opening", "[" + a + ",\n" + b, "a b !f:1"},
		{"arrays one behind the other", "[\n" + a + "\n]\n[" + b + ",\n" + a + "]\n[\n  " + strings.ReplaceAll(printed, "\n", "\n  ") + "]", "a b a c"},
		{"an array within an object", a + "\n{\"list\":[{\"n\":1}]\n" + b, "a !f:2 b"},
		{"text", "oops\n" + b, "!f:1 b"},
	} {
		var got []string
		for r, err := range hansei.Read(strings.NewReader(test.in), Options{Name: "f"}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case r.Err != nil:
				got = append(got, "!"+r.Position)
			default:
				got = append(got, r.Event.ID)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
