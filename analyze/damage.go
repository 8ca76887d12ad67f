package analyze

import (
	"context"
	"fmt"
	"strings"

	"hansei/queries"
)

// A TableError says that a table cannot be read whole.
type TableError struct {
	Table string
	Err   error
}

// Error names the table and what DuckDB says.
func (e *TableError) Error() string {
	return fmt.Sprintf("table %s cannot be read: %v", e.Table, e.Err)
}

// Unwrap returns the driver's error.
func (e *TableError) Unwrap() error { return e.Err }

// ReadAll reads every block of every table, and returns what cannot be read.
// The error is about the asking. Blocks that are in memory are not read again.
func (s *Store) ReadAll(ctx context.Context) ([]*TableError, error) {
	db := s.Reader()
	tables, err := queries.Tables(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("store %s: list its tables: %w", s.path, err)
	}
	var broken []*TableError
	for _, table := range tables {
		if err := queries.ReadTable(ctx, db, table); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			broken = append(broken, &TableError{table, err})
		}
	}
	return broken, nil
}

// damages are what DuckDB says of a file that is not as it wrote it. It gives
// such errors no kind of their own: that is the one of a full disk as well.
var damages = []string{"Corrupt database file", "Could not read enough bytes from file"}

// Damaged reports whether err says that the store's file is damaged, though it opened.
func Damaged(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	for _, damage := range damages {
		if strings.Contains(text, damage) {
			return true
		}
	}
	return false
}

// outOfMemory begins what DuckDB says where its memory limit does not suffice;
// rows that come as Arrow's lose the kind of the error.
const outOfMemory = "Out of Memory Error: "

// OutOfMemory reports whether err says that [Options.Memory] is too little.
func OutOfMemory(err error) bool {
	return err != nil && strings.Contains(err.Error(), outOfMemory)
}
