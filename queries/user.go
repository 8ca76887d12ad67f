package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
)

//go:embed begin_read_only.sql
var beginReadOnlySQL string

//go:embed rollback.sql
var rollbackSQL string

// ReadOnly runs f in a transaction of conn that cannot write.
func ReadOnly(ctx context.Context, conn *sql.Conn, f func() error) error {
	if _, err := conn.ExecContext(ctx, beginReadOnlySQL); err != nil {
		return err
	}
	err := f()
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), rollbackSQL)
	return errors.Join(err, ended)
}
