package stream

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// A lockedLog is what a logger wrote so far.
type lockedLog struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lockedLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(line)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// A restored connection to the embedded server is told with its own address,
// not with that of nobody's port 4222.
func TestRestoredConnectionIsNamed(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", ""} {
		var log lockedLog
		c, err := Open(t.Context(), Options{Dir: t.TempDir(), Listen: listen, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		want := "url=\"in this process\""
		if listen != "" {
			want = "url=" + c.URL() + "\n"
		}
		if err := c.nc.ForceReconnect(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); !strings.Contains(log.String(), "restored"); time.Sleep(time.Millisecond) { // between looks at a condition
			if time.Now().After(end) {
				t.Fatalf("not restored:\n%s", log.String())
			}
		}
		if !strings.Contains(log.String(), want) {
			t.Errorf("listening on %q: no %q in\n%s", listen, want, log.String())
		}
		c.Close()
	}
}
