package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// MaxQueryRows bounds the answer to a user's query: more is what export is
// for, and would not fit a terminal or a page.
const MaxQueryRows = 100_000

// A Table is the answer to a user's query.
type Table struct {
	Columns []string
	Rows    [][]any // as the driver returns them; nil is NULL
	Cut     bool    // there were more than MaxQueryRows
}

// ErrNotReadOnly says that a user's statement is no single SELECT.
var ErrNotReadOnly = errors.New("only one SELECT or EXPLAIN statement is taken: the store is read-only for queries")

// Query runs a user's SELECT. It cannot write, nor reach files or the network.
func (s *Store) Query(ctx context.Context, statement string) (*Table, error) {
	s.mu.RLock()
	db := s.db
	s.mu.RUnlock()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.Raw(func(c any) error { return readOnly(c, statement) }); err != nil {
		return nil, err
	}
	var table *Table
	err = queries.ReadOnly(ctx, conn, func() error {
		var err error
		table, err = readTable(ctx, conn, statement)
		return err
	})
	return table, err
}

// readOnly checks that the statement is one, and one that reads: the read-only
// transaction alone would not hold a statement that ends it.
func readOnly(conn any, statement string) error {
	prepared, err := conn.(driver.Conn).Prepare(statement)
	if err != nil {
		var known *duckdb.Error
		if errors.As(err, &known) {
			return err
		}
		return fmt.Errorf("%w (%v)", ErrNotReadOnly, err)
	}
	defer prepared.Close()
	kind, err := prepared.(*duckdb.Stmt).StatementType()
	if err != nil {
		return err
	}
	if kind != duckdb.STATEMENT_TYPE_SELECT && kind != duckdb.STATEMENT_TYPE_EXPLAIN {
		return ErrNotReadOnly
	}
	return nil
}

func readTable(ctx context.Context, conn *sql.Conn, statement string) (*Table, error) {
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t := &Table{}
	if t.Columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	for rows.Next() {
		if len(t.Rows) == MaxQueryRows {
			t.Cut = true
			return t, nil
		}
		row := make([]any, len(t.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, rows.Err()
}
