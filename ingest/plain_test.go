package ingest

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
)

// plainSeeds are messages that show what JSON may do; the last ones are not plain.
var plainSeeds = []string{
	`{"id":"a","time":"2026-01-31T09:30:00Z","agent":"b","attempt":2,"score":5.6e1,"code":429,"attrs":{"k":"v","n":1.50,"t":true,"x":null},"more":-0}`,
	` [ {"time":"2026-01-31T09:30:00Z","agent":"b","message":"caf\u00e9 \"x\" 日本"} , {"agent":null} ] `,
	`{}`, `[{},{}]`, `{"attrs":{}}`, `{"agent":"a","agent":"b"}`, `{"message":"a\u0000b"}`,
	`[]`, `[1]`, `{"a":[1]}`, `{"a":01}`, `{"a":1.}`, `{"a":nullx}`, `{"a":"` + "\x01" + `"}`, `{"a":"\ud800"}`, `{"a":"` + "\xff" + `"}`,
	`{"a":1,}`, `{} {}`, `{"attempt":"x"}`, "{\x00}", `{"a":tru}`, `{"a":"\`, `{"a":-}`, `{"a":1e+}`, `[{}`, `{"a"}`, `{"a":1`, `{"attrs":"x"}`, `{"attrs":{"a":{}}}`,
}

// What is read the plain way is what the decoder of tokens reads.
func FuzzPlain(f *testing.F) {
	for _, seed := range plainSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if data = bytes.TrimSpace(data); len(data) == 0 {
			return
		}
		m := Message{ID: "m", Arrived: arrived, Data: data, Lasting: len(data)%2 == 0}
		got, ok := appendPlain(nil, m, data)
		if want := appendDecoded(nil, m, data); ok && !reflect.DeepEqual(told(got), told(want)) {
			t.Errorf("%q\nplain   %v\ndecoded %v", data, told(got), told(want))
		}
	})
}

// told is what the records say, their errors as text.
func told(records []Record) (out []string) {
	for _, r := range records {
		out = append(out, fmt.Sprintf("%+v %v %q %s", r.Event, r.Err, r.Raw, r.Position))
	}
	return out
}

// Events as programs write them are read the plain way; what is not is left to
// the decoder, and no record of it stays.
func TestPlainIsTaken(t *testing.T) {
	for i, seed := range plainSeeds {
		records, ok := appendPlain(make([]Record, 1, 4), Message{Arrived: arrived}, bytes.TrimSpace([]byte(seed)))
		if taken := i < 7; ok != taken || !ok && len(records) != 1 {
			t.Errorf("%s: plain %v with %d records, want %v", seed, ok, len(records)-1, taken)
		}
	}
}

// The events of a message that lasts are parts of it, and cost no memory.
func TestLastingIsNotCopied(t *testing.T) {
	m := Message{Arrived: arrived, Data: []byte(`[{"id":"a","time":"2026-01-31T09:30:00Z","agent":"bot","message":"no answer"}]`)}
	records := Decode(m)
	for _, m.Lasting = range []bool{true, false} {
		if got := testing.AllocsPerRun(10, func() { records = AppendRecords(records[:0], m) }); m.Lasting != (got == 0) {
			t.Errorf("lasting %v: %v allocations", m.Lasting, got)
		}
	}
	if records[0].Err != nil || records[0].Event.Message != "no answer" {
		t.Errorf("read %+v", records[0])
	}
}

func BenchmarkDecode(b *testing.B) {
	data := []byte(`{"id":"01JJ5V7N4Q8ZK3W2X1Y0ABCDEF","time":"2026-01-31T09:30:00.25Z","agent":"agent-3","session":"s-17","operation":"fetch","incident":"i-900","attempt":2,"code":"529","message":"API Error: 529 overloaded_error: Overloaded, the request was not started (request id req_0001e240)","provider":"anthropic","model":"claude-sonnet"}`)
	m := Message{Arrived: arrived, Data: data}
	var records []Record
	for _, way := range []struct {
		name string
		read func([]Record, Message) []Record
	}{
		{"plain", AppendRecords},
		{"tokens", func(records []Record, m Message) []Record { return appendDecoded(records, m, m.Data) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if records = way.read(records[:0], m); records[0].Err != nil {
					b.Fatal(records[0].Err)
				}
			}
		})
	}
}
