package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// rebuild moves what is damaged of the store aside, and takes what is missing
// from the stream.
func (a *app) rebuild() error {
	if _, err := os.Stat(a.Data); err != nil {
		return fmt.Errorf("rebuild: %w; name the data folder with --data", err)
	}
	f, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	carried, err := a.setAside(f)
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
	l := newLocal(a.ctx, p)
	return errors.Join(l.rebuilt(a), l.Close())
}

// setAside moves away what is in the way: of a store that does not open, the
// log of its last writes alone when it opens without that; else the store and
// its log. It returns what the new store is to take over.
func (a *app) setAside(f *folder) (analyze.Carried, error) {
	if err := writable(f.store()); err != nil {
		return analyze.Carried{}, fmt.Errorf("%w; give this user the right to read and write it", err)
	}
	ending := ".aside-" + time.Now().UTC().Format("20060102T150405.000")
	carried, _, err := a.inspect(f)
	var newer *queries.NewerSchemaError
	if errors.As(err, &newer) {
		return carried, err
	}
	if err != nil {
		moved, err := a.moveAside(f.store()+".wal", ending)
		if err != nil {
			return carried, err
		}
		if _, events, err := a.inspect(f); moved && err == nil {
			fmt.Fprintf(a.out, "without the log of its last writes the store opens, with %d events\n", events)
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

// inspect opens the store and returns what another one is to take over, and
// how many events it holds. The error says that it does not open.
func (a *app) inspect(f *folder) (carried analyze.Carried, events int64, err error) {
	if info, err := os.Stat(f.store()); err != nil || info.Size() == 0 {
		return carried, 0, errors.Join(err, errNoStore)
	}
	store, err := analyze.Open(a.ctx, f.store(), analyze.Options{Memory: a.Memory})
	if err != nil {
		return carried, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	health, err := queries.StoreHealth(a.ctx, store.Reader(), time.Now())
	if err != nil {
		return carried, 0, err
	}
	carried, err = store.Carried(a.ctx)
	return carried, health.Events, err
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
	fmt.Fprintf(a.out, "rebuilt: %d events and %d pieces of bad input; the stream reaches back to %s\n",
		health.Events, health.Quarantine, reach.From.Format(time.RFC3339))
	if reach.First > 1 {
		fmt.Fprintln(a.out, "what arrived before that and is not in this store may be in the one moved aside: give that its old name in a folder of its own, export it, and import the export here (hansei export --data FOLDER --to DIR; hansei import --format parquet DIR)")
	}
	return nil
}
