package deliver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// toFile keeps the editions of all time in a folder. Every store has its own.
func toFile(o Options) ([]Deliverer, error) {
	if o.Folder == "" {
		return nil, nil
	}
	return []Deliverer{{
		To:       o.Folder,
		Key:      "file." + token(o.Store),
		Replaces: true,
		Send: func(_ context.Context, e *Edition, _ Copy) error {
			if err := os.MkdirAll(o.Folder, 0o755); err != nil {
				return fmt.Errorf("make the folder of reports: %w", err)
			}
			for _, f := range e.Files {
				if err := WriteWhole(filepath.Join(o.Folder, f.Name), f.Data); err != nil {
					return err
				}
			}
			return nil
		},
		Show: func(w io.Writer, e *Edition, _ Copy) error {
			for _, f := range e.Files {
				if _, err := fmt.Fprintf(w, "%s, %d bytes\n", filepath.Join(o.Folder, f.Name), len(f.Data)); err != nil {
					return err
				}
			}
			return nil
		},
	}}, nil
}

// WriteWhole writes a file that appears whole or not at all, also when the
// machine loses power. A file that was there keeps its mode, a link still leads
// to the file that is written, and what is no file (a device, a pipe) is written
// to as it is.
func WriteWhole(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	var mode os.FileMode // of the file that was there
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("write %s: it is a folder; name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return writeInto(path, data)
	case err == nil:
		mode = info.Mode().Perm()
	}
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), ".hansei-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: its folder takes no file: %w", path, errors.Unwrap(err))
	}
	_, err = f.Write(data)
	if mode != 0 {
		err = errors.Join(err, f.Chmod(mode))
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// writeInto writes to what stands at path already.
func writeInto(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err // says what was opened
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
