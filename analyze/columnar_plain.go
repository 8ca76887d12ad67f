//go:build !duckdb_arrow

package analyze

import "database/sql"

// columnar is a reader of the store. Without the tag duckdb_arrow it hands over
// rows one by one.
type columnar struct{ *sql.DB }

// columnarConn is a connection of a columnar.
type columnarConn struct{ *sql.Conn }
