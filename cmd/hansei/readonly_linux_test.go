package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A store that became read-only, as when a disk has errors, is an error that
// names it; nothing is lost once it can be written again.
func TestReadOnlyStore(t *testing.T) {
	if !chaos() {
		t.Skip("only with make chaos")
	}
	data := t.TempDir()
	hansei(t, "import", "--data", data, "--format", "hansei", writeEvents(t, 0, 500))
	before := reportOf(t, data)
	file := filepath.Join(data, "hansei.duckdb")
	writable := readOnly(t, file)
	out, err := exec.Command("hansei", "report", "--data", data, "--month", "2026-01").CombinedOutput()
	if err == nil || !strings.Contains(string(out), file) {
		t.Errorf("a read-only store: %v, %s", err, out)
	}
	publish := exec.Command("hansei", "publish", "--data", data, writeEvents(t, 500, 600)) // it needs the stream alone
	if text, err := publish.CombinedOutput(); err != nil {
		t.Errorf("publish: %v, %s", err, text)
	}
	writable()
	hansei(t, "import", "--data", data, "--format", "hansei", writeEvents(t, 0, 500))
	got := hansei(t, "query", "--data", data, "--format", "csv", "select count(*) from events")
	if !strings.HasSuffix(strings.TrimSpace(string(got)), "\n600") {
		t.Errorf("stored %s", got)
	}
	if bytes.Equal(before, reportOf(t, data)) {
		t.Error("what was published meanwhile is not in the report")
	}
}

// readOnly makes a file read-only until the function that it returns is called.
func readOnly(t *testing.T, file string) (undo func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.Chmod(file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := bindReadOnly(file) // nothing else holds the superuser
	if err != nil {
		t.Skipf("a read-only file needs the right to mount: %v", err)
	}
	undone := false
	undo = func() {
		if !undone {
			undone = true
			if err := syscall.Unmount(file, 0); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(undo)
	return undo
}

// bindReadOnly mounts a file over itself, read-only.
func bindReadOnly(file string) error {
	if err := syscall.Mount(file, file, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	return syscall.Mount("", file, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}
