package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// CopyTo copies the store's file and its log to path, as they are between two
// transactions; the incidents tell of every event. Another process can read the
// copy, while DuckDB lets only one have the file itself. Nothing is written to the
// store meanwhile; where the file system can, the copy shares the file's blocks.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	if err := s.Refresh(ctx); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return s.closed()
	}
	for _, end := range []string{"", ".wal"} {
		if err := copyFile(s.path+end, path+end); err != nil && !(end != "" && errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("copy the store for a query: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// OpenCopy opens what [Store.CopyTo] made, for [Store.Query] and readers alone.
// The caller closes it, and deletes it.
func OpenCopy(ctx context.Context, path string, o Options) (*Store, error) {
	s := &Store{path: path, options: o}
	settings := o.settings()
	settings.Set("access_mode", "read_only")
	settings.Set("max_temp_directory_size", mostSpilled)
	var err error
	if s.db, err = openDuckDB(ctx, path, settings); err != nil {
		return nil, fmt.Errorf("open the copy %s: %w", path, err)
	}
	return s, nil
}

// mostSpilled is what a user's query may write to disk where its memory does not
// do: twice the default of that. DuckDB's own bound is nine tenths of the disk.
const mostSpilled = "1GiB"

// Memory returns DuckDB's memory limit, as the store was opened with it.
func (s *Store) Memory() string { return cmp.Or(s.options.Memory, DefaultMemory) }
