package analyze

/*
#include <stddef.h>

// The allocator of DuckDB's own library for Linux, and that of the C library;
// null in a build that links others.
extern int duckdb_je_mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size) __attribute__((weak));
extern int malloc_trim(size_t pad) __attribute__((weak));

static void purge(void) {
	if (duckdb_je_mallctl)
		duckdb_je_mallctl("arena.4096.purge", NULL, NULL, NULL, 0); // 4096 stands for all arenas
	if (malloc_trim)
		malloc_trim(0);
}
*/
import "C"

// purge gives the memory that DuckDB has freed back to the system at once,
// which its allocators do after some ten seconds, or not at all. No setting of
// DuckDB does so: its thresholds concern threads that it has started, and
// single pieces.
func purge() { C.purge() }
