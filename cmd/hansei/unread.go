package main

import (
	"errors"
	"fmt"
)

// An unreadError is a file that cannot be read, or not to its end. What was read
// of it is taken, and so are the files behind it.
type unreadError struct{ error }

// Unwrap returns why.
func (e *unreadError) Unwrap() error { return e.error }

// tellUnread says that a file cannot be read when there are others, and counts
// it in unread; any other error is returned.
func (a *app) tellUnread(err error, others bool, unread *int) error {
	var file *unreadError
	if !others || a.ctx.Err() != nil || !errors.As(err, &file) {
		return err
	}
	*unread++
	fmt.Fprintf(a.err, "left out: %v\n", err)
	return nil
}

// unreadFiles is the error of n files that tellUnread counted; nil of none.
func unreadFiles(n int) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("files left out, or read only in part: %d, see above; the others were taken", n)
}
