package deliver

import (
	"context"
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
// machine loses power.
func WriteWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".hansei-*")
	if err != nil {
		return fmt.Errorf("write %s: its folder takes no file: %w", path, errors.Unwrap(err))
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
