//go:build !duckdb_arrow

package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// Staging says how rows reach DuckDB in this program.
const Staging = "appender"

// stage shows the first columns of frames to SQL as the temporary table name,
// until done is called. It is for programs that were built without the tag
// duckdb_arrow, and takes three times as long.
func stage(ctx context.Context, conn *sql.Conn, name string, columns []shape, frames []frame) (done func() error, err error) {
	list := make([]queries.StagedColumn, len(columns))
	for i, c := range columns {
		list[i] = queries.StagedColumn{Name: c.name, Type: sqlTypes[c.kind]}
	}
	if err := queries.MakeStagedTable(ctx, conn, name, list); err != nil {
		return nil, err
	}
	err = conn.Raw(func(c any) error {
		a, err := duckdb.NewAppender(c.(driver.Conn), "temp", "main", name)
		if err != nil {
			return err
		}
		for i := range frames {
			if err := frames[i].appendTo(a, columns); err != nil {
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

var sqlTypes = [...]string{kindText: "VARCHAR", kindWhole: "BIGINT", kindReal: "DOUBLE", kindTruth: "BOOLEAN", kindMoment: "TIMESTAMPTZ"}

func (f *frame) appendTo(a *duckdb.Appender, columns []shape) error {
	values := make([]driver.Value, len(columns))
	for i := f.from; i < f.to; i++ {
		for k, c := range columns {
			values[k] = f.columns[k].value(c.kind, i)
		}
		if err := a.AppendRow(values...); err != nil {
			return err
		}
	}
	return nil
}

// value returns row i as the driver takes it.
func (p *packed) value(k kind, i int) driver.Value {
	if !p.is(i) {
		return nil
	}
	switch k {
	case kindText:
		return string(p.textAt(i))
	case kindWhole:
		return int64(p.wordAt(i))
	case kindReal:
		return p.realAt(i)
	case kindTruth:
		return p.truthAt(i)
	}
	return p.timeAt(i)
}
