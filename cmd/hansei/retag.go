package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing/fstest"
	"text/tabwriter"

	"hansei/analyze"
	"hansei/classify"
	"hansei/queries"
)

type rulesDiffCmd struct {
	Apply bool `help:"Give the stored events their new tags."`
}

// Run compares the rules in --rules, or else those that are in force, with the
// tags in the store.
func (c *rulesDiffCmd) Run(a *app) error {
	files, err := readRulesFolder(a.Rules)
	if err != nil {
		return err
	}
	text, err := json.Marshal(files)
	if err != nil {
		return err
	}
	return a.ask("retag", url.Values{"rules": {string(text)}, "apply": {strconv.FormatBool(c.Apply)}}, "")
}

func answerRetag(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	classifier, err := p.retagRules(values.Get("rules"), w)
	if err != nil {
		return usageError{err}
	}
	builtin, err := classify.New(classify.Builtin())
	if err != nil {
		return err
	}
	apply := values.Get("apply") == "true"
	moves, err := p.store.Retag(ctx, queries.Always(), classifier, apply, builtin, p.rules.now())
	if err != nil {
		return err
	}
	return tellMoves(w, moves, apply, p.live)
}

// noRules is what a command sends that was given no --rules.
const noRules = "null"

// retagRules returns the rules that the stored tags are compared with: those
// that were sent, else those in force here, of which it says where they lie. To
// take the built-in ones would offer to undo the tags of the folder's rules.
func (p *pipeline) retagRules(sent string, w io.Writer) (*classify.Classifier, error) {
	if sent != noRules {
		return classifierFrom(sent)
	}
	if dir := p.rules.state().Path; dir != "" {
		fmt.Fprintf(w, "by the rules of %s, which the running hansei serve follows\n", dir)
	}
	return p.rules.now(), nil
}

// tellMoves writes what moves, and which of it other rules would move alike:
// the built-in ones, which may be newer than the tags, and those of serve.
func tellMoves(w io.Writer, moves []analyze.Move, apply, live bool) error {
	if len(moves) == 0 {
		fmt.Fprintln(w, "nothing moves")
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "events\tfrom\tto\trule\texample")
	total, builtin, serving := 0, 0, 0
	for _, m := range moves {
		total, builtin, serving = total+m.Count, builtin+m.Same[0], serving+m.Same[1]
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\n", m.Count, m.From, m.To, m.Rule, shortLine(m.Examples[0]))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	verb := "would move; with --apply"
	if apply {
		verb = "moved"
	}
	fmt.Fprintf(w, "%s %s\n", counted(total, "event", "events"), verb)
	if builtin > 0 && builtin < total {
		fmt.Fprintf(w, "%d of them by the rules of the folder, %d as the built-in rules tag them without it\n", total-builtin, builtin)
	}
	if live && serving < total {
		fmt.Fprintf(w, "warning: the running hansei serve tags %d of them otherwise, and what comes too; start it with --rules and the same folder\n", total-serving)
	}
	return nil
}

// classifierFrom makes a classifier of rules files sent as JSON; none are the
// built-in rules.
func classifierFrom(text string) (*classify.Classifier, error) {
	var files map[string]string
	if err := json.Unmarshal([]byte(text), &files); err != nil {
		return nil, fmt.Errorf("rules: %v", err)
	}
	if len(files) == 0 {
		return classify.New(classify.Builtin())
	}
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rules, err := classify.Load(folder)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return classify.New(rules)
}

// shortLine is the beginning of a message on one line of a terminal.
func shortLine(message string) string {
	const width = 80
	line := []rune(strings.Join(strings.Fields(message), " "))
	if len(line) <= width {
		return string(line)
	}
	return string(line[:width-1]) + "…"
}
