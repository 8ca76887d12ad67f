//go:build duckdb_arrow

package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// Staging says how rows reach DuckDB in this program.
const Staging = "arrow"

// stageRows is how many rows one Arrow record holds: a few of DuckDB's vectors
// of 2,048, so that a batch is never held twice in memory.
const stageRows = 8192

// stage shows rows to SQL as view name, to be read once. It belongs to the
// transaction that is open on conn: done drops the view, which the driver can
// only make a lasting one, before the transaction commits.
func stage[R any](ctx context.Context, conn *sql.Conn, name string, rows []R, columns []column[R]) (done func() error, err error) {
	reader := newReader(rows, columns)
	var release func()
	err = conn.Raw(func(c any) error {
		a, err := duckdb.NewArrowFromConn(c.(driver.Conn))
		if err != nil {
			return err
		}
		release, err = a.RegisterView(reader, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() error {
		defer release()
		return queries.DropStagedView(ctx, conn, name)
	}, nil
}

// A reader gives rows as Arrow records, each made when it is asked for.
type reader[R any] struct {
	rows    []R
	columns []column[R]
	schema  *arrow.Schema
	build   []func([]R) arrow.Array
	record  arrow.RecordBatch
}

var _ array.RecordReader = (*reader[Row])(nil)

func newReader[R any](rows []R, columns []column[R]) *reader[R] {
	r := &reader[R]{rows: rows, columns: columns}
	var fields []arrow.Field
	for i := range columns {
		kind, build := columns[i].arrow()
		fields = append(fields, arrow.Field{Name: columns[i].name, Type: kind, Nullable: true})
		r.build = append(r.build, build)
	}
	r.schema = arrow.NewSchema(fields, nil)
	return r
}

// Schema tells the columns.
func (r *reader[R]) Schema() *arrow.Schema { return r.schema }

// Next makes the record of the next rows, if there are any.
func (r *reader[R]) Next() bool {
	r.Release()
	if len(r.rows) == 0 {
		return false
	}
	n := min(len(r.rows), stageRows)
	arrays := make([]arrow.Array, len(r.build))
	for i, build := range r.build {
		arrays[i] = build(r.rows[:n])
	}
	r.rows = r.rows[n:]
	r.record = array.NewRecordBatch(r.schema, arrays, int64(n))
	for _, a := range arrays {
		a.Release() // the record holds it
	}
	return true
}

// RecordBatch returns what Next made; it is valid until Next is called again.
func (r *reader[R]) RecordBatch() arrow.RecordBatch { return r.record }

// Record is the old name of RecordBatch.
func (r *reader[R]) Record() arrow.RecordBatch { return r.record }

// Err is nil: making a record cannot fail.
func (r *reader[R]) Err() error { return nil }

// Retain does nothing: the rows are the caller's, who outlives the reader.
func (r *reader[R]) Retain() {}

// Release lets the present record go.
func (r *reader[R]) Release() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}

// arrow returns the column's type, and what makes an array of some rows.
func (c *column[R]) arrow() (arrow.DataType, func([]R) arrow.Array) {
	switch pool := memory.DefaultAllocator; {
	case c.text != nil:
		b := array.NewStringBuilder(pool)
		return b.Type(), each(b, func(r *R) {
			if v := c.text(r); v != "" {
				b.Append(v)
			} else {
				b.AppendNull()
			}
		})
	case c.whole != nil:
		b := array.NewInt64Builder(pool)
		return b.Type(), each(b, func(r *R) {
			if v := c.whole(r); v.Known {
				b.Append(v.V)
			} else {
				b.AppendNull()
			}
		})
	case c.real != nil:
		b := array.NewFloat64Builder(pool)
		return b.Type(), each(b, func(r *R) {
			if v := c.real(r); v.Known {
				b.Append(v.V)
			} else {
				b.AppendNull()
			}
		})
	case c.truth != nil:
		b := array.NewBooleanBuilder(pool)
		return b.Type(), each(b, func(r *R) {
			if v, known := c.truth(r); known {
				b.Append(v)
			} else {
				b.AppendNull()
			}
		})
	default:
		b := array.NewTimestampBuilder(pool, arrow.FixedWidthTypes.Timestamp_us.(*arrow.TimestampType))
		return b.Type(), each(b, func(r *R) { b.Append(arrow.Timestamp(c.time(r).UnixMicro())) })
	}
}

// each returns what fills b from rows.
func each[R any](b array.Builder, add func(*R)) func([]R) arrow.Array {
	return func(rows []R) arrow.Array {
		b.Reserve(len(rows))
		for i := range rows {
			add(&rows[i])
		}
		return b.NewArray()
	}
}
