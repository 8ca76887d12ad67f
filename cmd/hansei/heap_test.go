package main

import (
	"context"
	"math"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// Little in use is kept small, and what needs more is not collected for ever.
func TestHeapLimit(t *testing.T) {
	for _, test := range []struct {
		live uint64
		want int64
	}{{0, smallHeap}, {smallLive, smallHeap}, {smallLive + 1, math.MaxInt64}, {math.MaxUint64, math.MaxInt64}} {
		if got := heapLimit(test.live); got != test.want {
			t.Errorf("with %d bytes in use the bound is %d, want %d", test.live, got, test.want)
		}
	}
}

// The bound follows what is in use, ends with the work, and leaves GOMEMLIMIT be.
func TestBoundHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	run := func() (during int64) {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); boundHeap(ctx) }()
			time.Sleep(2 * heapCheck)
			during = debug.SetMemoryLimit(-1)
			stop()
			<-done
		})
		return during
	}
	if got := run(); got != smallHeap {
		t.Errorf("the bound is %d, want %d", got, smallHeap)
	}
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the bound is %d behind the work, want %d", got, before)
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	if got := run(); got != before {
		t.Errorf("with GOMEMLIMIT the bound is %d, want %d", got, before)
	}
}
