package stream

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Of many that want the same entry exactly one gets it.
func TestRegisterHasOneWinner(t *testing.T) {
	c, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if entries, err := c.Register("TEST").Entries(t.Context()); err != nil || len(entries) != 0 {
		t.Fatalf("before it is made: %v, %v", entries, err)
	}
	const rivals = 8
	won := make([]bool, rivals)
	var group sync.WaitGroup
	for i := range rivals {
		group.Go(func() {
			_, err := c.Register("TEST").Set(t.Context(), "month.2026-01", fmt.Append(nil, i), 0)
			if won[i] = err == nil; err != nil && !errors.Is(err, ErrTaken) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	winners := 0
	for i := range won {
		if won[i] {
			winners++
		}
	}
	e, err := c.Register("TEST").Entry(t.Context(), "month.2026-01")
	if err != nil || winners != 1 || e.Revision == 0 {
		t.Fatalf("%d winners, entry %v, %v", winners, e, err)
	}
	if _, err := c.Register("TEST").Set(t.Context(), e.Key, []byte("x"), e.Revision+1); !errors.Is(err, ErrTaken) {
		t.Errorf("a revision that nobody saw: %v", err)
	}
	if next, err := c.Register("TEST").Set(t.Context(), e.Key, []byte("x"), e.Revision); err != nil || next <= e.Revision {
		t.Errorf("revision %d after %d, %v", next, e.Revision, err)
	}
	if entries, err := c.Register("TEST").Entries(t.Context()); err != nil || len(entries) != 1 || string(entries[0].Value) != "x" {
		t.Errorf("entries %v, %v", entries, err)
	}
}
