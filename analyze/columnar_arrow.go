//go:build duckdb_arrow

package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// columnar is a reader of the store that hands over rows from Arrow's columns.
type columnar struct{ *sql.DB }

// columnarConn is a connection of a columnar.
type columnarConn struct{ *sql.Conn }

var (
	_ queries.Columnar = columnar{}
	_ queries.Columnar = columnarConn{}
)

// EachRow is [queries.Columnar.EachRow].
func (c columnar) EachRow(ctx context.Context, query string, args, into []any, f func() error) (err error) {
	conn, err := c.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return columnarConn{conn}.EachRow(ctx, query, args, into, f)
}

// EachRow is [queries.Columnar.EachRow].
func (c columnarConn) EachRow(ctx context.Context, query string, args, into []any, f func() error) error {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg
		if named, ok := arg.(sql.NamedArg); ok { // Arrow's interface takes none
			values[i] = named.Value
		}
	}
	return c.Raw(func(dc any) error {
		a, err := duckdb.NewArrowFromConn(dc.(driver.Conn))
		if err != nil {
			return err
		}
		reader, err := a.QueryContext(ctx, query, values...)
		if err != nil {
			return err
		}
		defer reader.Release()
		for reader.Next() {
			if err := eachOf(reader.RecordBatch(), into, f); err != nil {
				return err
			}
		}
		return reader.Err()
	})
}

// eachOf calls f with each row of a batch.
func eachOf(batch arrow.RecordBatch, into []any, f func() error) error {
	if int(batch.NumCols()) != len(into) {
		return fmt.Errorf("%d columns for %d fields", batch.NumCols(), len(into))
	}
	set := make([]func(row int), len(into))
	for i := range into {
		if set[i] = setter(batch.Column(i), into[i]); set[i] == nil {
			return fmt.Errorf("column %s: %s for a %T", batch.ColumnName(i), batch.Column(i).DataType(), into[i])
		}
	}
	for row := range int(batch.NumRows()) {
		for _, s := range set {
			s(row)
		}
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// setter returns what writes a row of a column to where into points; nil: the
// types do not fit.
func setter(column arrow.Array, into any) func(row int) {
	switch p := into.(type) {
	case *string:
		if c, ok := column.(*array.String); ok {
			seen := map[string]string{} // of names the same few come again and again
			return func(row int) {
				v := c.Value(row)
				name, ok := seen[v]
				if !ok {
					name = strings.Clone(v) // the batch's bytes go with it
					seen[name] = name
				}
				*p = name
			}
		}
	case *sql.RawBytes:
		switch c := column.(type) {
		case *array.String:
			all, ends := c.ValueBytes(), c.ValueOffsets()
			return func(row int) { *p = all[ends[row]-ends[0] : ends[row+1]-ends[0]] }
		case *array.Binary:
			return func(row int) { *p = c.Value(row) }
		}
	case *bool:
		if c, ok := column.(*array.Boolean); ok {
			return func(row int) { *p = c.Value(row) }
		}
	case *int64:
		if c, ok := column.(*array.Int64); ok {
			return func(row int) { *p = c.Value(row) }
		}
	case *uint64:
		if c, ok := column.(*array.Uint64); ok {
			return func(row int) { *p = c.Value(row) }
		}
	case *time.Time:
		if c, ok := column.(*array.Timestamp); ok {
			return func(row int) { *p = time.UnixMicro(int64(c.Value(row))).UTC() }
		}
	case *sql.Null[int64]:
		if c, ok := column.(*array.Int64); ok {
			return func(row int) {
				if *p = (sql.Null[int64]{}); c.IsValid(row) {
					*p = sql.Null[int64]{V: c.Value(row), Valid: true}
				}
			}
		}
	case *sql.Null[float64]:
		if c, ok := column.(*array.Float64); ok {
			return func(row int) {
				if *p = (sql.Null[float64]{}); c.IsValid(row) {
					*p = sql.Null[float64]{V: c.Value(row), Valid: true}
				}
			}
		}
	}
	return nil
}
