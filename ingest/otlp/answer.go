package otlp

import (
	"encoding/json"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of the answers of both services, which have the same form:
// partial_success, and in it the count and the message.
const (
	fieldPartialSuccess = 1
	fieldRejected       = 1
	fieldMessage        = 2
)

// Answer is the body of an answer in protobuf: empty when nothing was rejected.
func Answer(rejected int, message string) []byte {
	if rejected == 0 && message == "" {
		return nil
	}
	var partial []byte
	if rejected > 0 {
		partial = protowire.AppendTag(partial, fieldRejected, protowire.VarintType)
		partial = protowire.AppendVarint(partial, uint64(rejected))
	}
	partial = protowire.AppendTag(partial, fieldMessage, protowire.BytesType)
	partial = protowire.AppendString(partial, message)
	out := protowire.AppendTag(nil, fieldPartialSuccess, protowire.BytesType)
	return protowire.AppendBytes(out, partial)
}

// AnswerJSON is the body of an answer in JSON.
func AnswerJSON(rejected int, message string, signal Signal) []byte {
	if rejected == 0 && message == "" {
		return []byte(`{"partialSuccess":{}}`)
	}
	name := "rejectedLogRecords"
	if signal == Traces {
		name = "rejectedSpans"
	}
	quoted, err := json.Marshal(message)
	if err != nil {
		quoted = []byte(`""`) // text always marshals
	}
	return []byte(`{"partialSuccess":{"` + name + `":"` + strconv.Itoa(rejected) + `","errorMessage":` + string(quoted) + `}}`)
}

// Status is the body of an error answer in protobuf: google.rpc.Status.
func Status(message string) []byte {
	out := protowire.AppendTag(nil, fieldMessage, protowire.BytesType)
	return protowire.AppendString(out, message)
}
