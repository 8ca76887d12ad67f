package analyze

import (
	"context"
	"errors"

	"hansei/queries"
)

var _ queries.Snapshotter = columnar{}

// Snapshot is [queries.Snapshotter.Snapshot].
func (c columnar) Snapshot(ctx context.Context, f func(queries.DB) error) (err error) {
	conn, err := c.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return queries.ReadOnly(ctx, conn, func() error { return f(columnarConn{conn}) })
}
