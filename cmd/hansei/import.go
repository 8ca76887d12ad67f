package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"hansei/ingest"
	"hansei/ingest/stream"
)

// importCmd publishes files of a known source and waits until they are stored.
type importCmd struct {
	Format string   `required:"" help:"Format of the files: hansei (JSON Lines of events) or agentskills (YAML)." placeholder:"FORMAT"`
	Files  []string `arg:"" help:"Files to read; - is stdin." placeholder:"FILE"`
}

// Run imports and prints the ledger of what it sent.
func (c *importCmd) Run(a *app) error {
	format, err := ingest.FormatNamed(c.Format)
	if err != nil {
		return usageError{err}
	}
	b, err := a.openBackend()
	if err != nil {
		return err
	}
	client, err := b.connect()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	sent, err := a.sendFiles(client, format, c.Files)
	var ledger importLedger
	if err == nil {
		ledger, err = receipt(a.ctx, b, sent.receipt.Sequences)
	}
	if err == nil {
		ledger.Published = int64(sent.events + sent.bad)
		ledger.Deduplicated = ledger.Published - ledger.Stored - ledger.Quarantined
		err = json.NewEncoder(a.out).Encode(ledger)
	}
	return errors.Join(err, sent.badError(), b.Close())
}

// An importLedger is what became of the records of one import.
type importLedger struct {
	Published    int64 `json:"published"`
	Stored       int64 `json:"stored"`
	Deduplicated int64 `json:"deduplicated"`
	Quarantined  int64 `json:"quarantined"`
	Expired      int64 `json:"expired"`
}

// rangesError says that a request for a receipt is not well formed.
func rangesError(ranges []stream.Range) error {
	for _, r := range ranges {
		if r.First > r.Last {
			return fmt.Errorf("range %d to %d is empty", r.First, r.Last)
		}
	}
	return nil
}
