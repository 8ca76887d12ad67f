package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
)

//go:embed begin_read_only.sql
var beginReadOnlySQL string

//go:embed rollback.sql
var rollbackSQL string

//go:embed answer.sql
var answerSQL string

// ReadOnly runs f in a transaction of conn that cannot write.
func ReadOnly(ctx context.Context, conn *sql.Conn, f func() error) error {
	if _, err := conn.ExecContext(ctx, beginReadOnlySQL); err != nil {
		return err
	}
	err := f()
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), rollbackSQL)
	return errors.Join(err, ended)
}

// A Width is how many bytes a column's values have.
type Width int

// The widths.
const (
	Fixed  Width = iota // numbers, times and the like
	Text                // a VARCHAR
	Bytes               // a BLOB
	Nested              // what is written out as text
)

// fixedBytes is what every value is counted as besides its text: the most that a
// number or a time takes.
const fixedBytes = 16

// widths tell the bytes of a value of each width but the fixed one.
var widths = [...]string{Text: "strlen(%s)", Bytes: "octet_length(%s)", Nested: "strlen(%s::VARCHAR)"}

// BoundedAnswer asks conn a user's SELECT, whose columns have these widths. An
// answer of more rows or bytes is an error that says so with the words of [TooMuch].
func BoundedAnswer(ctx context.Context, conn *sql.Conn, statement string, columns []Width, rows, bytes int) (*sql.Rows, error) {
	names := make([]string, len(columns))
	size := []string{fmt.Sprint(fixedBytes * len(columns))}
	for i, width := range columns {
		names[i] = fmt.Sprintf("hansei_%d", i)
		if width != Fixed {
			size = append(size, "coalesce("+fmt.Sprintf(widths[width], names[i])+", 0)")
		}
	}
	bounded := strings.NewReplacer(
		"its_statement", strings.TrimRight(statement, "; \t\r\n"),
		"its_columns", strings.Join(names, ", "),
		"its_bytes", strings.Join(size, " + "),
	).Replace(answerSQL)
	return conn.QueryContext(ctx, bounded, sql.Named("rows", rows), sql.Named("bytes", bytes))
}

// TooMuch begins what DuckDB says of an answer over a bound of [BoundedAnswer].
const TooMuch = "the answer has more than"
