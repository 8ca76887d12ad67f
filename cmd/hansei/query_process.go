package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"syscall"
	"time"

	"hansei/analyze"
)

// A user's query is answered by a process of its own, which reads a copy of the
// store: what a statement makes within one row DuckDB neither bounds nor ends.
// That process has a bound of memory that the system keeps, and can be killed.

// answerCmd is that process. Its stdin is an order, and stays open for as long as
// anybody waits.
type answerCmd struct{}

// An order is what the process is asked.
type order struct{ Store, Memory, SQL, Format string }

// A noAnswer is the last line of its stderr, where there is no answer. Anything
// else there is of a process that broke down.
type noAnswer struct {
	Usage bool // the statement is at fault
	Error string
}

// Run prints the rows.
func (answerCmd) Run(a *app) error {
	orders := json.NewDecoder(a.in)
	var o order
	if err := orders.Decode(&o); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, a.in) // until nobody waits any more
		os.Exit(1)
	}()
	err := o.answer(a.ctx, a.out)
	if err == nil {
		return nil
	}
	told := noAnswer{Error: err.Error()}
	if usage := (usageError{}); errors.As(err, &usage) {
		told = noAnswer{Usage: true, Error: usage.err.Error()}
	}
	return errors.Join(json.NewEncoder(a.err).Encode(told), silent(1))
}

func (o *order) answer(ctx context.Context, w io.Writer) (err error) {
	if err := boundData(o.Memory); err != nil {
		return err
	}
	store, err := analyze.OpenCopy(ctx, o.Store, analyze.Options{Memory: o.Memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	table, err := store.Query(ctx, o.SQL)
	if errors.As(err, new(*analyze.LimitError)) {
		return err
	}
	if err != nil {
		return usageError{fmt.Errorf("query: %w", err)}
	}
	return writeTable(w, table, o.Format)
}

// beside is what the process may have besides twice DuckDB's memory: the program
// itself, and an answer of the most rows in all its forms.
const beside = 1 << 30

// boundData makes the system give this process no more memory than a query needs
// under DuckDB's limit: a statement that wants more ends, or the process does. On
// macOS it does nothing, and only the time of a query is bounded.
func boundData(memory string) error {
	var limit size
	if err := limit.UnmarshalText([]byte(memory)); err != nil {
		return err
	}
	var bound syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &bound); err != nil {
		return err
	}
	bound.Cur = min(bound.Max, 2*uint64(limit)+beside)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // where the machine has less, Linux ends this process before others
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &bound)
}

// queryFolder begins the name of the folder in which a copy of the store is made.
const queryFolder = ".hansei-query-"

// answerQuery has a user's statement answered.
func answerQuery(ctx context.Context, p *pipeline, values url.Values, w io.Writer) (err error) {
	p.asking.Lock() // each takes as much memory as the store
	defer p.asking.Unlock()
	if err := ctx.Err(); err != nil {
		return err // who asked has gone meanwhile
	}
	folder, err := os.MkdirTemp(p.folder.path, queryFolder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	o := order{Store: storeFile(folder), Memory: p.store.Memory(), SQL: values.Get("sql"), Format: values.Get("format")}
	if err := p.store.CopyTo(ctx, o.Store); err != nil {
		return err
	}
	return o.ask(ctx, w)
}

// ask runs the process.
func (o *order) ask(ctx context.Context, w io.Writer) error {
	limited, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	program, err := thisProgram()
	if err != nil {
		return err
	}
	command := exec.CommandContext(limited, program, "answer")
	command.Args[0] = "hansei"
	command.Env = []string{} // it needs none, and a token is none of its business
	var answer, words bytes.Buffer
	command.Stdout, command.Stderr = &answer, &words
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start a process for the query: %w", err)
	}
	_ = json.NewEncoder(in).Encode(o) // a process that does not take it ends, and says why
	err = command.Wait()
	var told noAnswer
	switch {
	case err == nil:
		_, err = w.Write(answer.Bytes())
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("the query was ended after %v, in the middle of a step that takes so long: ask about less", queryPatience)
	case json.Unmarshal(words.Bytes(), &told) != nil:
		return fmt.Errorf("the process of the query broke down (%v), mostly for want of memory: ask about less, or for counts, or give more --memory; it said %.200q", err, words.Bytes())
	case told.Usage:
		return usageError{errors.New(told.Error)}
	}
	return errors.New(told.Error)
}

// queryPatience is how long the process may take: a minute, in which it ends most
// statements itself, and what it takes to begin and to end.
const queryPatience = 65 * time.Second

// thisProgram is what runs now: its file may have been replaced by that of a newer
// version.
func thisProgram() (string, error) {
	const running = "/proc/self/exe" // Linux has it
	if _, err := os.Stat(running); err == nil {
		return running, nil
	}
	return os.Executable()
}
