package otlp

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// text writes a value as text: a string as it is, lists and maps as JSON.
func text(v *commonpb.AnyValue) string {
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return v.StringValue
	case *commonpb.AnyValue_BoolValue:
		return strconv.FormatBool(v.BoolValue)
	case *commonpb.AnyValue_IntValue:
		return strconv.FormatInt(v.IntValue, 10)
	case *commonpb.AnyValue_DoubleValue:
		return strconv.FormatFloat(v.DoubleValue, 'f', -1, 64)
	case *commonpb.AnyValue_BytesValue:
		return base64.StdEncoding.EncodeToString(v.BytesValue)
	case *commonpb.AnyValue_ArrayValue, *commonpb.AnyValue_KvlistValue:
		out, err := json.Marshal(plain(&commonpb.AnyValue{Value: v}))
		if err != nil {
			return "" // a double that JSON cannot write
		}
		return string(out)
	}
	return ""
}

// plain is v as encoding/json writes it; maps come out sorted by key.
func plain(v *commonpb.AnyValue) any {
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_BoolValue:
		return v.BoolValue
	case *commonpb.AnyValue_IntValue:
		return v.IntValue
	case *commonpb.AnyValue_DoubleValue:
		return v.DoubleValue
	case *commonpb.AnyValue_ArrayValue:
		list := []any{}
		for _, element := range v.ArrayValue.GetValues() {
			list = append(list, plain(element))
		}
		return list
	case *commonpb.AnyValue_KvlistValue:
		fields := map[string]any{}
		for _, kv := range v.KvlistValue.GetValues() {
			fields[kv.GetKey()] = plain(kv.GetValue())
		}
		return fields
	case nil:
		return nil
	}
	return text(v)
}
