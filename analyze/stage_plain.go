//go:build !duckdb_arrow

package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/ingest"
	"hansei/queries"
)

// Staging says how rows reach DuckDB in this program.
const Staging = "appender"

// stage shows rows to SQL as the temporary table name, until done is called.
// It is for programs that were built without the tag duckdb_arrow, and takes
// three times as long.
func stage[R any](ctx context.Context, conn *sql.Conn, name string, rows []R, columns []column[R]) (done func() error, err error) {
	shape := make([]queries.StagedColumn, len(columns))
	for i := range columns {
		shape[i] = queries.StagedColumn{Name: columns[i].name, Type: columns[i].sql()}
	}
	if err := queries.MakeStagedTable(ctx, conn, name, shape); err != nil {
		return nil, err
	}
	err = conn.Raw(func(c any) error {
		a, err := duckdb.NewAppender(c.(driver.Conn), "temp", "main", name)
		if err != nil {
			return err
		}
		values := make([]driver.Value, len(columns))
		for i := range rows {
			for k := range columns {
				values[k] = columns[k].value(&rows[i])
			}
			if err := a.AppendRow(values...); err != nil {
				return errors.Join(err, a.Close())
			}
		}
		return a.Close()
	})
	if err != nil {
		return nil, err
	}
	return func() error { return queries.DropStagedTable(ctx, conn, name) }, nil
}

// sql returns the column's type.
func (c *column[R]) sql() string {
	switch {
	case c.text != nil:
		return "VARCHAR"
	case c.whole != nil:
		return "BIGINT"
	case c.real != nil:
		return "DOUBLE"
	case c.truth != nil:
		return "BOOLEAN"
	}
	return "TIMESTAMPTZ"
}

// value returns what r has in the column, as the driver takes it.
func (c *column[R]) value(r *R) driver.Value {
	switch {
	case c.text != nil:
		if v := c.text(r); v != "" {
			return v
		}
	case c.whole != nil:
		return nullable(c.whole(r))
	case c.real != nil:
		return nullable(c.real(r))
	case c.truth != nil:
		if v, known := c.truth(r); known {
			return v
		}
	default:
		return c.time(r)
	}
	return nil
}

func nullable[T int64 | float64](v ingest.Opt[T]) driver.Value {
	if !v.Known {
		return nil
	}
	return v.V
}
