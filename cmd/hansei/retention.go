package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An age is a duration of a flag, which may be in days: 400d, 36h, 1d12h.
type age time.Duration

// day is what a d of a flag stands for.
const day = 24 * time.Hour

// UnmarshalText reads an age.
func (a *age) UnmarshalText(text []byte) error {
	days, rest, found := strings.Cut(string(text), "d")
	if !found {
		days, rest = "0", string(text)
	}
	n, err := strconv.ParseUint(days, 10, 16)
	var more time.Duration
	if err == nil && rest != "" {
		more, err = time.ParseDuration(rest)
	}
	if err != nil || more < 0 {
		return fmt.Errorf("%q is no age; write it like 400d, 36h or 1d12h, or 0 for no limit", text)
	}
	*a = age(time.Duration(n)*day + more)
	return nil
}

// A size is a number of bytes of a flag: 8GiB, 500mb, 1048576.
type size int64

// units are the endings of a size, the longer of two that fit first.
var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1}}

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	for _, unit := range units {
		digits, found := strings.CutSuffix(strings.ToUpper(string(text)), strings.ToUpper(unit.name))
		if n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64); found && err == nil && n > 0 && n <= math.MaxInt64/unit.bytes {
			*s = size(n * unit.bytes)
			return nil
		}
	}
	return fmt.Errorf("%q is no size; write it like 8GiB", text)
}

// runBeside runs the pipeline, and tasks beside it for as long.
func (p *pipeline) runBeside(ctx context.Context, tasks ...func(context.Context)) error {
	ctx, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	for _, task := range tasks {
		group.Go(func() { task(ctx) })
	}
	err := p.Run(ctx)
	p.fail(err)
	stop()
	group.Wait()
	return err
}

// How often what is too old is deleted, and how soon that is tried again.
const (
	expireEvery = day
	expireRetry = time.Hour
)

// expire deletes what is older than keep, now and every day, until ctx ends.
func (p *pipeline) expire(ctx context.Context, keep time.Duration) {
	if keep <= 0 {
		return
	}
	if err := p.catchUp(ctx); err != nil {
		p.log.Debug("deleting before all is stored", "err", err)
	}
	for ctx.Err() == nil {
		pause := expireEvery
		gone, err := p.store.Expire(ctx, time.Now().Add(-keep))
		if gone.Events > 0 || gone.Quarantined > 0 {
			p.log.Info("deleted what is older than --keep", "events", gone.Events, "quarantined", gone.Quarantined)
		}
		if err != nil && ctx.Err() == nil {
			p.log.Warn("retention, trying again in an hour", "err", err)
			pause = expireRetry
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}
