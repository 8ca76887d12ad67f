package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// meters count what happened in this process; what the books know is asked of them.
type meters struct {
	agents atomic.Pointer[ingest.Receiver] // which knows what it left out; nil outside serve

	mu       sync.Mutex
	scrubbed map[string]int // by kind of secret
	appends  [len(appendBounds) + 1]uint64
	appended time.Duration
}

// appendBounds are the upper bounds of the histogram of batches: from one that
// holds a few events to one on a disk that cannot follow.
var appendBounds = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}

func (m *meters) addAppend(took time.Duration) {
	i := 0
	for i < len(appendBounds) && took.Seconds() > appendBounds[i] {
		i++
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.appends[i]++
	m.appended += took
}

func (m *meters) addScrubbed(counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.scrubbed == nil {
		m.scrubbed = map[string]int{}
	}
	for kind, n := range counts {
		m.scrubbed[kind] += n
	}
}

func (m *meters) scrubbedOf(kind string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scrubbed[kind]
}

// serveMetrics answers in the text format of Prometheus, version 0.0.4.
func serveMetrics(w http.ResponseWriter, r *http.Request, p *pipeline) {
	var page bytes.Buffer
	if err := p.writeMetrics(r.Context(), &page); err != nil {
		http.Error(w, withWayOut(err).Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	if _, err := w.Write(page.Bytes()); err != nil {
		p.log.Debug("metrics not taken", "err", err)
	}
}

func (p *pipeline) writeMetrics(ctx context.Context, w io.Writer) error {
	ledger, err := queries.LedgerBySource(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	quarantined, err := queries.QuarantineSize(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	losses, err := queries.Losses(ctx, p.store.Reader(), queries.Always())
	if err != nil {
		return err
	}
	tip, err := p.client.Tip(ctx)
	if err != nil {
		return err
	}
	stored := p.stored().Sequence
	family(w, "hansei_build_info", "gauge", "The program that answers.")
	fmt.Fprintf(w, "hansei_build_info{version=%s,go=%s} 1\n", label(version), label(runtime.Version()))
	family(w, "hansei_ledger_events", "gauge", "The books of all time: published = stored + deduplicated + quarantined + expired.")
	for _, l := range ledger {
		for _, column := range []struct {
			name  string
			value int64
		}{{"published", l.Published}, {"stored", l.Stored}, {"deduplicated", l.Deduplicated}, {"quarantined", l.Quarantined}, {"expired", l.Expired}} {
			fmt.Fprintf(w, "hansei_ledger_events{source=%s,column=%s} %d\n", label(l.Source), label(column.name), column.value)
		}
	}
	gauge(w, "hansei_stream_sequence", "Last message of the stream.", tip.Sequence)
	gauge(w, "hansei_stored_sequence", "Last message of the stream that is stored.", stored)
	gauge(w, "hansei_lag_messages", "Messages of the stream that are not stored yet.", tip.Sequence-min(stored, tip.Sequence))
	lost, unknown := sumLosses(losses)
	gauge(w, "hansei_lost_messages", "Messages that the stream lost before they were stored, of all time; the ledger has them in expired of no source.", lost)
	gauge(w, "hansei_losses_unknown", "Times that the stream lost messages before they were stored, and nobody knows how many.", unknown)
	gauge(w, "hansei_quarantine_rows", "Pieces of bad input in quarantine.", uint64(quarantined))
	gauge(w, "hansei_store_bytes", "Bytes of the store and its log on disk.", uint64(p.store.Size()))
	var refused uint64
	if p.rules.state().Refused != nil {
		refused = 1
	}
	gauge(w, "hansei_rules_refused", "1 while the folder of rules is refused, and older rules are in force.", refused)
	p.writeDeliveries(ctx, w)
	p.meters.write(w)
	return nil
}

func (m *meters) write(w io.Writer) {
	family(w, "hansei_scrubbed_total", "counter", "Secrets replaced since the program started, by kind.")
	for _, kind := range ingest.SecretKinds() {
		fmt.Fprintf(w, "hansei_scrubbed_total{kind=%s} %d\n", label(kind), m.scrubbedOf(kind))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	family(w, "hansei_append_seconds", "histogram", "Time to store one batch since the program started.")
	var sum uint64
	for i, bound := range appendBounds {
		sum += m.appends[i]
		fmt.Fprintf(w, "hansei_append_seconds_bucket{le=\"%v\"} %d\n", bound, sum)
	}
	sum += m.appends[len(appendBounds)]
	fmt.Fprintf(w, "hansei_append_seconds_bucket{le=\"+Inf\"} %d\nhansei_append_seconds_sum %v\nhansei_append_seconds_count %d\n", sum, m.appended.Seconds(), sum)
}

func family(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func gauge(w io.Writer, name, help string, value uint64) {
	family(w, name, "gauge", help)
	fmt.Fprintf(w, "%s %d\n", name, value)
}

// label quotes a label's value as the format wants it.
func label(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "\uFFFD")) + `"`
}
