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

// clockTrust is how far this machine's clock may be ahead of the last message's
// arrival before it is the clock that is doubted: pauses of a month are rare.
const clockTrust = 31 * day

// A calendar is the time by which events grow old. A clock that jumps ahead by
// years would else delete all history at once: the time is that of the clock, but
// at the start no more than clockTrust after the last message arrived, and from
// then on no faster than time passes.
type calendar struct {
	started time.Time // with its monotonic reading
	behind  time.Duration
}

// calendarFrom begins a calendar at a start; zero: nothing ever arrived.
func calendarFrom(started, arrived time.Time) calendar {
	c := calendar{started: started}
	if latest := arrived.Add(clockTrust); !arrived.IsZero() && started.After(latest) {
		c.behind = started.Sub(latest)
	}
	return c
}

// now returns the time by the calendar, when the clock shows clock.
func (c calendar) now(clock time.Time) time.Time {
	passed := c.started.Add(clock.Sub(c.started)).Add(-c.behind) // by the monotonic clock, where it is read
	if clock = clock.Round(0); clock.Before(passed) {
		return clock
	}
	return passed
}

// expire deletes what is older than keep, now and every day, until ctx ends.
func (p *pipeline) expire(ctx context.Context, keep time.Duration) {
	if keep <= 0 {
		return
	}
	started := time.Now()
	reach, err := p.client.Reach(ctx) // before what comes now
	if err != nil {
		p.log.Debug("the last arrival is not known", "err", err)
	}
	age := calendarFrom(started, reach.To)
	if age.behind > 0 {
		p.log.Warn("the clock is far ahead of the last message: what is older than --keep is judged by that; set the clock, or start serve again once events came",
			"clock", started.UTC().Format(time.RFC3339), "last", reach.To.UTC().Format(time.RFC3339))
	}
	if err := p.catchUp(ctx); err != nil {
		p.log.Debug("deleting before all is stored", "err", err)
	}
	for ctx.Err() == nil {
		pause := expireEvery
		gone, err := p.store.Expire(ctx, age.now(time.Now()).Add(-keep))
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
