package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hansei/analyze"
	"hansei/dashboard"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

// A pipeline takes events from the stream to the store: decode, scrub,
// classify, append, commit, ack. It holds the data folder while it is open.
type pipeline struct {
	folder   *folder
	client   *stream.Client
	source   *stream.Source
	store    *analyze.Store
	rules    *ruleSet
	log      *slog.Logger
	live     bool // announce what was stored to whoever listens
	stopping context.Context
	meters   meters
	delivery *delivery            // of reports to people; nil in most commands
	page     *dashboard.Live      // told of what was stored; nil: nobody looks
	packers  chan *analyze.Packer // that nobody uses; what does not fit is left
	asking   sync.Mutex           // held by who asks a query
	parts    atomic.Uint64        // that were made
	bad      badLog               // of serve; who runs a short command is told of each record

	mu       sync.Mutex
	position ingest.Position // stored so far
	moved    chan struct{}   // closed when position moves or Run ends
	ended    error           // why Run has ended; nil while it has not
	trouble  error           // why the store takes nothing now; nil when it does
	since    time.Time       // when the trouble began
}

// A pipelineOptions says what differs between serve and a short command.
type pipelineOptions struct {
	listen string        // address of the NATS port; empty: none
	wait   time.Duration // for an external NATS server that does not answer
	live   bool
	log    *slog.Logger

	threads int // that a statement of the store is spread over; 0: one for each processor

	streamAge   time.Duration // of its messages; 0: as it is
	streamBytes int64
	sync        string // second or always: when the embedded server forces messages to disk
}

// servingThreads is how many threads a statement has beside others. A second
// one that waits for the first does so without sleeping, which made an append
// cost half again as much; and statements run beside each other as it is.
const servingThreads = 1

// syncAlways is the value of --sync that outlasts a loss of power.
const syncAlways = "always"

// openPipeline opens what lies in the data folder that f holds.
func (a *app) openPipeline(f *folder, o pipelineOptions) (_ *pipeline, err error) {
	collectEarly()
	if now := time.Now(); now.Before(epoch) { // correct events would be taken for events of the future
		return nil, errors.Join(fmt.Errorf("the clock of this machine shows %s, which cannot be: set it, then try again", now.UTC().Format(time.RFC3339)), f.Close())
	}
	p := &pipeline{folder: f, log: o.log, bad: badLog{log: o.log}, live: o.live, stopping: a.ctx, moved: make(chan struct{}), packers: make(chan *analyze.Packer, runtime.GOMAXPROCS(0))}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if p.rules, err = openRules(a.Rules, o.log); err != nil {
		return nil, err
	}
	if p.store, err = analyze.Open(a.ctx, p.folder.store(), analyze.Options{Memory: a.Memory, Threads: o.threads}); err != nil {
		return nil, err
	}
	if p.client, err = stream.Open(a.ctx, a.streamOptions(o)); err != nil {
		return nil, err
	}
	var damaged uint64
	if p.position, damaged, err = meet(a.ctx, p.store, p.client, p.log); err != nil {
		return nil, err
	}
	p.source = p.client.NewSource(p.store.ID(), p.position, damaged)
	return p, nil
}

// gcPercent makes the collector run at half again of what is in use, not at
// twice that: batches of 122,880 events are large and live for a second, and
// the memory of an agent's machine matters more than a tenth of the time.
const gcPercent = 50

func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// meet holds the store against the stream, tells what was lost of it, and returns
// where to read on. A stream that ends before what is stored is read again from
// its beginning.
func meet(ctx context.Context, store *analyze.Store, client *stream.Client, log *slog.Logger) (at ingest.Position, damaged uint64, err error) {
	s, err := client.State(ctx)
	if err != nil {
		return at, 0, err
	}
	at, lost, err := store.Meet(ctx, analyze.Found{Tip: s.Tip, First: s.First, Damaged: s.Damaged, Held: s.Held, Ended: s.Ended, Ours: s.Ours}, time.Now())
	if err != nil {
		return at, 0, err
	}
	for _, l := range lost {
		log.Error(lossWords[l.Kind], "behind", l.Behind, "messages", messagesLost(l), "damaged_bytes", l.Damaged, "aside", s.Aside)
	}
	if err := client.Told(s.Tip); err != nil {
		log.Warn("what the stream lost is kept, and looked at once more at the next start", "err", err)
	}
	return at, s.Damaged, nil
}

// streamOptions are those of the server that the flags name. A serve over an
// existing server keeps its token to itself: that is for its own clients.
func (a *app) streamOptions(o pipelineOptions) stream.Options {
	options := stream.Options{Dir: a.Data, Listen: o.listen, URL: a.NATSURL, Context: a.Context, Wait: o.wait, Name: "hansei", Log: o.log, MaxAge: o.streamAge, MaxBytes: o.streamBytes, SyncAlways: o.sync == syncAlways}
	if a.embedded() || !o.live && a.Context == "" && !strings.Contains(a.NATSURL, "@") {
		options.Token = a.Token
	}
	return options
}

// embedded reports whether the NATS server is our own.
func (a *app) embedded() bool { return a.NATSURL == "" && a.Context == "" }

// Close lets everything go; what was acked to publishers stays on disk.
func (p *pipeline) Close() error {
	var err error
	if p.client != nil {
		p.client.Close()
	}
	if p.store != nil {
		err = p.store.Close()
	}
	return errors.Join(err, p.folder.Close())
}

// Run stores what arrives until ctx ends; a batch under way is finished first.
// A stream that is not as it was any more, as one of another server that was put
// back, is met again, as after a restart.
func (p *pipeline) Run(ctx context.Context) error {
	defer func() { p.bad.tell(time.Now()) }()
	for {
		err := stream.Run(ctx, p.source, stream.Handler[part]{Prepare: p.prepare, Keep: p.keep})
		if !errors.Is(err, stream.ErrBehind) {
			return err
		}
		position, damaged, err := meet(ctx, p.store, p.client, p.log)
		if err != nil {
			return err
		}
		p.source.Rewind(position, damaged)
		p.mu.Lock()
		p.position = position
		p.wake()
		p.mu.Unlock()
	}
}

// idleCheck is how often someone who waits asks whether the stream has ended
// in messages that it no longer holds.
const idleCheck = 500 * time.Millisecond

// catchUp waits until the store has everything that the stream holds now.
func (p *pipeline) catchUp(ctx context.Context) error {
	tip, err := p.client.Tip(ctx)
	if err != nil {
		return err
	}
	return p.reach(ctx, tip)
}

// reach waits until the store has all that the stream holds up to a position.
// It does not wait for a store that takes nothing.
func (p *pipeline) reach(ctx context.Context, until ingest.Position) error {
	for before := p.progress(); ; {
		patience, cancel := context.WithTimeout(ctx, idleCheck)
		err := p.waitFor(patience, until)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err := p.stuck(); err != nil {
			return err
		}
		now := p.progress()
		if now == before { // else there was more; and the stream reads a whole block to answer
			if more, err := p.client.HoldsAfter(ctx, now.stored); !more || err != nil {
				return err
			}
		}
		before = now
	}
}

// A progress is how far events have come: what is stored, and how many parts
// were made of what is to be stored next.
type progress struct {
	stored ingest.Position
	parts  uint64
}

func (p *pipeline) progress() progress { return progress{p.stored(), p.parts.Load()} }

func (p *pipeline) stored() ingest.Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.position
}

// fail tells those who wait that Run has ended, and why.
func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = cmp.Or(err, errStopped)
	p.wake()
}

// errStopped is what those who wait get when the pipeline ends as it should.
var errStopped = errors.New("the pipeline was stopped")

// wake tells those who wait to look again; p.mu is held.
func (p *pipeline) wake() {
	close(p.moved)
	p.moved = make(chan struct{})
}

// waitFor returns when the store has the stream up to a position.
func (p *pipeline) waitFor(ctx context.Context, until ingest.Position) error {
	for {
		p.mu.Lock()
		reached := p.position.Created.Equal(until.Created) && p.position.Sequence >= until.Sequence
		moved, ended := p.moved, p.ended
		p.mu.Unlock()
		if reached {
			return nil
		}
		if ended != nil {
			return ended
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// A part is what some messages hold, tagged.
type part struct {
	rows *analyze.Part
	bad  []analyze.Bad
}

// keep stores one batch of the stream. It returns an error only when the
// program is to stop before the store takes the batch; nothing is lost then.
func (p *pipeline) keep(ctx context.Context, b stream.Batch[part]) error {
	batch := join(b)
	p.quarantine(ctx, batch.Bad)
	if err := p.append(ctx, batch); err != nil {
		return err
	}
	if b.Missing > 0 {
		p.log.Error(lossWords[queries.LostBetween], "messages", b.Missing, "upto", b.Position.Sequence)
	}
	p.mu.Lock()
	p.position = b.Position
	p.wake()
	p.mu.Unlock()
	now := time.Now()
	if p.live {
		p.bad.add(batch.Bad, now)
		p.announce(&batch, now)
	}
	if p.page != nil {
		show(p.page, &batch, now)
	}
	return nil
}

// join makes one batch of its parts.
func join(b stream.Batch[part]) analyze.Batch {
	batch := analyze.Batch{Position: b.Position, Missing: b.Missing, MissingAt: b.MissingAt, Noticed: time.Now(), Parts: make([]*analyze.Part, len(b.Parts))}
	for i := range b.Parts {
		batch.Parts[i] = b.Parts[i].rows
		batch.Bad = append(batch.Bad, b.Parts[i].bad...)
	}
	return batch
}

// prepare decodes, scrubs, classifies and packs the events of some messages.
func (p *pipeline) prepare(messages []stream.Message) part {
	packer := p.takePacker()
	defer p.leavePacker(packer)
	bad := p.read(messages, packer.Add)
	p.parts.Add(1)
	return part{packer.Part(), bad}
}

// takePacker returns a packer that nobody uses.
func (p *pipeline) takePacker() *analyze.Packer {
	select {
	case packer := <-p.packers:
		return packer
	default:
		return analyze.NewPacker()
	}
}

// leavePacker gives a packer back. A sync.Pool would lose it to the garbage
// collector, which runs about once a part, and one that is made anew leaves
// behind, while it grows, more than its rows take.
func (p *pipeline) leavePacker(packer *analyze.Packer) {
	select {
	case p.packers <- packer:
	default:
	}
}

// read decodes, scrubs and classifies the events of some messages. add gets
// each, and keeps nothing of it; the bad input is returned.
func (p *pipeline) read(messages []stream.Message, add func(*analyze.Row)) (bad []analyze.Bad) {
	classifier := p.rules.now()
	scrubbed := map[string]int{}
	defer func() { p.meters.addScrubbed(scrubbed) }()
	var records []ingest.Record
	var row analyze.Row
	for i := range messages {
		m := &messages[i]
		records = m.AppendRecords(records[:0])
		for k := range records {
			r := &records[k]
			if r.Err != nil {
				r.ScrubInto(scrubbed)
				bad = append(bad, analyze.Bad{Sequence: m.Sequence, Replaces: m.Replaces(), Arrived: m.Arrived, Source: m.Source(), Subject: m.Subject, Record: *r})
				continue
			}
			r.Event.ScrubInto(scrubbed)
			row = analyze.Row{Sequence: m.Sequence, Replaces: m.Replaces(), Event: &r.Event, Tag: classifier.Tag(&r.Event)}
			add(&row)
		}
	}
	return bad
}

// quarantinePatience bounds the wait for the stream of bad input, which is for
// whoever listens: the store keeps the same.
const quarantinePatience = 30 * time.Second

// quarantine puts bad input into its stream before the store counts it. A copy
// after a crash has the same id.
func (p *pipeline) quarantine(ctx context.Context, bad []analyze.Bad) {
	if len(bad) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, quarantinePatience)
	defer cancel()
	publisher := p.client.NewPublisher()
	var err error
	for i := range bad {
		err = errors.Join(err, publisher.PublishQuarantine(ctx, bad[i].ID(), bad[i].Source, &bad[i].Record))
	}
	_, flushed := publisher.Flush(ctx)
	if err = errors.Join(err, flushed); err != nil {
		p.log.Warn("bad input is in the store but not in its stream", "events", len(bad), "err", err)
	}
}

// Pauses between tries while the store takes nothing, such as on a full disk.
const (
	firstPause = time.Second
	longPause  = 30 * time.Second
)

// troublePatience is how long who asks waits for a store that takes nothing: it
// outlasts two tries, and what ends by itself.
const troublePatience = 4 * time.Second

// append stores a batch, waiting out trouble of the store. A batch that the
// store refuses while it takes others is halved until the message at fault
// stands alone, and that one goes to quarantine: a poison message is no stall.
func (p *pipeline) append(ctx context.Context, b analyze.Batch) error {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		start := time.Now()
		kept, err := p.store.Append(ctx, b)
		if err == nil {
			if p.live && kept.Clash.ID != "" {
				p.log.Warn("events left out, since their id is that of another agent or time: an id is unique per event", "events", kept.Clash.Events, "id", kept.Clash.ID, "agent", kept.Clash.Agent, "first", kept.Clash.First)
			}
			p.meters.addAppend(time.Since(start))
			p.setTrouble(nil)
			return nil
		}
		if analyze.Refuses(err) {
			return p.isolate(ctx, b, err)
		}
		p.setTrouble(err)
		p.log.Error("the store takes nothing, trying again; free space or rights on its folder, then it goes on by itself", "err", withWayOut(err), "pause", pause)
		select {
		case <-p.stopping.Done():
			return fmt.Errorf("stopped before the store took %d events, which stay in the stream: %w", b.Len(), err)
		case <-time.After(pause):
		}
		if err := p.store.Reopen(ctx); err != nil {
			p.log.Error("store", "err", err)
		}
	}
}

// isolate keeps a batch that the store refused for its own sake.
func (p *pipeline) isolate(ctx context.Context, b analyze.Batch, cause error) error {
	first, second, ok := b.Halve()
	switch {
	case ok:
		if err := p.append(ctx, first); err != nil {
			return err // the second half must not move the offset over the first
		}
		return p.append(ctx, second)
	case b.Len() == 0:
		return fmt.Errorf("keep bad input of message %d: %w", b.Position.Sequence, cause)
	}
	p.log.Error("message refused by the store, put into quarantine", "sequence", b.Position.Sequence, "err", cause)
	refused := b.Refused(cause)
	p.quarantine(ctx, refused.Bad)
	return p.append(ctx, refused)
}

// healthy returns why events are not stored now; nil when they are.
func (p *pipeline) healthy() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.trouble, p.ended, p.client.Healthy())
}

func (p *pipeline) setTrouble(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trouble == nil {
		p.since = time.Now()
	}
	p.trouble = err
}

// followEvents brings the incidents up to date again where that failed, until
// ctx ends: nobody may ask for a report for long, and health tells of the last try.
func (p *pipeline) followEvents(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(longPause):
		}
		if p.store.Behind() == nil {
			continue
		}
		if err := p.store.Refresh(ctx); err != nil && ctx.Err() == nil {
			p.log.Error("incidents cannot be brought up to date, trying again: events are stored, but no report can be made; hansei doctor says what to do", "err", err, "pause", longPause)
		}
	}
}

// stuck returns why the store takes nothing, once it has done so for longer
// than who waits for it should wait.
func (p *pipeline) stuck() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trouble == nil || time.Since(p.since) < troublePatience {
		return nil
	}
	return fmt.Errorf("%w since %s (free space or rights on its folder, then it goes on by itself): %w", errStuck, p.since.UTC().Format(time.RFC3339), p.trouble)
}

// errStuck is what those who wait get of a store that takes nothing.
var errStuck = errors.New("the store has taken nothing")
