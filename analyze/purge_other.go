//go:build !linux

package analyze

// purge does nothing where DuckDB's library uses the system's allocator.
func purge() {}
