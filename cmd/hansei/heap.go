package main

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Go's memory is kept under smallHeap while no more than smallLive of it is in
// use. What the embedded server reads of a backlog, 8 MiB at a time, is dead soon
// but held for two collections more: the longer these are apart, the more. So it
// takes 190 MiB in place of 240 to 260, at the same CPU. With more in use, as by
// the ids of half a million messages, collecting that often would cost a third
// more CPU; then [gcPercent] alone holds.
const (
	smallHeap = 192 << 20
	smallLive = smallHeap * 3 / 4
)

// heapCheck is how often it is looked: a bound that does not fit any more costs
// half of the processors' time until then.
const heapCheck = time.Second

// heapLimit is the bound of Go's memory with live bytes of it in use.
func heapLimit(live uint64) int64 {
	if live > smallLive {
		return math.MaxInt64
	}
	return smallHeap
}

// boundHeap keeps Go's memory small until ctx ends, unless GOMEMLIMIT says how.
func boundHeap(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // as it was
	tick := time.NewTicker(heapCheck)
	defer tick.Stop()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for set := int64(0); ; {
		metrics.Read(live)
		if limit := heapLimit(live[0].Value.Uint64()); limit != set {
			debug.SetMemoryLimit(limit) // which stops all goroutines for a moment
			set = limit
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
