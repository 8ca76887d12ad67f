package queries

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed create_schema_versions.sql
var createSchemaVersionsSQL string

//go:embed schema_version.sql
var schemaVersionSQL string

//go:embed set_schema_version.sql
var setSchemaVersionSQL string

// SchemaVersion is the schema that this program writes: the number of its last migration.
var SchemaVersion = func() int {
	last := 0
	for _, name := range migrationNames() {
		last = max(last, versionOf(name))
	}
	return last
}()

// migrationNames lists the files of migrations/ in order.
func migrationNames() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		panic("queries: no embedded migrations") // the embed directive would not have compiled
	}
	return names
}

// versionOf reads the number that a migration's name begins with.
func versionOf(name string) int {
	digits, _, _ := strings.Cut(path.Base(name), "_")
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("queries: migration without a number: " + name)
	}
	return n
}

// A NewerSchemaError says that a store was written by a newer program.
type NewerSchemaError struct{ Stored, Known int }

// Error names both versions.
func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("the store has schema version %d, this program knows up to %d: use the newer program that wrote it", e.Stored, e.Known)
}

// Migrate brings the store of db to SchemaVersion. db should be a transaction.
// A store that is newer is refused with a *NewerSchemaError and left as it is.
func Migrate(ctx context.Context, db DB) error {
	if _, err := db.ExecContext(ctx, createSchemaVersionsSQL); err != nil {
		return fmt.Errorf("make the table of schema versions: %w", err)
	}
	stored, err := one(ctx, db, schemaVersionSQL, nil, func(v *int) []any { return []any{v} })
	if err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	if stored > SchemaVersion {
		return &NewerSchemaError{stored, SchemaVersion}
	}
	for _, name := range migrationNames() {
		version := versionOf(name)
		if version <= stored {
			continue
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := db.ExecContext(ctx, setSchemaVersionSQL, sql.Named("version", version)); err != nil {
			return fmt.Errorf("%s: set the schema version: %w", name, err)
		}
	}
	return nil
}
