package stream_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// An agent reports two attempts of one operation. Against a running
// `hansei serve` it would set URL to nats://127.0.0.1:4222 instead of Dir.
func Example() {
	dir, err := os.MkdirTemp("", "hansei")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	client, err := stream.Open(ctx, stream.Options{Dir: dir, Name: "my-agent"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	start := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	publisher := client.NewPublisher()
	for _, e := range []ingest.Event{
		{Time: start, Agent: "my-agent", Operation: "fetch", Incident: "run-7/fetch", Attempt: ingest.Some[int64](1), Code: "429", Message: "Too Many Requests"},
		{Time: start.Add(5 * time.Second), Agent: "my-agent", Operation: "fetch", Incident: "run-7/fetch", Attempt: ingest.Some[int64](2), Kind: ingest.Success},
	} {
		if err := publisher.Publish(ctx, &e, stream.Header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")); err != nil {
			log.Fatal(err)
		}
	}
	receipt, err := publisher.Flush(ctx)
	fmt.Println(receipt.Acked, "of", receipt.Published, "acked:", err)
	// Output: 2 of 2 acked: <nil>
}
