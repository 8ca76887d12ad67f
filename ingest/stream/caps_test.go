package stream

import (
	"testing"
	"time"
)

// A new stream gets the caps that are asked for, one that is there keeps its
// own until others are asked for.
func TestCaps(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		o         Options
		wantAge   time.Duration
		wantBytes int64
	}{
		{Options{Dir: dir, MaxAge: time.Hour}, time.Hour, eventsBytes},
		{Options{Dir: dir}, time.Hour, eventsBytes},
		{Options{Dir: dir, MaxAge: time.Minute, MaxBytes: 20 << 30}, time.Minute, 20 << 30},
	} {
		c, err := Open(t.Context(), test.o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.js.Stream(t.Context(), Events)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.CachedInfo().Config; got.MaxAge != test.wantAge || got.MaxBytes != test.wantBytes {
			t.Errorf("%+v: age %v, size %d", test.o, got.MaxAge, got.MaxBytes)
		}
		c.Close()
	}
}
