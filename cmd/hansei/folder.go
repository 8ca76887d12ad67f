package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A folder is a data folder that this process holds: the stream's files and
// the store stand one process only.
type folder struct {
	path string
	lock *os.File
}

// A runningServer is how to reach the serve that holds a data folder.
type runningServer struct {
	PID  int    `json:"pid"`
	HTTP string `json:"http"` // base URL of its API
	NATS string `json:"nats"` // URL of its NATS server
}

// errStarting says that a serve is there, but waits for NATS itself.
var errStarting = errors.New("hansei serve is starting, and waits for its NATS server")

// A busyError says that a running serve holds the data folder.
type busyError struct {
	path   string
	server runningServer
}

func (e *busyError) Error() string {
	return fmt.Sprintf("data folder %s is in use by hansei serve (pid %d); stop it or use another --data", e.path, e.server.PID)
}

// lockWait is how long a command waits for another short command on the same
// folder. A report of a large store takes a few seconds.
const lockWait = 20 * time.Second

// lockFolder makes the data folder where needed and holds it. When a serve
// holds it, the error is a *busyError.
func lockFolder(ctx context.Context, path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("data folder %s: %w; choose a folder that you may write with --data", path, err)
	}
	f, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil && holdsData(path) {
		return nil, fmt.Errorf("data folder %s: %w; every command first stores what the stream still holds, so it must write there: ask who runs hansei serve for the right, or read a copy of the folder", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("data folder %s: %w; choose a folder that you may write with --data", path, err)
	}
	for deadline := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			held := &folder{path, f}
			return held, errors.Join(held.clean(), held.sweep())
		}
		if server, ok := readServer(path); ok {
			f.Close()
			return nil, &busyError{path, server}
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			f.Close()
			return nil, fmt.Errorf("data folder %s is in use by another process: %w; wait for it or use another --data", path, err)
		}
	}
}

func serverFile(path string) string { return filepath.Join(path, "serve.json") }

func readServer(path string) (runningServer, bool) {
	var s runningServer
	text, err := os.ReadFile(serverFile(path))
	return s, err == nil && json.Unmarshal(text, &s) == nil && s.PID > 0
}

// announce writes how to reach this process; the file appears whole or not at all.
func (f *folder) announce(s runningServer) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	temporary := serverFile(f.path) + ".new"
	if err := os.WriteFile(temporary, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, serverFile(f.path))
}

// clean forgets a serve that has ended or was killed: whoever holds the lock
// knows that it is gone.
func (f *folder) clean() error {
	err := os.Remove(serverFile(f.path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweep deletes what an export or a query that was killed left behind.
func (f *folder) sweep() error {
	entries, err := os.ReadDir(f.path)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), exportFolder) || strings.HasPrefix(entry.Name(), queryFolder) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(f.path, entry.Name())))
		}
	}
	return err
}

func (f *folder) store() string { return storeFile(f.path) }

func storeFile(path string) string { return filepath.Join(path, "hansei.duckdb") }

// holdsData reports whether a data folder has a store, a stream, or a serve
// that is about to make them.
func holdsData(path string) bool {
	for _, name := range []string{storeFile(path), filepath.Join(path, "jetstream"), serverFile(path)} {
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	return false
}

// Close lets the folder go.
func (f *folder) Close() error { return f.lock.Close() }
