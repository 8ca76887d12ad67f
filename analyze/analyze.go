// Package analyze keeps tagged events and learns from them.
//
// A [Store] is a DuckDB file. [Store.Append] keeps a batch exactly once: its
// events, its bad input, its books and how far its stream is stored are one
// transaction, and what the store already has is left out. Readers ask the
// questions of package queries through [Store.Reader].
//
// [Tune] learns from the incidents which thresholds to change; every tuner
// stands in [Tuners].
package analyze

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/duckdb/duckdb-go/v2"

	"hansei/ingest"
	"hansei/queries"
)

// DefaultMemory bounds DuckDB's own memory: enough for a batch and the month's
// report, and little enough for the machine of an agent.
const DefaultMemory = "512MiB"

// Options of a Store. The zero value works.
type Options struct {
	Memory  string // DuckDB's memory limit, such as "1GiB"; empty: DefaultMemory
	Threads int    // that one statement is spread over; 0: one for each processor
}

// A Store is an open DuckDB file. It is safe for concurrent use: writers wait
// for each other, readers for nobody.
type Store struct {
	path    string
	options Options
	id      string

	mu     sync.RWMutex // guards db, which Reopen replaces
	db     *sql.DB
	writer *sql.Conn
	seen   *seen // ids of events
	lost   error // why the file could not be opened again; nil when it is open

	writing sync.Mutex  // held by whoever uses writer
	chunk   int         // events that the next transaction tells incidents of, guarded by writing; 0: firstChunk
	untold  atomic.Bool // there may be events that incidents do not tell of
	changes changes
	behind  behind
}

// errClosed says that the store was closed.
var errClosed = errors.New("the file is closed")

// closed returns why the file is not open; the caller holds mu or writing.
func (s *Store) closed() error {
	if s.lost != nil {
		return fmt.Errorf("%w: %w", errClosed, s.lost)
	}
	return errClosed
}

// A FileError says that DuckDB did not open the file: it or its log may be
// damaged, or in the way of rights, room or another process.
type FileError struct{ err error }

// Error is what DuckDB says of it.
func (e *FileError) Error() string { return e.err.Error() }

// Unwrap returns the driver's error.
func (e *FileError) Unwrap() error { return e.err }

// Open opens the file at path, and makes or migrates it where needed. An empty
// path is a store in memory. A file of a newer program is refused with a
// *queries.NewerSchemaError, one that does not open with a *FileError. The caller closes the store.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	s := &Store{path: path, options: o}
	if err := s.open(ctx); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if strings.ContainsAny(s.path, "?#%") {
		return errors.New("its path holds one of ? # %, which DuckDB's driver takes for settings; choose another folder with --data")
	}
	if s.db, err = openDuckDB(ctx, s.path, s.options.settings()); err != nil {
		return &FileError{err}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.shut())
		}
	}()
	if s.writer, err = s.db.Conn(ctx); err != nil {
		return err
	}
	tx, err := begin(ctx, s.writer)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := queries.Migrate(ctx, tx); err != nil {
		return err
	}
	if err := queries.TellSources(ctx, tx, knownSources()); err != nil {
		return fmt.Errorf("tell what sources can show: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if s.id, err = queries.StoreID(ctx, s.writer); err != nil {
		return fmt.Errorf("read the store's id: %w", err)
	}
	holds, err := queries.HoldsEvents(ctx, s.writer)
	if err != nil {
		return fmt.Errorf("look for events: %w", err)
	}
	s.untold.Store(true) // nobody knows yet
	s.seen = newSeen(!holds)
	return nil
}

// knownSources are the sources that are formats of ours. The native one is left
// out: what an agent shows is its own affair, and believed.
func knownSources() []queries.KnownSource {
	var known []queries.KnownSource
	for _, f := range ingest.Formats {
		if f.Name != ingest.Native {
			known = append(known, queries.KnownSource{Source: f.Name, Attempts: f.Coverage.Attempts, Final: f.Coverage.Final, Recoveries: f.Coverage.Recoveries})
		}
	}
	return known
}

// storageVersion is the form of new files: that of the DuckDB in use, whose
// newer compressions write a row group in two thirds of the time of the oldest form.
const storageVersion = "v1.5.0"

// blockSize is that of new files. Every table and column ends in a block that it
// fills in part: the demo's store takes 121 bytes an event in blocks of 64 KiB,
// 146 in DuckDB's own of 256 KiB, 177 in those of 16.
const blockSize = "65536"

// settings are DuckDB's for a store with these options.
func (o Options) settings() url.Values {
	settings := url.Values{"memory_limit": {cmp.Or(o.Memory, DefaultMemory)}, "enable_external_access": {"false"}, "storage_compatibility_version": {storageVersion}, "default_block_size": {blockSize}}
	if o.Threads > 0 {
		settings.Set("threads", strconv.Itoa(o.Threads))
	}
	return settings
}

// openDuckDB opens a file whose connections all speak UTC and cannot reach
// other files or the network.
func openDuckDB(ctx context.Context, path string, settings url.Values) (*sql.DB, error) {
	connector, err := duckdb.NewConnector(path+"?"+settings.Encode(), nil)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	if err := queries.Connect(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Path returns the store's file.
func (s *Store) Path() string { return s.path }

// ID returns the id that the store was born with.
func (s *Store) ID() string { return s.id }

// Size returns the bytes of the file and its log on disk.
func (s *Store) Size() int64 {
	var total int64
	for _, path := range []string{s.path, s.path + ".wal"} {
		if info, err := os.Stat(filepath.Clean(path)); err == nil {
			total += info.Size()
		}
	}
	return total
}

// Reader returns what the questions of package queries are asked through that
// are not about incidents; for those see [Store.Current].
func (s *Store) Reader() queries.DB {
	db, err := s.opened()
	if err != nil {
		return closed{err}
	}
	return columnar{db}
}

// opened returns the open file, or why it is not open.
func (s *Store) opened() (*sql.DB, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return nil, s.closed()
	}
	return s.db, nil
}

// closed answers questions while the file is not open.
type closed struct{ why error }

func (c closed) QueryContext(context.Context, string, ...any) (*sql.Rows, error) { return nil, c.why }
func (c closed) ExecContext(context.Context, string, ...any) (sql.Result, error) { return nil, c.why }

// Position returns how far the stream of that name and birth is stored.
func (s *Store) Position(ctx context.Context, stream ingest.Position) (ingest.Position, error) {
	offset, err := queries.StoredOffset(ctx, s.Reader(), stream.Stream, stream.Created)
	if err != nil {
		return stream, fmt.Errorf("read the offset of %s: %w", stream.Stream, err)
	}
	stream.Sequence = offset.Sequence
	return stream, nil
}

// Refuses reports whether err, which Append returned, is about the data of the
// batch: giving it again would fail again. Anything else may pass later.
func Refuses(err error) bool {
	var known *duckdb.Error
	return errors.As(err, &known) && slices.Contains(dataErrors, known.Type)
}

// dataErrors are the driver's kinds of errors that name a value at fault.
var dataErrors = []duckdb.ErrorType{
	duckdb.ErrorTypeOutOfRange, duckdb.ErrorTypeConversion, duckdb.ErrorTypeMismatchType,
	duckdb.ErrorTypeInvalidType, duckdb.ErrorTypeConstraint, duckdb.ErrorTypeInvalidInput,
}

// Reopen closes the file and opens it again: after an error that made DuckDB
// refuse all further work, such as a full disk.
func (s *Store) Reopen(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.shut()
	if s.lost = s.open(ctx); s.lost != nil {
		return fmt.Errorf("reopen store %s: %w", s.path, s.lost)
	}
	return err
}

// Close writes everything to the file and closes it.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.shut(); err != nil {
		return fmt.Errorf("close store %s: %w", s.path, err)
	}
	return nil
}

func (s *Store) shut() error {
	var err error
	if s.seen != nil {
		s.seen.close()
		s.seen = nil
	}
	if s.writer != nil {
		err = s.writer.Close()
		s.writer = nil
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
		s.db = nil
	}
	return err
}

// place names where bad input stood, for the store.
func place(r *ingest.Record, sequence uint64) string {
	if r.Position == "" {
		return "message " + strconv.FormatUint(sequence, 10)
	}
	return r.Position
}
