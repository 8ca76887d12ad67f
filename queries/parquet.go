package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"strings"
	"time"
)

// The statements around Parquet files. All but the first two run on a database
// of their own, which reaches one folder and holds nothing else.
var (
	//go:embed parquet/months.sql
	parquetMonthsSQL string
	//go:embed parquet/events.sql
	parquetEventsSQL string
	//go:embed parquet/only.sql
	parquetOnlySQL string
	//go:embed parquet/table.sql
	parquetTableSQL string
	//go:embed parquet/write.sql
	parquetWriteSQL string
	//go:embed parquet/read.sql
	parquetReadSQL string
)

// ExportTable is the table that WriteParquet writes.
const ExportTable = "exported"

// ExportMonths returns the starts of the months in which events lie.
func ExportMonths(ctx context.Context, db DB) ([]time.Time, error) {
	return collect(ctx, db, parquetMonthsSQL, nil, func(t *time.Time) []any { return []any{t} })
}

// EachExported calls f with the public columns of each event of span, which it
// must not keep. An error of f ends it.
func EachExported(ctx context.Context, db DB, span Span, f func(row []any) error) error {
	rows, err := db.QueryContext(ctx, parquetEventsSQL, span.bounds()...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row, into := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// OnlyFolder locks the database of db to one folder.
func OnlyFolder(ctx context.Context, db DB, folder string) error {
	return run(ctx, db, strings.Replace(parquetOnlySQL, "'folder'", "'"+quoted(folder)+"'", 1))
}

// MakeExportTable empties the table of exported events.
func MakeExportTable(ctx context.Context, db DB) error { return run(ctx, db, parquetTableSQL) }

// WriteParquet writes the table of exported events to a file.
func WriteParquet(ctx context.Context, db DB, file string) error {
	return run(ctx, db, strings.Replace(parquetWriteSQL, "'target'", "'"+quoted(file)+"'", 1))
}

// EachParquet calls f with each event of a file as JSON. An error of f ends it.
func EachParquet(ctx context.Context, db DB, file string, f func(event []byte) error) error {
	plain := strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(file) // DuckDB takes it for a pattern
	rows, err := db.QueryContext(ctx, parquetReadSQL, sql.Named("file", plain))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var event string
		if err := rows.Scan(&event); err != nil {
			return err
		}
		if err := f([]byte(event)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// quoted makes text fit for a string of SQL.
func quoted(text string) string { return strings.ReplaceAll(text, "'", "''") }
