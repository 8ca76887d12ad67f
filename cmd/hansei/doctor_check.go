package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"hansei/analyze"
	"hansei/dashboard"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

// doctorCheckCmd checks a data folder.
type doctorCheckCmd struct {
	Rebuild bool `help:"Move what is damaged of the store aside, and take what is missing from the stream, also bad input that was dropped. Nothing is deleted. Refused where nothing is damaged."`
	Force   bool `help:"With --rebuild: also a store in which nothing is damaged. The new one has only what the stream still holds."`
}

// Sizes that doctor takes for a problem: less than one batch and its log need
// room for, and more bad input than a person looks through.
const (
	leastFree      = 512 << 20
	mostQuarantine = 10_000
)

// clockSlack is how far the clocks of two machines may differ before their
// differences show in a report.
const clockSlack = time.Minute

// epoch is long before the program was made: a clock behind it is wrong.
var epoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// A checkup collects the lines of doctor.
type checkup struct {
	w        io.Writer
	problems int
}

func (c *checkup) ok(name, format string, args ...any) {
	fmt.Fprintf(c.w, "ok       %-10s  %s\n", name, fmt.Sprintf(format, args...))
}

// problem prints what is wrong and what to do about it.
func (c *checkup) problem(name, todo, format string, args ...any) {
	c.problems++
	fmt.Fprintf(c.w, "problem  %-10s  %s; %s\n", name, oneLine(fmt.Sprintf(format, args...)), todo)
}

func (c *checkup) err() error {
	if c.problems == 0 {
		return nil
	}
	return fmt.Errorf("%s, see above", counted(c.problems, "problem", "problems"))
}

// Run prints a line per check.
func (c *doctorCheckCmd) Run(a *app) error {
	if c.Rebuild {
		return a.rebuild(c.Force)
	}
	if c.Force {
		return usageError{errors.New("--force goes with --rebuild")}
	}
	check := &checkup{w: a.out}
	if _, err := os.Stat(a.Data); errors.Is(err, fs.ErrNotExist) {
		check.ok("folder", "%s is not there yet; the first command that stores something makes it", a.Data)
		return nil
	}
	a.checkFolder(check)
	f, err := lockFolder(a.ctx, a.Data)
	var busy *busyError
	switch {
	case errors.As(err, &busy):
		check.ok("lock", "hansei serve (pid %d) holds the folder, and answers the rest", busy.server.PID)
		a.askCheckup(check, busy.server)
	case errors.Is(err, fs.ErrPermission):
		check.problem("lock", "give this user the right to write it", "%v", err)
	case err != nil:
		check.problem("lock", "end the process that holds it", "%v", err)
	default:
		check.ok("lock", "no process holds the folder")
		a.checkStore(check, f)
		if err := f.Close(); err != nil {
			return err
		}
	}
	a.checkAside(check)
	return check.err()
}

// checkFolder looks at the folder itself and its disk.
func (a *app) checkFolder(check *checkup) {
	probe, err := os.CreateTemp(a.Data, ".hansei-doctor-*")
	if err != nil {
		check.problem("folder", "give this user the right to write there", "%v", err)
	} else {
		probe.Close()
		if err := os.Remove(probe.Name()); err != nil {
			check.problem("folder", "delete it by hand", "%v", err)
		} else {
			check.ok("folder", "%s can be written", a.Data)
		}
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(a.Data, &disk); err != nil {
		check.problem("disk", "look at the disk", "%v", err)
	} else if free := disk.Bavail * uint64(disk.Bsize); free < leastFree {
		check.problem("disk", "free some, or lower --keep and --stream-size of serve", "%d MiB are free", free>>20)
	} else {
		check.ok("disk", "%d MiB are free", free>>20)
	}
}

// askCheckup lets the running serve check what it holds.
func (a *app) askCheckup(check *checkup, server runningServer) {
	r := &remote{app: a, server: server}
	var answer bytes.Buffer
	if err := r.get(a.ctx, doctorResource, url.Values{}, &answer); err != nil {
		check.problem("serve", "look at its log, and start it anew", "pid %d at %s: %v", server.PID, server.HTTP, err)
		return
	}
	check.problems += strings.Count("\n"+answer.String(), "\nproblem ")
	fmt.Fprint(check.w, answer.String())
}

// answerDoctor is what a running serve says of itself.
func answerDoctor(ctx context.Context, p *pipeline, _ url.Values, w io.Writer) error {
	check := &checkup{w: w}
	if err := p.healthy(); err != nil {
		check.problem("serve", "look at its log", "%v", err)
	} else {
		check.ok("serve", "it takes and stores events")
	}
	check.store(ctx, p.store)
	check.stream(ctx, p.store, p.client)
	check.deliveries(ctx, p.client)
	check.rules(p.rules.state())
	var found []string
	for _, kind := range ingest.SecretKinds() {
		if n := p.meters.scrubbedOf(kind); n > 0 {
			found = append(found, fmt.Sprintf("%s %d", kind, n))
		}
	}
	if len(found) == 0 {
		found = []string{"none"}
	}
	check.ok("secrets", "replaced in the store since serve started: %s; the files of the stream keep messages as they were published, for its --stream-age", strings.Join(found, ", "))
	return nil
}

// rules tells of the folder that serve follows.
func (c *checkup) rules(folder dashboard.RuleFolder) {
	switch {
	case folder.Refused != nil:
		c.problem("rules", "correct the file; until then the rules of "+folder.Read.UTC().Format(time.RFC3339)+" stay in force",
			"refused since %s: %v", folder.Since.UTC().Format(time.RFC3339), folder.Refused)
	case len(folder.Failing) > 0:
		m := folder.Failing[0]
		c.problem("rules", "mend the rule or its example; hansei rules test "+folder.Path+" lists them all",
			"%s; the first is of %s in %s: %s", counted(len(folder.Failing), "example of the rules in force does not hold", "examples of the rules in force do not hold"), m.Rule, m.File, m.Reason)
	case folder.Path != "":
		c.ok("rules", "those of %s are in force since %s", folder.Path, folder.Read.UTC().Format(time.RFC3339))
	}
}

// rebuildHint tells the way out of a store that does not open.
const rebuildHint = "hansei doctor --rebuild moves what is damaged aside, and takes what is missing from the stream"

// memoryHint is the way out of a memory limit that is too low.
const memoryHint = "the store needs more memory than --memory allows: raise it, for serve where serve runs"

// A memoryError is an error of a memory limit that is too low. DuckDB's advice
// is settings that a store of ours locks.
type memoryError struct{ err error }

// Error is what DuckDB says, and what to do.
func (e *memoryError) Error() string {
	text, _, _ := strings.Cut(e.err.Error(), "\n\nPossible solutions:")
	return text + "\n" + memoryHint
}

// Unwrap returns the error of the store.
func (e *memoryError) Unwrap() error { return e.err }

// withWayOut adds to the error of a file that is damaged, or does not open, and
// of a memory limit that is too low, what to do; an error that a running serve
// gave has it already.
func withWayOut(err error) error {
	var file *analyze.FileError
	switch {
	case err == nil || strings.Contains(err.Error(), rebuildHint) || strings.Contains(err.Error(), memoryHint):
		return err
	case analyze.OutOfMemory(err):
		return &memoryError{err}
	case analyze.Damaged(err):
		return fmt.Errorf("%w\nthe store's file is damaged; stop hansei serve, then %s", err, rebuildHint)
	case errors.As(err, &file):
		return fmt.Errorf("%w\nif the file or its log, whose name ends in .wal, is damaged: %s", err, rebuildHint)
	}
	return err
}

// checkStore opens the store and the stream of a folder that nobody else holds.
func (a *app) checkStore(check *checkup, f *folder) {
	store := a.openChecked(check, f)
	client, err := stream.Open(a.ctx, a.streamOptions(pipelineOptions{log: a.log}))
	if err != nil {
		check.problem("stream", "start the NATS server, or correct --nats-url; for the embedded one look at the lines above", "%v", err)
	} else {
		if store != nil {
			if _, _, err := meet(a.ctx, store, client, a.log); err != nil {
				check.problem("losses", rebuildHint, "%v", err)
			}
		}
		check.stream(a.ctx, store, client)
		check.deliveries(a.ctx, client)
		client.Close()
	}
	if store == nil {
		return
	}
	if err := store.Close(); err != nil {
		check.problem("store", "look at the disk", "%v", err)
	}
}

// openChecked opens and checks the store; it returns nil when that is not possible.
func (a *app) openChecked(check *checkup, f *folder) *analyze.Store {
	if info, err := os.Stat(f.store()); err == nil && info.Size() == 0 {
		check.problem("store", rebuildHint, "%s is empty", f.store())
		return nil
	}
	if err := writable(f.store()); err != nil {
		check.problem("store", "give this user the right to read and write it, or look at the disk", "%v", err)
		return nil
	}
	store, err := analyze.Open(a.ctx, f.store(), analyze.Options{Memory: a.Memory})
	var newer *queries.NewerSchemaError
	switch {
	case errors.As(err, &newer):
		check.problem("schema", "use the program that wrote it", "%v", err)
		return nil
	case err != nil:
		check.problem("store", rebuildHint, "%v", err)
		return nil
	}
	check.store(a.ctx, store)
	return store
}

// writable tells why a file that is there, or its log, cannot be written.
func writable(store string) error {
	for _, path := range []string{store, store + ".wal"} {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue // no right mends it: it is damage
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// store checks what the store knows itself.
func (c *checkup) store(ctx context.Context, store *analyze.Store) {
	now := time.Now()
	health, err := queries.StoreHealth(ctx, store.Reader(), now)
	if err != nil {
		c.problem("store", rebuildHint, "%v", err)
		return
	}
	c.ok("store", "%s opens: %d events in %d MiB", store.Path(), health.Events, store.Size()>>20)
	c.ok("schema", "version %d", queries.SchemaVersion)
	if c.blocks(ctx, store) {
		c.incidents(ctx, store)
	}
	switch {
	case health.Unbalanced > 0:
		c.problem("books", rebuildHint, "%d hours do not add up", health.Unbalanced)
	case health.Off > 0:
		c.problem("books", rebuildHint, "%d hours differ from the events that are stored", health.Off)
	case health.Quarantine > health.BookedQuarantine:
		c.problem("books", rebuildHint, "there: %s; booked: %d", piecesOfBadInput(health.Quarantine), health.BookedQuarantine)
	default:
		c.ok("books", "they add up, and agree with the events")
	}
	if health.Quarantine > mostQuarantine {
		c.problem("quarantine", "see hansei quarantine list, then requeue or drop", "%s", piecesOfBadInput(health.Quarantine))
	} else {
		c.ok("quarantine", "%s", piecesOfBadInput(health.Quarantine))
	}
	switch {
	case now.Before(epoch):
		c.problem("clock", "set it", "it shows %s", now.UTC().Format(time.RFC3339))
	case health.Early > 0 || health.Ahead > 0:
		c.problem("clock", "set it, or wait until it has caught up", "from after %[3]s come %[1]s and %[2]s", counted(health.Ahead, "event", "events"), piecesOfBadInput(health.Early), now.UTC().Format(time.RFC3339))
	default:
		c.ok("clock", "it shows %s, nothing stored is more than a day ahead of it", now.UTC().Format(time.RFC3339))
	}
}

// incidents makes them tell of every event, as each report does first.
func (c *checkup) incidents(ctx context.Context, store *analyze.Store) {
	if err := store.Refresh(ctx); err != nil {
		c.problem("incidents", "no report can be made until then, events are stored all the same; raise --memory if that is what it names, else hansei doctor --rebuild --force makes the store anew from the stream",
			"they cannot be brought up to date: %v", err)
		return
	}
	c.ok("incidents", "they tell of every event")
}

// blocks reads all that the store holds, and says whether that was possible:
// DuckDB opens a file without looking at more of it than it needs.
func (c *checkup) blocks(ctx context.Context, store *analyze.Store) bool {
	broken, err := store.ReadAll(ctx)
	if err != nil {
		c.problem("blocks", rebuildHint, "%v", err)
	}
	for _, b := range broken {
		c.problem("blocks", rebuildHint, "%v", b)
	}
	if err != nil || len(broken) > 0 {
		return false
	}
	c.ok("blocks", "every one can be read")
	return true
}

// stream says how far the stream reaches, and holds the offset of the store
// against it, unless that is nil.
func (c *checkup) stream(ctx context.Context, store *analyze.Store, client *stream.Client) {
	reach, err := client.Reach(ctx)
	if err != nil {
		c.problem("stream", "look at the NATS server", "%v", err)
		return
	}
	if reach.Messages > 0 {
		c.ok("stream", "%d messages in %d MiB, from %s on", reach.Messages, reach.Bytes>>20, reach.From.Format(time.RFC3339))
	} else {
		c.ok("stream", "no messages")
	}
	if now := time.Now(); reach.To.After(now.Add(clockSlack)) {
		c.problem("clock", "set it, or wait until it has caught up", "it shows %s, the last message arrived at %s", now.UTC().Format(time.RFC3339), reach.To.Format(time.RFC3339))
	}
	if store != nil {
		c.offsets(ctx, store, client, reach)
		c.losses(ctx, store, time.Now())
	}
}

// offsets holds the store's offset against the stream.
func (c *checkup) offsets(ctx context.Context, store *analyze.Store, client *stream.Client, reach stream.Reach) {
	tip, err := client.Tip(ctx)
	if err != nil {
		c.problem("stream", "look at the NATS server", "%v", err)
		return
	}
	position, err := store.Position(ctx, tip)
	if err != nil {
		c.problem("offsets", rebuildHint, "%v", err)
		return
	}
	switch {
	case position.Sequence > tip.Sequence:
		c.problem("offsets", "any command that stores reads the stream again from its beginning", "the store has message %d, the stream ends at %d: it lost its end", position.Sequence, tip.Sequence)
	case position.Sequence+1 < reach.First && reach.Messages > 0:
		c.problem("offsets", "raise --stream-age and --stream-size, or run serve without such pauses; the books will count them as lost",
			"messages %d to %d left the stream before they were stored", position.Sequence+1, reach.First-1)
	default:
		c.ok("offsets", "%d messages are still to be stored", tip.Sequence-position.Sequence)
	}
}
