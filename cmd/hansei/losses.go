package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"hansei/analyze"
	"hansei/ingest/stream"
	"hansei/queries"
)

// lossWords say what was lost, for the log and doctor.
var lossWords = map[queries.LossKind]string{
	queries.LostBetween: "messages left the stream before they were stored",
	queries.LostEnd:     "the stream lost its end: it was damaged, or an older copy was put back; what it held behind this and was not stored is lost",
	queries.LostStream:  "the stream was made anew, or is another server's; what the one before held behind this was not stored",
	queries.LostStart:   "there was no store, and the stream does not begin with its first message; what came before is not in the new store",
}

// messagesLost tells how many messages were lost, where that is known.
func messagesLost(l queries.Loss) string {
	if !l.Messages.Valid {
		return "unknown"
	}
	return fmt.Sprint(l.Messages.V)
}

// sumLosses sums up the messages that are known to be lost, and counts the losses
// of which nobody knows how many.
func sumLosses(all []queries.Loss) (messages, unknown uint64) {
	for _, l := range all {
		switch {
		case !l.Messages.Valid:
			unknown++
		case l.Kind != queries.LostStart:
			messages += l.Messages.V
		}
	}
	return messages, unknown
}

// toldFor is how long doctor takes a loss for a problem: as long as a new stream
// keeps messages, from which a store is made anew. Reports of the time that it
// concerns tell of it always.
const toldFor = 30 * 24 * time.Hour

// losses tells what was lost of the stream before it was stored.
func (c *checkup) losses(ctx context.Context, store *analyze.Store, now time.Time) {
	all, err := queries.Losses(ctx, store.Reader(), queries.Always())
	if err != nil {
		c.problem("losses", rebuildHint, "%v", err)
		return
	}
	told := 0
	for _, l := range all {
		if now.Sub(l.Noticed) > toldFor {
			continue
		}
		told++
		c.problem("losses", "publish or import it again where it is still known; this is told for 30 days", "noticed at %s: %s; behind message %d, messages: %s",
			l.Noticed.UTC().Format(time.RFC3339), lossWords[l.Kind], l.Behind, messagesLost(l))
	}
	if told == 0 {
		c.ok("losses", "nothing was lost before it was stored in the last 30 days")
	}
}

// checkAside tells of what was moved out of the stream because it was damaged.
func (a *app) checkAside(check *checkup) {
	found, _ := filepath.Glob(filepath.Join(a.Data, stream.AsideGlob)) // the pattern is right
	for _, folder := range found {
		check.problem("stream", "keep it while its messages may be wanted, then delete it: in its *.blk files each stands as it was published, readable where the block is not packed, and can be copied from there into a file for hansei publish", "%s has files of the stream that were damaged", folder)
	}
}
