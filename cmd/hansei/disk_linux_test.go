package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk stops the store and the stream; once there is room again both go
// on by themselves, and every event that was acked is stored once.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=60m"); err != nil {
		t.Skipf("a small disk needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(disk, "data")
	base, _ := startServe(t, data)
	publish := func(from, to int) *exec.Cmd {
		var lines []byte
		for i := from; i < to; i++ {
			e := crashEvent(i)
			e.Detail = strings.Repeat("x", 2000)
			lines = append(e.AppendJSON(lines), '\n')
		}
		path := filepath.Join(t.TempDir(), "events.jsonl")
		if err := os.WriteFile(path, lines, 0o644); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("hansei", "publish", "--data", data, path)
		command.Stderr = os.Stderr
		return command
	}
	if err := publish(0, 2000).Run(); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(disk, "fill")
	chunk := make([]byte, 1<<16)
	f, err := os.Create(fill)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(chunk)
	}
	f.Close()
	second := publish(2000, 6000)
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, func() bool { // it says that it takes nothing
		r, err := http.Get(base + "/healthz")
		return err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusServiceUnavailable
	})
	for _, command := range []string{"doctor", "report"} { // neither waits for room
		out, err := exec.Command("hansei", command, "--data", data).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "No space left on device") {
			t.Errorf("%s on a full disk: %v, %s", command, err, out)
		}
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if err := second.Wait(); err != nil {
		t.Errorf("publish: %v", err)
	}
	waitHealthy(t, base+"/healthz")
	if got := string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*), count(distinct id) from events")); !strings.Contains(got, "6000,6000") {
		t.Errorf("stored %s", got)
	}
}
