package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"hansei/ingest"
)

// scanCmd reads session files and makes the report of them.
type scanCmd struct {
	Dirs   []string `arg:"" optional:"" help:"Folders to look in: home folders, or folders of session files. Default: where Claude Code, Codex and Gemini CLI keep theirs for you." placeholder:"DIR"`
	Month  string   `help:"Month of the report. Default: that of the newest event found." placeholder:"YYYY-MM"`
	Format string   `help:"md, html, json or csv; without it what the ending of --output says, else md." placeholder:"FORMAT"`
	Lang   string   `help:"en or ja (default ${default})." default:"en" placeholder:"LANG"`
	Output string   `short:"o" help:"File for the report; default stdout." placeholder:"FILE"`
}

// Run reads only what tells of errors and of the successes behind them. What
// was read before is recognised by its ids, so that scanning again is harmless.
func (c *scanCmd) Run(a *app) error {
	report := reportCmd{Format: c.Format, Lang: c.Lang, Output: c.Output}
	if c.Month != "" {
		if _, err := spanOf(url.Values{"month": {c.Month}, "timezone": {a.Timezone}}); err != nil {
			return err // before anything is read
		}
	}
	files, err := c.find()
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(file ingest.SessionFile) bool {
		if file.Err != nil {
			fmt.Fprintf(a.err, "left out: %v\n", file.Err)
		}
		return file.Err != nil
	})
	if len(files) == 0 {
		fmt.Fprintln(a.err, "no session files of Claude Code, Codex or Gemini CLI were found; name the folders that hold them: hansei scan DIR")
		return nil
	}
	b, err := a.openBackend()
	if err != nil {
		return err
	}
	newest, unread, err := a.sendSessions(b, files)
	if report.Month = c.Month; report.Month == "" && !newest.IsZero() {
		report.Month = newest.In(a.location).Format("2006-01")
	}
	var answer bytes.Buffer
	if err == nil && report.Month != "" {
		err = b.get(a.ctx, "report", report.values(a), &answer)
	}
	if err = errors.Join(err, b.Close()); err != nil {
		return err
	}
	if report.Month == "" {
		fmt.Fprintln(a.err, "none of these sessions tells of an error")
		return unread
	}
	return errors.Join(a.deliver(answer.Bytes(), c.Output), unread)
}

// find lists the files of the folders, each once.
func (c *scanCmd) find() ([]ingest.SessionFile, error) {
	if len(c.Dirs) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("your home folder: %w; name the folder: hansei scan DIR", err)
		}
		return ingest.HomeSessions(home, os.Getenv)
	}
	var files []ingest.SessionFile
	seen := map[string]bool{}
	for _, dir := range c.Dirs {
		found, err := ingest.Sessions(dir)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if !seen[file.Path] {
				seen[file.Path] = true
				files = append(files, file)
			}
		}
	}
	return files, nil
}

// sendSessions publishes what the files tell of, waits until it is stored, says
// what became of it, and returns when the newest of it happened. That files
// could not be read is an error of its own: the others have their report.
func (a *app) sendSessions(b backend, files []ingest.SessionFile) (newest time.Time, unread, err error) {
	client, err := b.connect()
	if err != nil {
		return newest, nil, err
	}
	size, count := int64(0), map[*ingest.Format]int{}
	for _, file := range files {
		size += file.Size
		count[file.Format]++
	}
	s := a.newSender(client, size)
	s.joiner = &joiner{b: b}
	for _, file := range files {
		err = s.file(file.Path, file.Format, ingest.Options{Growing: true})
		if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(a.err, "left out: %v\n", err) // it was removed in between, or is another user's
			err = nil
		}
		if err = s.tellUnread(err, true, &s.unread); err != nil {
			break
		}
	}
	sent, err := s.flush(err)
	if err != nil {
		return sent.newest, nil, err
	}
	ledger, err := receipt(a.ctx, b, sent.receipt.Sequences)
	if err != nil {
		return sent.newest, nil, err
	}
	var sources []string
	for _, format := range ingest.Formats {
		if n := count[format]; n > 0 {
			sources = append(sources, fmt.Sprintf("%d of %s", n, format.Name))
		}
	}
	fmt.Fprintf(a.err, "%d session files (%s): %d events, %d of them new", len(files), strings.Join(sources, ", "), sent.events, ledger.Stored)
	if sent.bad > 0 {
		fmt.Fprintf(a.err, "; %d records were broken, see above, and are in quarantine", sent.bad)
	}
	fmt.Fprintln(a.err)
	sent.bad = 0 // said
	return sent.newest, sent.badError(), nil
}
