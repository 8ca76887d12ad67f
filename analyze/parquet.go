package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/ingest"
	"hansei/queries"
)

// exportRows is how many events one file holds at most: eight row groups, so
// that a busy month never stands in memory whole.
const exportRows = 8 * 122_880

// An Exported counts what [Store.Export] wrote.
type Exported struct{ Events, Files, Bytes int64 }

// Export writes the events with their public columns into folder, which is
// there and empty, as year=2026/month=01/events-0.parquet. The store's own
// connections reach no file; a second database does the writing, which holds
// one file's events at a time and reaches that folder only.
func (s *Store) Export(ctx context.Context, folder string) (Exported, error) {
	out, err := s.export(ctx, folder)
	if err != nil {
		return out, fmt.Errorf("store %s: export to %s: %w", s.path, folder, err)
	}
	return out, nil
}

func (s *Store) export(ctx context.Context, folder string) (out Exported, err error) {
	_ = s.Refresh(ctx) // incidents decide the order only: events can be saved where they cannot be made
	db, err := s.opened()
	if err != nil {
		return out, err
	}
	tx, err := db.BeginTx(ctx, nil) // one state of the store for all files
	if err != nil {
		return out, err
	}
	defer tx.Rollback() // it only reads
	writer, done, err := openFolder(ctx, folder, s.Memory())
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, done()) }()
	months, err := queries.ExportMonths(ctx, tx)
	if err != nil {
		return out, err
	}
	for _, month := range months {
		month = month.UTC()
		span := queries.Month(month.Year(), month.Month(), time.UTC)
		part := filepath.Join(folder, fmt.Sprintf("year=%d", month.Year()), fmt.Sprintf("month=%02d", month.Month()))
		if err := exportMonth(ctx, tx, writer, span, part, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// exportMonth writes the files of one month.
func exportMonth(ctx context.Context, tx *sql.Tx, writer *sql.Conn, span queries.Span, folder string, out *Exported) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var file *exportFile
	number := 0
	err := queries.EachExported(ctx, tx, span, func(row []any) (err error) {
		if file == nil {
			path := filepath.Join(folder, fmt.Sprintf("events-%d.parquet", number))
			if file, err = openExport(ctx, writer, path); err != nil {
				return err
			}
			number++
		}
		if err := file.append(row); err != nil {
			return err
		}
		if file.rows == exportRows {
			err, file = file.write(ctx, out), nil
		}
		return err
	})
	if file != nil {
		err = errors.Join(err, file.write(ctx, out))
	}
	return err
}

// An exportFile is a file whose events are being gathered.
type exportFile struct {
	conn     *sql.Conn
	path     string
	rows     int64
	appender *duckdb.Appender
	values   []driver.Value
}

func openExport(ctx context.Context, conn *sql.Conn, path string) (*exportFile, error) {
	if err := queries.MakeExportTable(ctx, conn); err != nil {
		return nil, err
	}
	f := &exportFile{conn: conn, path: path}
	return f, conn.Raw(func(c any) (err error) {
		f.appender, err = duckdb.NewAppenderFromConn(c.(driver.Conn), "", queries.ExportTable)
		return err
	})
}

func (f *exportFile) append(row []any) error {
	f.values = f.values[:0]
	for _, v := range row {
		f.values = append(f.values, v)
	}
	f.rows++
	return f.appender.AppendRow(f.values...)
}

// write ends the file and counts it.
func (f *exportFile) write(ctx context.Context, out *Exported) error {
	if err := f.appender.Close(); err != nil {
		return err
	}
	if err := queries.WriteParquet(ctx, f.conn, f.path); err != nil {
		return err
	}
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	out.Events, out.Files, out.Bytes = out.Events+f.rows, out.Files+1, out.Bytes+info.Size()
	return nil
}

// openFolder opens a database in memory that reaches folder and nothing else.
func openFolder(ctx context.Context, folder, memory string) (*sql.Conn, func() error, error) {
	connector, err := duckdb.NewConnector("?memory_limit="+memory, nil)
	if err != nil {
		return nil, nil, err
	}
	db := sql.OpenDB(connector)
	folder, err = filepath.Abs(folder)
	if err == nil {
		err = queries.OnlyFolder(ctx, db, folder)
	}
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return conn, func() error { return errors.Join(conn.Close(), db.Close()) }, nil
}

// ReadParquet yields the events of a file that [Store.Export] wrote, without
// their tags; now bounds their time. Its own error ends the sequence.
func ReadParquet(ctx context.Context, path, memory string, now time.Time) iter.Seq2[ingest.Record, error] {
	return func(yield func(ingest.Record, error) bool) {
		conn, done, err := openFolder(ctx, filepath.Dir(path), memory)
		if err != nil {
			yield(ingest.Record{}, fmt.Errorf("%s: %w", path, err))
			return
		}
		defer done()
		full, err := filepath.Abs(path)
		row, stopped := 0, false
		if err == nil {
			err = queries.EachParquet(ctx, conn, full, func(event []byte) error {
				row++
				for _, r := range ingest.Decode(ingest.Message{Data: event, Arrived: now}) {
					r.Position = fmt.Sprintf("%s:%d", path, row)
					if stopped = stopped || !yield(r, nil); stopped {
						return errStopped
					}
				}
				return nil
			})
		}
		if err != nil && !stopped {
			yield(ingest.Record{}, fmt.Errorf("%s: %w; want a file that hansei export wrote", path, err))
		}
	}
}

// errStopped ends a reading whose events nobody wants any more.
var errStopped = errors.New("stopped")
