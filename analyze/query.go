package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// Bounds of the answer to a user's query: more would fit no terminal and no
// page, and a minute is long for a question over a year of events.
const (
	MaxQueryRows  = 100_000
	MaxQueryBytes = 64 << 20
	maxQueryTime  = time.Minute
)

// A Table is the answer to a user's query.
type Table struct {
	Columns []string
	Rows    [][]any // strings, numbers, booleans, times; nil is NULL
	Cut     bool    // there was more than MaxQueryRows or MaxQueryBytes
}

// ErrNotReadOnly says that a user's statement is no single SELECT.
var ErrNotReadOnly = errors.New("only one SELECT or EXPLAIN statement is taken: the store is read-only for queries")

// Query runs a user's SELECT. It cannot write, nor reach files or the network.
func (s *Store) Query(ctx context.Context, statement string) (*Table, error) {
	if err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	db, err := s.opened()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxQueryTime)
	defer cancel()
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
	size := 0
	if t.Columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	for rows.Next() {
		if len(t.Rows) == MaxQueryRows || size > MaxQueryBytes {
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
		for i, v := range row {
			row[i] = plain(v)
			if text, ok := row[i].(string); ok {
				size += len(text)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, rows.Err()
}

// plain turns the driver's own types into what every format can print; nested
// values become their JSON.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, time.Time:
		return v
	case *big.Int:
		return v.String()
	case duckdb.Decimal:
		return v.Float64()
	case duckdb.UUID:
		return v.String()
	case []byte:
		return strings.ToValidUTF8(string(v), "\uFFFD")
	case fmt.Stringer:
		if _, nested := v.(json.Marshaler); !nested {
			return v.String()
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
