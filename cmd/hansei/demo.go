package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"hansei/analyze"
	"hansei/cmd/hansei/fleet"
	"hansei/deliver"
)

// demoCmd runs a made-up fleet through the real pipeline.
type demoCmd struct {
	Serve  bool   `help:"Keep the pages up afterwards, see hansei serve --help for the addresses."`
	NoOpen bool   `help:"Do not open the report."`
	Lang   string `help:"Language of the report that is opened: en or ja." default:"en" enum:"en,ja"`
	Listen string `help:"Address of the pages with --serve (default ${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
}

// The demo is the same on every machine and every day.
var (
	demoFrom   = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	demoMonths = 3
)

const demoSeed = 20260101

// demoShown is how many suggestions the demo prints; the report has all.
const demoShown = 6

// demoFolder keeps the demo apart from a user's own data.
const demoFolder = "hansei-demo"

// Run publishes three months of events over NATS, stores them and writes the
// report of each month.
func (c *demoCmd) Run(a *app) error {
	if a.Data == "hansei-data" {
		a.Data = demoFolder
	}
	start := time.Now()
	b, err := a.openBackend()
	if err != nil {
		return err
	}
	ledger, err := a.publishFleet(b)
	if err == nil {
		took := time.Since(start).Round(100 * time.Millisecond)
		fmt.Fprintf(a.out, "%d events of five made-up agents went over NATS into %s in %v: %d stored, %d there already.\n",
			ledger.Published, a.Data, took, ledger.Stored, ledger.Deduplicated)
		err = a.writeDemoReports(b)
	}
	if err == nil {
		err = a.printDemoTuning(b)
	}
	if err := errors.Join(err, b.Close()); err != nil {
		return err
	}
	if !c.NoOpen && terminal(a.out) {
		openFile(a.demoReport(demoMonths-1, c.Lang, "html"))
	}
	if !c.Serve {
		return nil
	}
	fmt.Fprintf(a.out, "The pages are at http://%s until you press Ctrl-C.\n", c.Listen)
	serve := serveCmd{Listen: c.Listen, NATSListen: "127.0.0.1:4222"}
	return serve.Run(a)
}

func (a *app) publishFleet(b backend) (importLedger, error) {
	client, err := b.connect()
	if err != nil {
		return importLedger{}, err
	}
	publisher := client.NewPublisher()
	events := fleet.Events(fleet.Options{Seed: demoSeed, From: demoFrom, Months: demoMonths})
	for i := range events {
		if err := publisher.Publish(a.ctx, &events[i]); err != nil {
			return importLedger{}, err
		}
	}
	sent, err := publisher.Flush(a.ctx)
	if err != nil {
		return importLedger{}, err
	}
	ledger, err := receipt(a.ctx, b, sent.Sequences)
	ledger.Published = int64(sent.Published)
	ledger.Deduplicated = ledger.Published - ledger.Stored - ledger.Quarantined
	return ledger, err
}

func demoMonth(i int) string { return demoFrom.AddDate(0, i, 0).Format("2006-01") }

// demoReport is the file of a month's report.
func (a *app) demoReport(month int, lang, format string) string {
	return filepath.Join(a.Data, fmt.Sprintf("report-%s.%s.%s", demoMonth(month), lang, format))
}

func (a *app) writeDemoReports(b backend) error {
	for month := range demoMonths {
		for _, lang := range []string{"en", "ja"} {
			for _, format := range []string{"html", "md"} {
				var answer bytes.Buffer
				values := url.Values{"month": {demoMonth(month)}, "format": {format}, "lang": {lang}, "timezone": {a.Timezone}}
				if err := b.get(a.ctx, "report", values, &answer); err != nil {
					return err
				}
				if err := deliver.WriteWhole(a.demoReport(month, lang, format), answer.Bytes()); err != nil {
					return err
				}
			}
		}
	}
	last := demoMonths - 1
	fmt.Fprintf(a.out, "Report of %s: %s (日本語: %s), and as Markdown beside it.\n", demoMonth(last), a.demoReport(last, "en", "html"), a.demoReport(last, "ja", "html"))
	return nil
}

// printDemoTuning prints what the tuner would change, from all three months.
func (a *app) printDemoTuning(b backend) error {
	var answer bytes.Buffer
	values := url.Values{
		"from": {demoFrom.Format(time.DateOnly)}, "to": {demoFrom.AddDate(0, demoMonths, -1).Format(time.DateOnly)},
		"format": {"json"}, "timezone": {a.Timezone},
	}
	if err := b.get(a.ctx, "tune", values, &answer); err != nil {
		return err
	}
	var tuning analyze.Tuning
	if err := json.Unmarshal(answer.Bytes(), &tuning); err != nil {
		return err
	}
	count := map[analyze.Verdict]int{}
	for _, s := range tuning.Suggestions {
		count[s.Verdict]++
	}
	fmt.Fprintf(a.out, "The tuner looked at %d thresholds: raise %d, lower %d, keep %d, too little data %d.\n", len(tuning.Suggestions),
		count[analyze.Raise], count[analyze.Lower], count[analyze.Keep], count[analyze.TooLittleData])
	shown := 0
	for _, s := range tuning.Suggestions {
		if (s.Verdict == analyze.Raise || s.Verdict == analyze.Lower) && shown < demoShown {
			shown++
			fmt.Fprintf(a.out, "  %s %s, %s: %s %s to %d. %s\n", s.Scope.Agent, s.Scope.Operation, s.Scope.Category, s.Verdict, s.Knob, *s.Suggested, s.Reason.EN)
		}
	}
	fmt.Fprintf(a.out, "All of them: hansei tune --data %s --from %s --to %s\n", a.Data, values.Get("from"), values.Get("to"))
	return nil
}

// openFile opens a file in the user's browser; where there is none, the path
// that was printed is enough.
func openFile(path string) {
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	}
	if exec.Command(opener, path).Start() != nil {
		return
	}
}
