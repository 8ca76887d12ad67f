package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A statement that makes too much within one row ends with an error, and with it
// neither serve nor the machine: whichever process answers.
func TestQueryMemory(t *testing.T) {
	const most = 2<<30 - 1 // what twice 64 MiB and what stands beside come to, and the program
	ask := func(data string) {
		t.Helper()
		command := exec.Command("hansei", "query", "--data", data, "--memory", "64MiB", "SELECT length(repeat('x', 4000000000))")
		text, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(text), "more memory than --memory gives") {
			t.Errorf("%v: %s", err, text)
		}
		if took := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; took > most {
			t.Errorf("it took %d MiB", took>>20)
		}
		left, err := filepath.Glob(filepath.Join(data, queryFolder+"*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
	data := t.TempDir()
	hansei(t, "publish", "--data", data, writeEvents(t, 0, 2))
	ask(data)
	_, serve := startServe(t, data, "--memory", "64MiB")
	ask(data)
	if got := string(hansei(t, "query", "--data", data, "--format", "csv", "select count(*) from events")); !strings.HasSuffix(got, "\n2\n") {
		t.Errorf("afterwards: %s", got)
	}
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Error(err)
	}
	if took := serve.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; took > most {
		t.Errorf("serve took %d MiB", took>>20)
	}
}

// A statement that DuckDB does not end, in the middle of one step, ends with its
// process, for who asked and for who waits behind it.
func TestQueryIsEnded(t *testing.T) {
	data := t.TempDir()
	hansei(t, "publish", "--data", data, writeEvents(t, 0, 1))
	hansei(t, "query", "--data", data, "select 1") // stores it
	o := order{Store: storeFile(data), Memory: "64MiB", SQL: "SELECT regexp_matches(repeat('a', 50000000), '(a?){500}a{500}b')"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	start := time.Now()
	var out bytes.Buffer
	if err := o.ask(ctx, &out); !errors.Is(err, context.DeadlineExceeded) || out.Len() > 0 {
		t.Errorf("%v, %s", err, out.String())
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// What a query that was killed left is deleted by whoever holds the folder next.
func TestQueryLeftBehind(t *testing.T) {
	data := t.TempDir()
	left := filepath.Join(data, queryFolder+"1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := lockFolder(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", left, err)
	}
}
