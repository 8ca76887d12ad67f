package main

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// exportCmd writes the store's events as Parquet.
type exportCmd struct {
	To string `help:"Folder to write to, by year= and month=; it is made, or empty." required:"" placeholder:"DIR"`
}

// An exported is what export prints.
type exported struct {
	Events        int64   `json:"events"`
	Files         int64   `json:"files"`
	Bytes         int64   `json:"bytes"`
	BytesPerEvent float64 `json:"bytes_per_event"`
}

// Run exports. The files come as one archive, from a running serve as well, so
// that a serve never writes outside its own folder.
func (c *exportCmd) Run(a *app) error {
	if entries, err := os.ReadDir(c.To); err == nil && len(entries) > 0 {
		return fmt.Errorf("--to %s: the folder holds files already, which would mix with those of this export; name an empty or a new one", c.To)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--to %s: %w", c.To, err)
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	in, out := io.Pipe()
	unpacked := make(chan error, 1)
	go func() {
		err := unpack(in, c.To)
		in.CloseWithError(err) // nil lets the rest of the archive be written to nobody
		unpacked <- err
	}()
	err = b.get(a.ctx, "export", url.Values{}, out)
	out.CloseWithError(err)
	if err = errors.Join(err, <-unpacked, b.Close()); err != nil {
		return err
	}
	sum, err := measure(c.To)
	if err != nil {
		return err
	}
	return json.NewEncoder(a.out).Encode(sum)
}

// exportFolder begins the name of the folder in which an export is made. One
// that a killed program left behind is deleted by whoever holds the data folder next.
const exportFolder = ".hansei-export-"

// answerExport writes the files into a folder of the data folder's own, and
// from there as a tar archive to w.
func answerExport(ctx context.Context, p *pipeline, _ url.Values, w io.Writer) (err error) {
	folder, err := os.MkdirTemp(p.folder.path, exportFolder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	out, err := p.store.Export(ctx, folder)
	if err != nil {
		return err
	}
	text, err := json.Marshal(exported{Events: out.Events, Files: out.Files, Bytes: out.Bytes, BytesPerEvent: float64(out.Bytes) / float64(max(out.Events, 1))})
	if err != nil {
		return err
	}
	archive := tar.NewWriter(w)
	if err := archive.AddFS(os.DirFS(folder)); err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: exportSum, Mode: 0o644, Size: int64(len(text))}); err != nil {
		return err
	}
	if _, err := archive.Write(text); err != nil {
		return err
	}
	return archive.Close()
}

// exportSum is the file of the archive that tells what was written; it comes
// last, so an archive without it is not whole.
const exportSum = "export.json"

func tarMedia(url.Values) string { return "application/x-tar" }

// unpack writes the files of the archive in into folder. Names that would
// leave the folder are refused.
func unpack(in io.Reader, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	archive := tar.NewReader(in)
	whole := false
	for {
		header, err := archive.Next()
		if err == io.EOF && whole {
			return nil
		}
		if err == io.EOF {
			return errors.New("the export ended too early; what was written is not whole, delete it and try again")
		}
		if err != nil {
			return err
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		whole = header.Name == exportSum
		if err := unpackFile(root, header.Name, archive); err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, name string, in io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	return errors.Join(err, f.Close())
}

// measure reads what the export says it wrote.
func measure(folder string) (sum exported, err error) {
	text, err := os.ReadFile(filepath.Join(folder, exportSum))
	if err != nil {
		return sum, err
	}
	return sum, json.Unmarshal(text, &sum)
}

// parquetFiles lists the Parquet files of files and folders, in the order of their names.
func parquetFiles(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, path)
			continue
		}
		var found []string
		err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(name, ".parquet") {
				found = append(found, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s holds no file that ends in .parquet", path)
		}
		slices.Sort(found)
		out = append(out, found...)
	}
	return out, nil
}
