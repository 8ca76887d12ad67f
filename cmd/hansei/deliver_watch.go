package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"hansei/deliver"
	"hansei/ingest/stream"
)

// writeDeliveries writes how many deliveries there are of each way and state.
// While the register cannot be read, which the log tells, they are left out.
func (p *pipeline) writeDeliveries(ctx context.Context, w io.Writer) {
	records, err := p.deliveries(ctx)
	if err != nil {
		p.log.Warn("metrics of deliveries", "err", err)
		return
	}
	count := map[[2]string]int{}
	for _, r := range records {
		count[[2]string{r.Way, string(r.State)}]++
	}
	family(w, "hansei_deliveries", "gauge", "Reports to deliver and delivered in the last 400 days, by way and state.")
	for _, way := range deliver.Ways() {
		for _, state := range deliver.States {
			fmt.Fprintf(w, "hansei_deliveries{way=%s,state=%s} %d\n", label(way), label(string(state)), count[[2]string{way, string(state)}])
		}
	}
}

// deliveries looks for reports that did not reach anybody.
func (c *checkup) deliveries(ctx context.Context, client *stream.Client) {
	records, err := deliver.Records(ctx, client.Register(stream.Deliveries))
	if err != nil {
		c.problem("deliveries", "look at the NATS server", "%v", err)
		return
	}
	troubles, waiting := 0, 0
	for _, r := range records {
		switch {
		case r.Troubles(time.Now()):
			troubles++
			c.problem("deliveries", "correct the settings of serve, then hansei deliver --"+string(r.Kind)+" "+r.Period, "%s by %s to %s: %s", r.Period, r.Way, r.To, r.Error())
		case r.State == deliver.Waiting:
			waiting++
		}
	}
	if troubles == 0 {
		c.ok("deliveries", "%d, of which %d wait to be tried again", len(records), waiting)
	}
}
