// Hansei learns from the errors of AI agents: which were resolved, after how
// many retries, and which retries were worth it.
//
//	hansei demo                       three months of a made-up fleet, and its report
//	hansei serve                      the pipeline, the reports and the API
//	hansei publish events.jsonl       events to the stream
//	hansei import --format agentskills error_log.yaml
//	hansei scan                       the session files of this machine, and their report
//	hansei report --month 2026-01     the monthly report
//	hansei tune --month 2026-01       which retry thresholds to change
//
// Every flag is also an environment variable: --data is HANSEI_DATA. Exit codes
// are 0 done, 1 error, 2 wrong usage, 3 an error was detected (detect).
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped; run it again, and nothing is counted twice")
	}
	if err != nil && !errors.As(err, new(silent)) {
		fmt.Fprintf(os.Stderr, "hansei: %v\n", err)
	}
	os.Exit(exitCode(err))
}

// silent is an exit code without a message: everything was said already.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit %d", int(s)) }

// A usageError is a mistake in the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() + "\nsee hansei help" }
func (e usageError) Unwrap() error { return e.err }

func exitCode(err error) int {
	var code silent
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, new(usageError)):
		return 2
	}
	return 1
}
