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
	maxQueryRows  = 100_000
	maxQueryBytes = 32 << 20 // so many rows of an event each, of 320 bytes
	maxQueryTime  = time.Minute
)

// QueryLimits tells these bounds.
const QueryLimits = "at most 100,000 rows, 32 MiB and a minute"

// A LimitError says that an answer is over a bound, so that there is none.
type LimitError struct{ over, advice string }

// Error says which bound, and what to do.
func (e *LimitError) Error() string {
	return e.over + ", so nothing of it is told (" + QueryLimits + "): " + e.advice
}

var tooLong = &LimitError{"the answer takes too long", "ask about less, such as a month, or for counts"}

// A Table is the answer to a user's query.
type Table struct {
	Columns []string
	Rows    [][]any // strings, numbers, booleans, times; nil is NULL
}

// ErrNotReadOnly says that a user's statement is no single SELECT.
var ErrNotReadOnly = errors.New("only one SELECT or EXPLAIN statement is taken: the store is read-only for queries")

// Query runs a user's SELECT. It cannot write, nor reach files or the network.
// An answer that is over a bound is a *LimitError. What a statement makes within
// one row no bound of DuckDB holds: ask in a process that has one, see [OpenCopy].
func (s *Store) Query(ctx context.Context, statement string) (*Table, error) {
	return s.query(ctx, statement, maxQueryTime)
}

// query is Query with the patience of its own.
func (s *Store) query(ctx context.Context, statement string, patience time.Duration) (*Table, error) {
	if err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	db, err := s.opened()
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	table, err := answer(limited, db, statement)
	var known *duckdb.Error
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return nil, tooLong
	case errors.As(err, &known) && known.Type == duckdb.ErrorTypeOutOfMemory:
		return nil, &LimitError{"the answer takes more memory than --memory gives", "ask about less, such as a month, or for counts, or give more"}
	case errors.As(err, &known) && strings.Contains(known.Msg, queries.TooMuch):
		_, more, _ := strings.Cut(known.Msg, queries.TooMuch)
		return nil, &LimitError{queries.TooMuch + more, "add a LIMIT or WHERE, name fewer columns, or ask for counts"}
	}
	return table, err
}

// answer is what an open database answers to a user's statement.
func answer(ctx context.Context, db *sql.DB, statement string) (*Table, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	t := &Table{}
	var widths []queries.Width
	if err := conn.Raw(func(c any) (err error) { widths, err = t.read(c, statement); return err }); err != nil {
		return nil, err
	}
	err = queries.ReadOnly(ctx, conn, func() error {
		var rows *sql.Rows
		var err error
		if widths == nil {
			rows, err = conn.QueryContext(ctx, statement)
		} else {
			rows, err = queries.BoundedAnswer(ctx, conn, statement, widths, maxQueryRows, maxQueryBytes)
		}
		if known := (*duckdb.Error)(nil); errors.As(err, &known) && known.Type == duckdb.ErrorTypeParser {
			return ErrNotReadOnly // it was parsed, but is none that others can be made of: a PRAGMA that reads
		}
		if err != nil {
			return err
		}
		defer rows.Close()
		return t.take(rows)
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// read checks that the statement is one, and one that reads: the read-only
// transaction alone would not hold a statement that ends it. It takes the names
// of its columns, and returns their widths; nil for an EXPLAIN, whose answer is
// no table and short.
func (t *Table) read(conn any, statement string) ([]queries.Width, error) {
	prepared, err := conn.(driver.Conn).Prepare(statement)
	if err != nil {
		var known *duckdb.Error
		if errors.As(err, &known) {
			return nil, err
		}
		return nil, fmt.Errorf("%w (%v)", ErrNotReadOnly, err)
	}
	defer prepared.Close()
	of := prepared.(*duckdb.Stmt)
	kind, err := of.StatementType()
	if err != nil {
		return nil, err
	}
	if kind != duckdb.STATEMENT_TYPE_SELECT && kind != duckdb.STATEMENT_TYPE_EXPLAIN {
		return nil, ErrNotReadOnly
	}
	columns, err := of.ColumnCount()
	if err != nil {
		return nil, err
	}
	var widths []queries.Width
	for i := range columns {
		name, err := of.ColumnName(i)
		if err != nil {
			return nil, err
		}
		typ, err := of.ColumnType(i)
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, name)
		widths = append(widths, width(typ))
	}
	if kind == duckdb.STATEMENT_TYPE_EXPLAIN {
		return nil, nil
	}
	return widths, nil
}

// width is how the bytes of values of a type are told.
func width(of duckdb.Type) queries.Width {
	switch of {
	case duckdb.TYPE_VARCHAR:
		return queries.Text
	case duckdb.TYPE_BLOB:
		return queries.Bytes
	case duckdb.TYPE_LIST, duckdb.TYPE_STRUCT, duckdb.TYPE_MAP, duckdb.TYPE_ARRAY, duckdb.TYPE_UNION, duckdb.TYPE_BIT,
		duckdb.TYPE_BIGNUM, duckdb.TYPE_GEOMETRY, duckdb.TYPE_VARIANT:
		return queries.Nested
	}
	return queries.Fixed
}

// take takes all rows.
func (t *Table) take(rows *sql.Rows) error {
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	for rows.Next() {
		row := make([]any, len(t.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range row {
			row[i] = plain(v, types[i].DatabaseTypeName())
		}
		t.Rows = append(t.Rows, row)
	}
	return rows.Err()
}

// clocks are the types without a day or without an hour, and how DuckDB writes
// their values: the driver gives all of them as times.
var clocks = map[string]string{"DATE": time.DateOnly, "TIME": "15:04:05.999999"}

// plain turns the driver's own types into what every format can print; nested
// values become their JSON.
func plain(v any, kind string) any {
	switch v := v.(type) {
	case time.Time:
		if layout := clocks[kind]; layout != "" {
			return v.Format(layout)
		}
		return v
	case nil, bool, string, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64:
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
