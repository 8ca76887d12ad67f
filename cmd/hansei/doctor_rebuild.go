package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"hansei/analyze"
	"hansei/ingest/stream"
	"hansei/queries"
)

// rebuild moves what is damaged of the store aside, and takes what is missing
// from the stream. A store in which nothing is damaged it leaves alone, unless
// forced: the new one would lack what left the stream.
func (a *app) rebuild(force bool) error {
	if _, err := os.Stat(a.Data); err != nil {
		return fmt.Errorf("rebuild: %w; name the data folder with --data", err)
	}
	f, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	carried, err := a.setAside(f, force)
	if err != nil {
		return errors.Join(fmt.Errorf("rebuild: %w", err), f.Close())
	}
	p, err := a.openPipeline(f, pipelineOptions{log: a.log})
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	if err := p.store.Carry(a.ctx, carried); err != nil {
		return errors.Join(fmt.Errorf("rebuild: %w", err), p.Close())
	}
	if n := carried.Decisions(); n > 0 {
		fmt.Fprintf(a.out, "took over %d decisions on suggestions and changes of policies\n", n)
	}
	if n := carried.Losses(); n > 0 {
		fmt.Fprintf(a.out, "took over what is known of %d losses of the stream; hansei doctor lists those of the last 30 days\n", n)
	}
	l := newLocal(a.ctx, p)
	return errors.Join(l.rebuilt(a), l.Close())
}

// setAside moves away what is in the way: of a store that does not open, the
// log of its last writes alone when it opens without that; else the store and
// its log. It returns what the new store is to take over.
func (a *app) setAside(f *folder, force bool) (analyze.Carried, error) {
	if err := writable(f.store()); err != nil {
		return analyze.Carried{}, fmt.Errorf("%w; give this user the right to read and write it", err)
	}
	ending := ".aside-" + time.Now().UTC().Format("20060102T150405.000")
	found, err := a.inspect(f)
	carried := found.carried
	var newer *queries.NewerSchemaError
	switch {
	case errors.As(err, &newer):
		return carried, err
	case err == nil && !force && found.health.Booked():
		return carried, a.nothingDamaged(f, &found.health)
	}
	a.tellBroken(found.broken)
	if err != nil {
		moved, err := a.moveAside(f.store()+".wal", ending)
		if err != nil {
			return carried, err
		}
		if found, err := a.inspect(f); moved && err == nil {
			fmt.Fprintf(a.out, "without the log of its last writes the store opens, with %d events\n", found.health.Events)
			return analyze.Carried{}, nil
		}
	}
	for _, end := range []string{"", ".wal"} { // both, or DuckDB would replay the old log into the new file
		if _, err := a.moveAside(f.store()+end, ending); err != nil {
			return carried, err
		}
	}
	return carried, nil
}

// moveAside renames a file, if it is there.
func (a *app) moveAside(path, ending string) (moved bool, err error) {
	switch err := os.Rename(path, path+ending); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("move the store aside: %w", err)
	}
	fmt.Fprintf(a.out, "moved %s to %s\n", path, path+ending)
	return true, nil
}

// An inspection is what a store that opens holds.
type inspection struct {
	carried analyze.Carried // what another one is to take over
	health  queries.Health
	broken  []*analyze.TableError
}

// inspect opens the store and reads all of it. The error says that it does not
// open, or that not all of it can be read.
func (a *app) inspect(f *folder) (found inspection, err error) {
	if info, err := os.Stat(f.store()); err != nil || info.Size() == 0 {
		return found, errors.Join(err, errNoStore)
	}
	store, err := analyze.Open(a.ctx, f.store(), analyze.Options{Memory: a.Memory})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	found.broken, err = store.ReadAll(a.ctx)
	for _, b := range found.broken {
		err = errors.Join(err, b)
	}
	var errs [2]error
	found.health, errs[0] = queries.StoreHealth(a.ctx, store.Reader(), time.Now())
	found.carried, errs[1] = store.Carried(a.ctx)
	return found, errors.Join(err, errs[0], errs[1])
}

// nothingDamaged refuses to rebuild, and says what that would lose.
func (a *app) nothingDamaged(f *folder, health *queries.Health) error {
	stored, streamed := "nothing", "nothing"
	if health.Events > 0 {
		stored = fmt.Sprintf("%d events, from %s on", health.Events, health.Earliest.Time.UTC().Format(time.RFC3339))
	}
	reach, err := a.reach()
	if err != nil {
		return fmt.Errorf("nothing is damaged in %s; of the stream: %w", f.store(), err)
	}
	if reach.Messages > 0 {
		streamed = fmt.Sprintf("%d messages, which arrived from %s on", reach.Messages, reach.From.Format(time.RFC3339))
	}
	return fmt.Errorf("nothing is damaged, so nothing was moved: %s holds %s; the stream holds %s\na new store would have only what the stream holds; to make it all the same, add --force", f.store(), stored, streamed)
}

// reach asks how far the stream reaches.
func (a *app) reach() (stream.Reach, error) {
	client, err := stream.Open(a.ctx, a.streamOptions(pipelineOptions{log: a.log}))
	if err != nil {
		return stream.Reach{}, err
	}
	defer client.Close()
	return client.Reach(a.ctx)
}

// tellBroken says which tables are lost with a store, and what that means for
// the rest of it: an export reads the events alone.
func (a *app) tellBroken(broken []*analyze.TableError) {
	if len(broken) == 0 {
		return
	}
	events := true
	for _, b := range broken {
		fmt.Fprintf(a.out, "%v\n", b)
		events = events && b.Table != "events"
	}
	if events {
		fmt.Fprintln(a.out, "its events can all be read: an export of the store moved aside has them all")
	}
}

// errNoStore says that the store's file is missing or empty.
var errNoStore = errors.New("there is no store")

// rebuilt waits until everything in the stream is stored, and says how far
// that reaches.
func (l *local) rebuilt(a *app) error {
	if err := l.p.catchUp(a.ctx); err != nil {
		return fmt.Errorf("rebuild: %w; the rest is stored by the next command or by serve", err)
	}
	reach, err := l.p.client.Reach(a.ctx)
	if err != nil {
		return err
	}
	health, err := queries.StoreHealth(a.ctx, l.p.store.Reader(), time.Now())
	if err != nil {
		return err
	}
	if health.Events == 0 && reach.Messages == 0 {
		fmt.Fprintln(a.out, "the stream holds no messages, so the new store is empty; import the files again, or an export with import --format parquet")
		return nil
	}
	fmt.Fprintf(a.out, "rebuilt: %s and %s; the stream reaches back to %s\n",
		counted(health.Events, "event", "events"), piecesOfBadInput(health.Quarantine), reach.From.Format(time.RFC3339))
	if health.Quarantine > 0 {
		fmt.Fprintln(a.out, "bad input that was dropped before is in quarantine again, as far as the stream holds it: see hansei quarantine list, and drop it once more")
	}
	if reach.First > 1 {
		fmt.Fprintln(a.out, "what arrived before that and is not in this store may be in the one moved aside: give that its old name in a folder of its own, export it, and import the export here (hansei export --data FOLDER --to DIR; hansei import --format parquet DIR)")
	}
	return nil
}
