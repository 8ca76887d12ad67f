package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/ingest/stream"
)

// importCmd publishes files of a known source and waits until they are stored.
type importCmd struct {
	sourceFlags
	Files []string `arg:"" help:"Files to read, plain or gzip; - is stdin." placeholder:"FILE"`
}

// sourceFlags say how the records of a source are read.
type sourceFlags struct {
	Format string   `env:"HANSEI_SOURCE_FORMAT" help:"Format of the records: ${formats}." placeholder:"FORMAT"`
	Map    []string `help:"For foreign JSON Lines: where the fields of an event stand, like message=err.msg,time=ts." placeholder:"FIELD=PATH"`
	Agent  string   `help:"Agent of records that name none, with --map and with --format text." placeholder:"NAME"`
}

// format returns the format, and how its records are read; mistakes are usage errors.
func (f *sourceFlags) format() (*ingest.Format, ingest.Options, error) {
	var o ingest.Options
	format, err := ingest.FormatNamed(cmp.Or(f.Format, ingest.Native))
	if err != nil {
		return nil, o, usageError{err}
	}
	o.Agent = f.Agent
	if len(f.Map) > 0 {
		if format.Name != ingest.Native {
			return nil, o, usageError{errors.New("--map is for JSON Lines; leave out --format")}
		}
		if o.Map, err = ingest.ParseFieldMap(f.Map); err != nil {
			return nil, o, usageError{fmt.Errorf("--%v", err)}
		}
	}
	return format, o, nil
}

// parquet is the name of the format of export's files, which are no text.
const parquet = "parquet"

// opened is format for what import reads: Parquet as well.
func (c *importCmd) opened(a *app) (*ingest.Format, ingest.Options, error) {
	if c.Format != parquet {
		return c.format()
	}
	if len(c.Map) > 0 {
		return nil, ingest.Options{}, usageError{errors.New("--map is for JSON Lines; leave out --format")}
	}
	var err error
	if c.Files, err = parquetFiles(c.Files); err != nil {
		return nil, ingest.Options{}, err
	}
	return &ingest.Format{Name: parquet, Read: func(_ io.Reader, o ingest.Options) iter.Seq2[ingest.Record, error] {
		return analyze.ReadParquet(a.ctx, o.Name, a.Memory, o.Now)
	}}, ingest.Options{}, nil
}

// Help lists the formats, and what each can show.
func (f *sourceFlags) Help() string {
	var b strings.Builder
	b.WriteString("Formats, and what each can show of an incident (coverage):\n")
	for _, format := range ingest.Formats {
		fmt.Fprintf(&b, "\n  %s: %s [%v]", format.Name, format.About, format.Coverage)
	}
	return b.String()
}

// formatNames lists the formats for the help of a flag.
func formatNames() string {
	var names []string
	for _, format := range ingest.Formats {
		names = append(names, format.Name)
	}
	names = append(names, parquet+" (import only)")
	return strings.Join(names, ", ")
}

// Run imports and prints the ledger of what it sent.
func (c *importCmd) Run(a *app) error {
	if c.Format == "" && len(c.Map) == 0 {
		if guess := ingest.Guess(c.Files[0]); guess != nil {
			return usageError{fmt.Errorf("missing --format; %s looks like %[2]s: --format %[2]s", c.Files[0], guess.Name)}
		}
		return usageError{fmt.Errorf("missing --format; say what the files are: %s", formatNames())}
	}
	format, o, err := c.opened(a)
	if err != nil {
		return err
	}
	if err := c.tryMap(); err != nil {
		return err
	}
	b, err := a.openBackend()
	if err != nil {
		return err
	}
	client, err := b.connect()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	s := a.newSender(client, total(c.Files))
	s.joiner = &joiner{b: b}
	sent, err := s.files(format, o, c.Files)
	a.tellMissing(o.Map)
	var ledger importLedger
	if err == nil {
		ledger, err = receipt(a.ctx, b, sent.receipt.Sequences)
	}
	if err == nil {
		ledger.Published = int64(sent.events + sent.bad)
		ledger.Deduplicated = ledger.Published - ledger.Stored - ledger.Quarantined
		err = json.NewEncoder(a.out).Encode(ledger)
	}
	if err == nil && format.Name == parquet {
		fmt.Fprintln(a.err, exportLacks)
	}
	return errors.Join(err, sent.badError(), b.Close())
}

// exportLacks says in what a store read back may differ from the one exported.
const exportLacks = "note: an export holds events alone: their tags were made anew by the rules in force here (see --rules), and what the old books counted as deduplicated, quarantined or expired is not in these"

// tryMap reads the files as mapped until one record has its message, before
// anything is sent: without their text, events say nothing. Standard input can
// be read only once, and is told of afterwards, as is a file that cannot be read.
func (c *importCmd) tryMap() error {
	format, o, err := c.format()
	if err != nil || o.Map == nil || slices.Contains(c.Files, "-") || c.Format == parquet {
		return nil // told when it is read
	}
	for _, name := range c.Files {
		file, err := os.Open(name)
		if err != nil {
			continue
		}
		defer file.Close()
		text, err := textOf(format, name, file)
		if err != nil {
			continue
		}
		o.Name = name
		for _, err := range format.Read(text, o) {
			if err != nil {
				break
			}
			if !o.Map.Lacks("message") {
				return nil
			}
		}
	}
	for _, m := range o.Map.Missing() {
		if m.Name == "message" {
			return fmt.Errorf("--map message=%s: none of the %d records has %[1]s, so every event would lose its text; nothing was sent\ncorrect the path: names set off by dots, as they stand in the records", m.Path, m.Records)
		}
	}
	return nil
}

// tellMissing says which mapped paths were not in all records; m may be nil.
func (a *app) tellMissing(m *ingest.FieldMap) {
	if m == nil {
		return
	}
	for _, f := range m.Missing() {
		fmt.Fprintf(a.err, "--map %s=%s: not in %d of %d records\n", f.Name, f.Path, f.Missing, f.Records)
	}
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
