package ingest

import "cmp"

// sandboxFailures are the events of a plugin's worker that tell of a failure,
// with words for those that carry none. Blocked imports and modules are no
// failures: the sandbox did what it is for.
var sandboxFailures = map[string]string{
	"sandbox:worker_crashed":        "sandbox worker crashed",
	"sandbox:memory_limit_exceeded": "sandbox worker exceeded its memory limit: out of memory",
	"sandbox:worker_stalled":        "sandbox worker stalled and timed out",
	"sandbox:signature_failed":      "plugin signature verification failed",
	"sandbox:audit_log_error":       "the sandbox's audit log cannot be written",
}

// sandbox takes an event of a plugin's worker. Crashes of one plugin are one
// incident until it is restarted, or may not be any more.
func (b *starryBus) sandbox(e *starryEvent) {
	plugin := e.payload.text("pluginName", "plugin", "workerId", "name")
	key := e.agent + "\x00sandbox\x00" + plugin
	chain := b.chains[key]
	switch e.kind {
	case "sandbox:worker_restarted":
		if chain != nil {
			delete(b.chains, key)
			ev := chain.next(e)
			ev.Kind, ev.WaitMS = Success, e.payload.whole("backoffMs")
			b.emit(e, ev)
		}
		return
	case "sandbox:worker_restart_exhausted":
		if chain != nil {
			delete(b.chains, key)
			ev := chain.ending("abandoned")
			ev.MaxRetries = e.payload.whole("maxRestarts")
			b.emit(e, ev)
		}
		return
	}
	words, failed := sandboxFailures[e.kind]
	if !failed {
		return
	}
	if chain == nil {
		chain = &starryChain{worker: true, operation: cmp.Or(plugin, "sandbox"), incident: contentName("worker-", key, stamp(e.time), e.kind)}
		b.chains[key] = chain
	}
	ev := chain.next(e)
	ev.Component, ev.Code = "sandbox", e.kind
	ev.Message = cmp.Or(e.payload.text("error.message", "error", "message", "reason"), words)
	ev.DurationMS = e.payload.whole("elapsedMs")
	b.emit(e, ev)
}
