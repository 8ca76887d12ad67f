package stream

import "testing"

func TestSyncAlwaysReachesTheServer(t *testing.T) {
	for _, always := range []bool{false, true} {
		c, err := Open(t.Context(), Options{Dir: t.TempDir(), SyncAlways: always})
		if err != nil {
			t.Fatal(err)
		}
		got := c.server.current.JetStreamConfig()
		c.Close()
		if got.SyncAlways != always || got.SyncInterval != syncInterval {
			t.Errorf("always %v: the server syncs always %v, every %v", always, got.SyncAlways, got.SyncInterval)
		}
	}
}
