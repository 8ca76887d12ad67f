package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"hansei/queries"
)

// rebuild moves the store aside and makes it anew from the stream.
func (a *app) rebuild() error {
	if _, err := os.Stat(a.Data); err != nil {
		return fmt.Errorf("rebuild: %w; name the data folder with --data", err)
	}
	f, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	aside := f.store() + ".aside-" + time.Now().UTC().Format("20060102T150405.000")
	for _, end := range []string{"", ".wal"} { // both, or DuckDB would replay the old log into the new file
		err := os.Rename(f.store()+end, aside+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("rebuild: move the store aside: %w", err), f.Close())
		}
		if err == nil {
			fmt.Fprintf(a.out, "moved %s to %s\n", f.store()+end, aside+end)
		}
	}
	p, err := a.openPipeline(f, pipelineOptions{log: a.log})
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	l := newLocal(a.ctx, p)
	return errors.Join(l.rebuilt(a), l.Close())
}

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
	if reach.Messages == 0 {
		fmt.Fprintln(a.out, "the stream holds no messages, so the new store is empty; import the files again, or an export with import --format parquet")
		return nil
	}
	fmt.Fprintf(a.out, "rebuilt from the stream: %d events and %d pieces of bad input, as far as they arrived from %s on\n",
		health.Events, health.Quarantine, reach.From.Format(time.RFC3339))
	if reach.First > 1 {
		fmt.Fprintln(a.out, "what arrived before that has left the stream: it is only in the store moved aside, and in exports and files that you can import again")
	}
	return nil
}
