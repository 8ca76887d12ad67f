//go:build unix

package deliver

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A report written over what stands at its path leaves it what it was: as root,
// a rename would make a plain file of /dev/null for the whole machine.
func TestWriteWholeKeepsWhatStands(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	read := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v, want %q", path, got, err, want)
		}
	}

	private := at("private")
	if err := os.WriteFile(private, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := at("link")
	if err := os.Symlink("private", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteWhole(link, []byte("after")); err != nil {
		t.Fatal(err)
	}
	read(private, "after")
	if info, err := os.Lstat(private); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}

	pipe := at("pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	came := make(chan string, 1)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			came <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		came <- string(text)
	}()
	if err := WriteWhole(pipe, []byte("through")); err != nil {
		t.Fatal(err)
	}
	if got := <-came; got != "through" {
		t.Errorf("through the pipe came %q", got)
	}
	if err := WriteWhole(folder, nil); err == nil {
		t.Error("a folder was written over")
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 3 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}
