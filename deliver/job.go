package deliver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hansei/ingest/stream"
)

// A job is one run of a deliverer over one edition.
type job struct {
	desk    *Desk
	period  Period
	to      *Deliverer
	key     string // in the register
	edition func() (*Edition, error)

	record   Record // as the register has it
	revision uint64
}

// run delivers when that is due, and reports whether it changed the record.
func (j *job) run(ctx context.Context, o order) (changed bool, err error) {
	e, err := j.desk.Register.Entry(ctx, j.key)
	if err != nil {
		return false, err
	}
	j.revision = e.Revision
	if e.Revision > 0 {
		if j.record, err = parseRecord(e); err != nil {
			return false, err
		}
	}
	due, err := j.due(e, o)
	if !due || err != nil {
		return false, err
	}
	if err := j.claim(ctx, o); errors.Is(err, stream.ErrTaken) && !o.asked {
		return false, nil // another replica was first
	} else if err != nil {
		return false, err
	}
	return true, j.settle(ctx, j.send(ctx))
}

// due reports whether the record, of which e is the entry, is to be worked on.
func (j *job) due(e stream.Entry, o order) (bool, error) {
	r := &j.record
	switch {
	case e.Revision == 0:
		return !o.begun, nil
	case r.State == Claimed && r.By != j.desk.Owner && !j.desk.abandoned(e):
		if o.asked {
			return false, errors.New("another replica is at it")
		}
		return false, nil
	case r.State == Claimed: // left behind
		return true, nil
	case r.State == Sent:
		return o.again || o.asked && j.to.Replaces, nil
	case r.State == Failed:
		return o.asked, nil
	}
	return o.asked || !j.desk.Now().Before(r.Next), nil
}

// claim writes that this replica is at it.
func (j *job) claim(ctx context.Context, o order) error {
	r := j.record
	if r.State == Sent || r.Copy == 0 {
		r.Copy, r.Count = r.Copy+1, 0
	}
	if o.asked {
		r.Count = 0
	}
	r.Kind, r.Period, r.Way, r.To = j.period.Kind, j.period.Name, j.to.Name, j.to.To
	r.State, r.By, r.At, r.Next = Claimed, j.desk.Owner, j.desk.Now().UTC(), time.Time{}
	return j.write(ctx, r)
}

func (j *job) write(ctx context.Context, r Record) error {
	revision, err := j.desk.Register.Set(ctx, j.key, r.text(), j.revision)
	if err != nil {
		return err
	}
	j.record, j.revision = r, revision
	return nil
}

// errMake marks an error of making the edition.
type errMake struct{ error }

// Unwrap returns the cause.
func (e errMake) Unwrap() error { return e.error }

// send makes the edition and delivers it, while the claim is renewed.
func (j *job) send(ctx context.Context) error {
	ctx, cancel := outliving(ctx, endPatience)
	defer cancel()
	ctx, lost := context.WithCancelCause(ctx)
	renewing, stop := context.WithCancel(ctx)
	number := Copy{j.record.Copy, j.desk.Now()}
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		if err := j.renew(renewing); err != nil {
			lost(err)
		}
	}()
	defer func() {
		stop()
		<-renewed
		lost(nil)
	}()
	edition, err := j.edition()
	if err != nil {
		return errMake{err}
	}
	return j.to.Send(ctx, edition, number)
}

// renew writes the claim anew until ctx ends. Its error says that the claim was
// lost. A register that cannot be written may be back before the lease is over.
func (j *job) renew(ctx context.Context) error {
	tick := time.NewTicker(j.desk.lease() / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := j.write(ctx, j.record); errors.Is(err, stream.ErrTaken) {
			return fmt.Errorf("the claim went to another replica: %w", err)
		}
	}
}

// settle writes what became of it. While the register cannot be written that is
// tried again for a while, lest another replica does the work once more.
func (j *job) settle(ctx context.Context, failure error) error {
	r := j.outcome(failure)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settlePatience)
	defer cancel()
	for {
		err := j.write(ctx, r)
		if err == nil {
			return nil
		}
		if entry, seen := j.desk.Register.Entry(ctx, j.key); seen == nil && entry.Revision != j.revision {
			now, unread := parseRecord(entry)
			if unread != nil || now.By != j.desk.Owner {
				return fmt.Errorf("note that it is %s: %w", r.State, err)
			}
			j.revision = entry.Revision // an earlier write of ours whose answer was lost
			continue
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("note that it is %s: %w; it may be delivered once more", r.State, err)
		case <-time.After(time.Second):
		}
	}
}

// outcome is the record after a try.
func (j *job) outcome(failure error) Record {
	r, now := j.record, j.desk.Now().UTC()
	try := Try{At: now, By: j.desk.Owner, Copy: r.Copy}
	r.State, r.At = Sent, now
	if failure != nil {
		try.Error = told(failure.Error())
		r.State, r.Next = j.after(&r, failure, now)
	}
	r.Tries = append(append([]Try{}, r.Tries...), try)
	r.Tries = r.Tries[max(0, len(r.Tries)-maxTries):]
	return r
}

// after says how a record goes on that could not be delivered.
func (j *job) after(r *Record, failure error, now time.Time) (State, time.Time) {
	switch {
	case errors.Is(failure, context.Canceled): // the program ends
		return Waiting, now
	case errors.As(failure, new(errMake)):
		return Waiting, now.Add(makePause)
	}
	r.Count++
	var known *Failure
	errors.As(failure, &known)
	if known != nil && known.Final || r.Count > len(pauses) {
		return Failed, time.Time{}
	}
	pause := pauses[r.Count-1]
	if known != nil {
		pause = max(pause, min(known.After, longestAfter))
	}
	return Waiting, now.Add(pause)
}

// outliving returns a context that ends patience after ctx does: what is under
// way is finished, if that does not take long.
func outliving(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(patience, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}
