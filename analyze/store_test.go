package analyze

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

var (
	noon  = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	birth = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	month = queries.Month(2026, time.January, time.UTC)
)

func openStore(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// row makes a failure with everything set.
func row(sequence uint64, id string) Row {
	e := ingest.Event{
		ID: id, Time: noon, Agent: "bot", Session: "s", Turn: ingest.Some[int64](0), Operation: "fetch", Incident: "i-" + id,
		Attempt: ingest.Some[int64](2), WaitMS: ingest.Some[int64](5000), Code: "429", Message: "rate limited", Resolution: "クエリ変更で成功",
		Score: ingest.Some(56.5), Attrs: map[string]string{"b": "2", "a": "1"},
	}
	if err := e.Finish(time.Time{}); err != nil {
		panic(err)
	}
	tag := classify.Tag{Taxonomy: classify.Transient, Category: classify.RateLimit, Retryable: true, Rule: "r", Resolution: classify.Retried, Fingerprint: "f1:0"}
	return Row{Sequence: sequence, Event: &e, Tag: tag}
}

func upTo(sequence uint64, rows ...Row) Batch {
	return Batch{Position: ingest.Position{Stream: "S", Created: birth, Sequence: sequence}, Parts: parts(rows...), MissingAt: noon, Noticed: noon.AddDate(0, 1, 0)}
}

// parts packs rows, one a part but for those of one message.
func parts(rows ...Row) []*Part {
	var out []*Part
	k := NewPacker()
	for i := range rows {
		k.Add(&rows[i])
		if i == len(rows)-1 || rows[i+1].Sequence != rows[i].Sequence {
			out = append(out, k.Part())
		}
	}
	return out
}

func badInput(sequence uint64, raw string) Bad {
	return Bad{Sequence: sequence, Arrived: noon, Source: "hansei", Subject: "s",
		Record: ingest.Record{Err: errors.New("not JSON"), Raw: []byte(raw), Position: "message"}}
}

func keep(t *testing.T, s *Store, b Batch, want queries.Kept) {
	t.Helper()
	got, err := s.Append(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("batch up to %d: kept %+v, want %+v", b.Position.Sequence, got, want)
	}
}

func ask(t *testing.T, s *Store, statement string) string {
	t.Helper()
	table, err := s.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, row := range table.Rows {
		out = append(out, strings.TrimSuffix(fmt.Sprintln(row...), "\n"))
	}
	return strings.Join(out, "; ")
}

func TestAppendKeepsOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.duckdb")
	s := openStore(t, path)
	first := upTo(3, row(1, "a"), row(2, "b"), row(3, "a"))
	first.Bad = []Bad{badInput(3, "junk"), badInput(3, "junk \x00\xff")}
	keep(t, s, first, queries.Kept{Stored: 2, Deduplicated: 1, Quarantined: 2})
	keep(t, s, first, queries.Kept{}) // redelivered: the offset covers it
	keep(t, s, upTo(5, row(3, "c"), row(4, "b"), row(5, "d")), queries.Kept{Stored: 1, Deduplicated: 1})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = openStore(t, path) // a restart
	position, err := s.Position(t.Context(), ingest.Position{Stream: "S", Created: birth})
	if err != nil || position.Sequence != 5 {
		t.Errorf("position %+v, %v", position, err)
	}
	again := upTo(7, row(6, "a"), row(7, "e"))
	again.Bad, again.Missing = []Bad{badInput(7, "junk")}, 4
	keep(t, s, again, queries.Kept{Stored: 1, Deduplicated: 2})
	if got := ask(t, s, "SELECT id FROM events ORDER BY id"); got != "a; b; d; e" {
		t.Errorf("events %s", got)
	}
	if got := ask(t, s, "SELECT raw FROM quarantine ORDER BY raw"); got != "junk; junk \\x00\uFFFD" {
		t.Errorf("quarantine %s", got)
	}
	ledger, err := queries.Books(t.Context(), s.Reader(), month)
	if err != nil {
		t.Fatal(err)
	}
	if want := (queries.Ledger{Published: 14, Stored: 4, Deduplicated: 4, Quarantined: 2, Expired: 4, Lost: 4, Rows: 4, Aside: 2}); ledger != want || !ledger.Balanced() {
		t.Errorf("ledger %+v, want %+v", ledger, want)
	}
}

func TestEveryFieldIsStored(t *testing.T) {
	s := openStore(t, "")
	keep(t, s, upTo(1, row(1, "a")), queries.Kept{Stored: 1})
	got := ask(t, s, "SELECT turn, attempt, max_retries IS NULL, wait_ms, code, resolution, resolution_text, score, attrs->>'a', category, retryable, detail IS NULL, position, time::VARCHAR FROM events")
	if want := "0 2 true 5000 429 retried クエリ変更で成功 56.5 1 rate_limit true true 1 2026-01-15 12:00:00+00"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	columns := ask(t, s, "SELECT string_agg(column_name, ' ') FROM (SELECT column_name FROM duckdb_columns() WHERE table_name = 'events' ORDER BY column_index)")
	for _, field := range []string{"id", "time", "kind", "agent", "session", "turn", "operation", "step", "component", "args_hash", "incident", "attempt", "max_retries", "wait_ms", "duration_ms", "code", "status", "message", "detail", "resolution", "score", "score_bar", "score_name", "provider", "model", "tokens", "cost_usd", "trace_id", "source", "attrs"} {
		if !strings.Contains(" "+columns+" ", " "+field+" ") {
			t.Errorf("no column for the field %s", field)
		}
	}
}

// A stream that was made anew counts from 1 again: its messages are new, and
// positions of the store keep rising.
// A batch of an import spans many hours. Booked one by one each took megabytes
// of its transaction, and half a year did not fit into the memory of the store.
func TestAppendOfManyHours(t *testing.T) {
	s, err := Open(t.Context(), "", Options{Memory: "128MiB"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	const hours = 5000
	for turn := range 2 { // the books of these hours are opened, then added to
		rows := make([]Row, hours)
		for i := range rows {
			rows[i] = row(uint64(turn*hours+i+1), fmt.Sprint(turn, "-", i))
			rows[i].Event.Time = noon.Add(time.Duration(i) * time.Hour)
		}
		keep(t, s, upTo(uint64(turn+1)*hours, rows...), queries.Kept{Stored: hours})
	}
	if got, want := ask(t, s, "SELECT count(*), sum(published), min(stored), max(stored) FROM books"), "5000 10000 2 2"; got != want {
		t.Errorf("books %s, want %s", got, want)
	}
}

func TestStreamMadeAnew(t *testing.T) {
	s := openStore(t, "")
	keep(t, s, upTo(9, row(9, "a")), queries.Kept{Stored: 1})
	anew := upTo(2, row(1, "a"), row(2, "b"))
	anew.Position.Created = birth.AddDate(0, 1, 0)
	keep(t, s, anew, queries.Kept{Stored: 1, Deduplicated: 1})
	if got := ask(t, s, "SELECT position FROM events ORDER BY position"); got != "9; 11" {
		t.Errorf("positions %s", got)
	}
}

// A store that goes back to a stream it had before, as with --nats-url and then
// without it, puts what comes of it behind all else: incidents are made of that.
func TestStreamTakenUpAgain(t *testing.T) {
	s := openStore(t, ":memory:")
	for i, created := range []time.Time{birth, noon, birth, noon} {
		sequence := uint64(i/2 + 1)
		batch := upTo(sequence, row(sequence, fmt.Sprint("e", i)))
		batch.Position.Created = created
		keep(t, s, batch, queries.Kept{Stored: 1})
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := ask(t, s, "SELECT string_agg(id, ' ' ORDER BY position) || ' at ' || count(DISTINCT position) FROM events"); got != "e0 e1 e2 e3 at 4" {
		t.Error(got)
	}
	if got := ask(t, s, "SELECT sum(events)::VARCHAR FROM incidents"); got != "4" {
		t.Errorf("the incidents tell of %s events", got)
	}
}

func TestEnumsAreTheClosedLists(t *testing.T) {
	s := openStore(t, "")
	list := func(name string) string { return ask(t, s, "SELECT array_to_string(enum_range(NULL::"+name+"), ' ')") }
	var taxonomies, categories, resolutions, kinds []string
	for _, row := range classify.Taxonomies {
		taxonomies = append(taxonomies, string(row.Name))
	}
	for _, row := range classify.Categories {
		categories = append(categories, string(row.Name))
	}
	resolved := map[string]bool{}
	for _, row := range classify.Resolutions {
		resolutions = append(resolutions, string(row.Name))
		resolved[string(row.Name)] = row.Resolved
	}
	for _, kind := range ingest.Kinds {
		kinds = append(kinds, string(kind))
	}
	for name, want := range map[string][]string{"taxonomy": taxonomies, "category": categories, "resolution": resolutions, "kind": kinds} {
		if got := list(name); got != strings.Join(want, " ") {
			t.Errorf("enum %s: %s, want %s", name, got, strings.Join(want, " "))
		}
	}
	for i, resolution := range resolutions { // the view's list of resolutions that count
		r := row(uint64(i+1), resolution)
		r.Tag.Resolution = classify.Resolution(resolution)
		keep(t, s, upTo(uint64(i+1), r), queries.Kept{Stored: 1})
		if got := ask(t, s, "SELECT resolved FROM v_incidents WHERE incident = 'i-"+resolution+"'"); got != fmt.Sprint(resolved[resolution]) {
			t.Errorf("%s is resolved: %s, want %v", resolution, got, resolved[resolution])
		}
	}
}

func TestQueryOnlyReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.duckdb")
	s := openStore(t, path)
	keep(t, s, upTo(1, row(1, "a")), queries.Kept{Stored: 1})
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"DELETE FROM events",
		"COMMIT; DELETE FROM events",
		"SELECT 1; SELECT 2",
		"CREATE TABLE t(a INT)",
		"CREATE TEMP TABLE t(a INT)",
		"EXPLAIN ANALYZE DELETE FROM events",
		"SELECT * FROM read_csv('" + secret + "')",
		"SELECT * FROM '" + secret + "'",
		"COPY events TO '" + secret + "'",
		"ATTACH '" + secret + "'",
		"INSTALL httpfs",
		"SET enable_external_access = true",
		"SET memory_limit = '1TB'",
		"PRAGMA disable_checkpoint_on_shutdown",
		"CHECKPOINT",
		"SELECT",
		"",
	} {
		if _, err := s.Query(t.Context(), statement); err == nil {
			t.Errorf("%q was taken", statement)
		}
	}
	if _, err := s.Query(t.Context(), "PRAGMA database_list"); !errors.Is(err, ErrNotReadOnly) {
		t.Errorf("a PRAGMA: %v", err)
	}
	for _, statement := range []string{"SELECT count(*) FROM events;", "FROM v_incidents", "WITH a AS (SELECT 1) FROM a", "SHOW TABLES", "DESCRIBE events", "SUMMARIZE events", "EXPLAIN SELECT 1",
		"VALUES (1), (2)", "TABLE events ; ; ", "SELECT 1 -- one", "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1"} {
		if _, err := s.Query(t.Context(), statement); err != nil {
			t.Errorf("%q: %v", statement, err)
		}
	}
	if got := ask(t, s, "SELECT count(*) FROM events"); got != "1" {
		t.Errorf("%s events left", got)
	}
}

// The names, the order and the values of an answer are those of the statement.
func TestQueryAnswers(t *testing.T) {
	s := openStore(t, "")
	table, err := s.Query(t.Context(), `SELECT i AS a, i AS a, -i AS "A b", [i] AS list, {'x': i} AS its_bytes, 'its_columns' AS c, NULL AS n,
		encode('é') AS bytes, 1.5::DECIMAL(4, 2) AS d, i % 2 = 0 AS even,
		'2026-01-31'::DATE AS day, '09:30:00.5'::TIME AS clock, '2026-01-31 09:30:00'::TIMESTAMP AS moment FROM range(3000) AS r (i) ORDER BY i DESC`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(table.Columns); got != "[a a A b list its_bytes c n bytes d even day clock moment]" {
		t.Errorf("columns %s", got)
	}
	if got := fmt.Sprint(table.Rows[0]); len(table.Rows) != 3000 || got != `[2999 2999 -2999 [2999] {"x":2999} its_columns <nil> é 1.5 false 2026-01-31 09:30:00.5 2026-01-31 09:30:00 +0000 UTC]` {
		t.Errorf("%d rows, the first %s", len(table.Rows), got)
	}
	for i, row := range table.Rows {
		if row[0] != int64(2999-i) {
			t.Fatalf("row %d is %v", i, row)
		}
	}
}

// Every bound of an answer is a clear error, and what just fits is answered.
func TestQueryBounds(t *testing.T) {
	s := openStore(t, "")
	for _, test := range []struct {
		statement, want string // empty: an answer
		rows            int
	}{
		{"FROM range(100000)", "", 100_000},
		{"FROM range(100001)", "more than 100000 rows", 0},
		{"FROM range(1000000000000)", "more than 100000 rows", 0}, // of which few are made
		{"SELECT repeat('x', 33000000 + i) FROM range(1) AS r (i)", "", 1},
		{"SELECT repeat('x', 34000000 + i) FROM range(1) AS r (i)", "more than 32 MiB", 0},
		{"SELECT repeat('x', 33000)::BLOB FROM range(1100) AS r (i)", "more than 32 MiB", 0},
		{"SELECT [repeat('x', 33000), 'y'] FROM range(1100) AS r (i)", "more than 32 MiB", 0},
		{"SELECT " + strings.Repeat("i, ", 100) + "i FROM range(50000) AS r (i)", "more than 32 MiB", 0},
		{"SELECT a.range + b.range FROM range(100000000) AS a, range(100000000) AS b ORDER BY 1 LIMIT 1", "takes too long", 0},
	} {
		table, err := s.query(t.Context(), test.statement, 5*time.Second)
		var over *LimitError
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.statement, err)
		case test.want == "" && len(table.Rows) != test.rows:
			t.Errorf("%s: %d rows", test.statement, len(table.Rows))
		case test.want != "" && (!errors.As(err, &over) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), QueryLimits)):
			t.Errorf("%s: %v, want an error that says %q", test.statement, err, test.want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Query(stopped, "SELECT 1"); err == nil || errors.As(err, new(*LimitError)) {
		t.Errorf("who asked has gone: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "newer.duckdb")
	s := openStore(t, path)
	if _, err := s.writer.ExecContext(t.Context(), "INSERT INTO schema_versions VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path, Options{})
	var newer *queries.NewerSchemaError
	if !errors.As(err, &newer) || newer.Stored != 99 || !strings.Contains(err.Error(), "use the newer program") {
		t.Errorf("newer file: %v", err)
	}
	junk := filepath.Join(dir, "junk.duckdb")
	if err := os.WriteFile(junk, []byte(strings.Repeat("junk", 4096)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), junk, Options{}); err == nil || !strings.Contains(err.Error(), junk) {
		t.Errorf("junk file: %v", err)
	}
}

func TestHalve(t *testing.T) {
	b := upTo(4, row(1, "a"), row(2, "b"), row(2, "c"), row(4, "d"))
	b.Bad = []Bad{badInput(3, "x")}
	first, second, ok := b.Halve()
	if !ok || first.Len() != 3 || first.Position.Sequence != 2 || second.Len() != 1 || len(second.Bad) != 1 || second.Position.Sequence != 4 {
		t.Errorf("halves %+v and %+v", first, second)
	}
	if _, _, ok := upTo(2, row(2, "b"), row(2, "c")).Halve(); ok {
		t.Error("one message was halved")
	}
	refused := upTo(2, row(2, "b")).Refused(errors.New("no"))
	keep(t, openStore(t, ""), refused, queries.Kept{Quarantined: 1})
}

func TestDuplicatesAreCutOut(t *testing.T) {
	s := openStore(t, "")
	var all, odd []Row
	for n := range uint64(9999) {
		r := row(n+1, fmt.Sprintf("e%04d", n))
		r.Event.Turn, r.Event.Message = ingest.Some(int64(n)), "m"+r.Event.ID
		if n%3 == 0 {
			r.Event.Score, r.Event.Session, r.Tag.Category = ingest.Opt[float64]{}, "", "" // absent in between
		}
		all = append(all, r)
		if n%7 == 2 && n < 2000 || n > 9990 {
			odd = append(odd, r)
		}
	}
	pack := func(rows []Row) Batch { // in one part
		k := NewPacker()
		for i := range rows {
			k.Add(&rows[i])
		}
		b := upTo(rows[len(rows)-1].Sequence)
		b.Parts = []*Part{k.Part()}
		return b
	}
	first := pack(odd)
	first.Position.Stream = "T"
	keep(t, s, first, queries.Kept{Stored: int64(len(odd))})
	keep(t, s, pack(all), queries.Kept{Stored: int64(9999 - len(odd)), Deduplicated: int64(len(odd))})
	got := ask(t, s, `SELECT count(*), count(DISTINCT id), bool_and(message = 'm' || id AND id = format('e{:04d}', turn)),
		bool_and((turn % 3 = 0) = (score IS NULL)), bool_and((session IS NULL) = (retryable IS NULL)), bool_and((session IS NULL) = (score IS NULL)) FROM events`)
	if want := "9999 9999 true true true true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// BenchmarkAppend measures the writer alone, with its duplicate check, on
// batches of a row group.
func BenchmarkAppend(b *testing.B) {
	s := openStore(b, filepath.Join(b.TempDir(), "a.duckdb"))
	const size = 122_880
	n := uint64(0)
	for b.Loop() {
		b.StopTimer()
		batch := upTo(n + size)
		k := NewPacker()
		for range size {
			n++
			r := row(n, fmt.Sprintf("id%012d", n))
			r.Event.Time = noon.Add(time.Duration(n) * time.Millisecond)
			r.Event.Message = fmt.Sprintf("API Error: 429 rate_limit_error: too many tokens (request id req_%08x)", n)
			r.Event.Attrs, r.Event.Score, r.Event.Resolution = nil, ingest.Opt[float64]{}, "retried"
			k.Add(&r)
		}
		batch.Parts = []*Part{k.Part()}
		b.StartTimer()
		if _, err := s.Append(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// TestKilled opens what a killed process leaves behind: the file and the log
// as they were, the log holding the migrations and some batches.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	alive := filepath.Join(dir, "alive.duckdb")
	s := openStore(t, alive)
	for i, id := range []string{"a", "b", "c"} {
		keep(t, s, upTo(uint64(i+1), row(uint64(i+1), id)), queries.Kept{Stored: 1})
	}
	killed := filepath.Join(dir, "killed.duckdb")
	for _, suffix := range []string{"", ".wal"} {
		data, err := os.ReadFile(alive + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(killed+suffix, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s = openStore(t, killed)
	if got := ask(t, s, "SELECT id FROM events ORDER BY id"); got != "a; b; c" {
		t.Errorf("events %s", got)
	}
	if got := ask(t, s, "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1"); got != "v_incidents; v_monthly" {
		t.Errorf("views %s: what was staged must not last", got)
	}
}

// Work on the store that is given up, as by a reader who has gone, leaves the
// writer as it was.
func TestAbandonedWorkLeavesTheWriter(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "a.duckdb"))
	ctx, abandon := context.WithCancel(t.Context())
	err := s.write(ctx, func(tx *sql.Tx) error {
		abandon()
		for range 1000 { // until the transaction has noticed, if it does
			if _, err := tx.ExecContext(t.Context(), "SELECT 1"); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "SELECT 1")
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("abandoned work ended with %v", err)
	}
	keep(t, s, upTo(1, row(1, "a")), queries.Kept{Stored: 1})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
