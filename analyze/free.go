package analyze

import (
	"context"

	"hansei/queries"
)

// freeFrom is from how many events on a batch leaves enough behind to be worth
// the 2 ms: half of a row group, some 20 MiB.
const freeFrom = RowGroup / 2

// free gives back to the system what DuckDB has freed. Its allocator keeps that
// for some ten seconds: 50 MiB were in use and 150 to 330 held after a chunk of
// incidents. The thresholds that DuckDB has for it concern threads of its own,
// and single pieces. The caller holds writing.
func (s *Store) free(ctx context.Context) {
	_ = queries.FreeMemory(ctx, s.writer, s.Memory()) // what was to be kept is kept, and it is tried again
}
