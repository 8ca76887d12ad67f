package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"hansei/ingest/stream"
)

// DefaultLease is how long a replica that claimed a delivery may be silent
// before another takes it over: many times what a pause of a machine or a
// change of the NATS cluster's leader takes. It renews the claim at a third.
const DefaultLease = time.Minute

// pauses are the waits between tries: short ones for a server that restarts,
// long ones for one that somebody has to repair in the morning; 22 hours in all.
var pauses = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}

// makePause is the wait after an edition could not be made. That is tried
// without end: it says nothing of the addressee.
const makePause = 5 * time.Minute

// longestAfter bounds what another side may ask to wait.
const longestAfter = 24 * time.Hour

// maxTries is how many tries a record keeps.
const maxTries = 20

// endPatience bounds a delivery under way when the program is told to end.
const endPatience = 8 * time.Second

// settlePatience bounds how long the outcome of a delivery is kept for a
// register that cannot be written.
const settlePatience = 30 * time.Second

// A Desk delivers editions. Its fields are set before its methods are called;
// those are safe for concurrent use.
type Desk struct {
	Register   *stream.Register
	Owner      string        // the replica: one process at a time has this name
	Lease      time.Duration // 0: DefaultLease
	Now        func() time.Time
	Location   *time.Location // of the periods
	Deliverers []Deliverer
	// Covers reports whether the store has anything from a period or before it;
	// else there is nothing to report, not even that nothing happened.
	Covers func(ctx context.Context, p Period) (bool, error)
	Make   func(ctx context.Context, p Period) (*Edition, error) // makes the edition of a period

	mu     sync.Mutex
	busy   map[string]bool    // keys that this process is at
	claims map[string]sighted // of other replicas
}

// A sighted is when a claim was first seen as it is. The clocks of two machines
// differ, so a claim's age is measured by whoever waits for it.
type sighted struct {
	revision uint64
	at       time.Time
}

// Round delivers what is due, and what of earlier rounds is to be tried again or
// was left behind by a replica that died. It returns the records that it
// changed. Errors of deliverers are in the records; the error is one of the
// register.
func (d *Desk) Round(ctx context.Context, due []Period) (changed []Record, err error) {
	begun, err := d.unfinished(ctx)
	done := map[string]bool{}
	deliver := func(periods []Period, o order) {
		for _, p := range periods {
			if done[p.String()] || ctx.Err() != nil {
				continue
			}
			done[p.String()] = true
			records, failed := d.deliver(ctx, p, o)
			changed, err = append(changed, records...), errors.Join(err, failed)
		}
	}
	deliver(due, order{})
	deliver(begun, order{begun: true})
	return changed, err
}

// Keep makes what was not made of earlier periods, for the ways that keep
// reports: nobody wants a mail for each month that the program was down. It
// returns the records that it changed.
func (d *Desk) Keep(ctx context.Context, periods []Period) (changed []Record, err error) {
	for _, p := range periods {
		records, failed := d.deliver(ctx, p, order{kept: true})
		changed, err = append(changed, records...), errors.Join(err, failed)
	}
	return changed, err
}

// unfinished returns the periods that have records which are neither sent nor
// failed for good, of the deliverers that d has: the record of an addressee who
// was taken off the list would bring its period up without end, and to everyone
// who is added later.
func (d *Desk) unfinished(ctx context.Context) (periods []Period, err error) {
	entries, err := d.Register.Entries(ctx)
	for _, e := range entries {
		r, failed := parseRecord(e)
		var p Period
		if failed == nil {
			p, failed = ParsePeriod(r.Kind, r.Period, d.Location)
		}
		err = errors.Join(err, failed)
		ours := slices.ContainsFunc(d.Deliverers, func(to Deliverer) bool { return keyOf(p, &to) == e.Key })
		if ours && (r.State == Claimed || r.State == Waiting) {
			periods = append(periods, p)
		}
	}
	return periods, err
}

// keyOf is the key of a delivery in the register.
func keyOf(p Period, to *Deliverer) string { return p.String() + "." + to.Key }

// An order says what is delivered to whom. The zero value is what is due to all.
type order struct {
	begun bool // only what was begun before
	kept  bool // only to ways that keep reports, which a copy replaces
	asked bool // files are made anew; what waits or failed is tried at once
	again bool // also what was sent is sent once more
}

// Deliver delivers the edition of p now, because someone asked: the file is
// made anew, and what was sent goes out once more only with again. It returns
// the records of all deliverers, changed or not.
func (d *Desk) Deliver(ctx context.Context, p Period, again bool) ([]Record, error) {
	return d.deliver(ctx, p, order{asked: true, again: again})
}

// deliver hands the edition of p, which is made at most once, to the
// deliverers that are due.
func (d *Desk) deliver(ctx context.Context, p Period, o order) (records []Record, err error) {
	if covers, err := d.Covers(ctx, p); err != nil || !covers && !o.asked {
		return nil, err
	} else if !covers {
		return nil, ErrNothing
	}
	edition := sync.OnceValues(func() (*Edition, error) { return d.made(ctx, p) })
	for i := range d.Deliverers {
		if ctx.Err() != nil {
			return records, errors.Join(err, ctx.Err())
		}
		if o.kept && !d.Deliverers[i].Replaces {
			continue
		}
		job := job{desk: d, period: p, to: &d.Deliverers[i], key: keyOf(p, &d.Deliverers[i]), edition: edition}
		if !d.begin(job.key) {
			if o.asked {
				err = errors.Join(err, fmt.Errorf("%s to %s is under way", p.Name, job.to.To))
			}
			continue
		}
		changed, failed := job.run(ctx, o)
		d.end(job.key)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s to %s: %w", p.Name, job.to.To, failed))
		}
		if job.record.State != "" && (changed || o.asked) {
			records = append(records, job.record)
		}
	}
	return records, err
}

func (d *Desk) begin(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[key] {
		return false
	}
	if d.busy == nil {
		d.busy = map[string]bool{}
	}
	d.busy[key] = true
	return true
}

func (d *Desk) end(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, key)
}

func (d *Desk) lease() time.Duration {
	if d.Lease > 0 {
		return d.Lease
	}
	return DefaultLease
}

// abandoned reports whether the claim of another replica has been the same for
// as long as a lease.
func (d *Desk) abandoned(e stream.Entry) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.Now()
	if seen, ok := d.claims[e.Key]; ok && seen.revision == e.Revision {
		return now.Sub(seen.at) >= d.lease()
	}
	if d.claims == nil {
		d.claims = map[string]sighted{}
	}
	d.claims[e.Key] = sighted{e.Revision, now}
	return false
}

// made makes the edition of p. A panic there is its error: a report that cannot
// be made is tried again later, and does not end the program that stores events.
func (d *Desk) made(ctx context.Context, p Period) (_ *Edition, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("make the report of %s: panic: %v\n%s", p.Name, cause, debug.Stack())
		}
	}()
	return d.Make(ctx, p)
}

// Show writes what would be sent to whom, and sends nothing.
func (d *Desk) Show(ctx context.Context, p Period, w io.Writer) error {
	if covers, err := d.Covers(ctx, p); err != nil {
		return err
	} else if !covers {
		return ErrNothing
	}
	edition, err := d.made(ctx, p)
	if err != nil {
		return err
	}
	for i := range d.Deliverers {
		to := &d.Deliverers[i]
		fmt.Fprintf(w, "--- %s: %s\n", to.Name, to.To)
		if err := to.Show(w, edition, Copy{1, d.Now()}); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// ErrNothing says that there is no edition to deliver.
var ErrNothing = errors.New("the store has nothing from that time or before, so there is nothing to report")
