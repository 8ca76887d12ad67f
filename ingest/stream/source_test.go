package stream

import (
	"bytes"
	"testing"
)

func TestEventsAreEstimated(t *testing.T) {
	one := []byte(`{"id":"1","time":"2026-01-15T12:00:00Z","agent":"bot","message":"` + string(bytes.Repeat([]byte("long "), 60)) + `"},`)
	array := func(n int) []byte {
		return append(append([]byte("["), bytes.TrimSuffix(bytes.Repeat(one, n), []byte(","))...), ']')
	}
	for _, test := range []struct {
		data      []byte
		low, high int
	}{
		{nil, 1, 1},
		{one, 1, 1},
		{[]byte("[]"), 1, 1},
		{array(1), 1, 1},
		{array(20), 20, 20},
		{array(1000), 900, 1100},
	} {
		m := Message{Data: test.data}
		if n := m.Events(); n < test.low || n > test.high {
			t.Errorf("%.40s… of %d bytes: %d events, want %d to %d", test.data, len(test.data), n, test.low, test.high)
		}
	}
}
