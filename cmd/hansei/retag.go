package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing/fstest"
	"text/tabwriter"
	"time"

	"hansei/analyze"
	"hansei/classify"
	"hansei/queries"
)

type rulesDiffCmd struct {
	Apply bool `help:"Give the stored events their new tags."`
}

// Run compares the rules in --rules, or the built-in ones, with the tags in the store.
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

// allTime is every event: rules are compared over the whole history.
var allTime = queries.Span{From: time.Unix(0, 0), To: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Location: time.UTC}

func answerRetag(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	classifier, err := classifierFrom(values.Get("rules"))
	if err != nil {
		return usageError{err}
	}
	apply := values.Get("apply") == "true"
	moves, err := p.store.Retag(ctx, allTime, classifier, apply)
	if err != nil {
		return err
	}
	if len(moves) == 0 {
		fmt.Fprintln(w, "nothing moves")
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "events\tfrom\tto\trule\texample")
	total := 0
	for _, m := range moves {
		total += m.Count
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\n", m.Count, m.From, m.To, m.Rule, shortLine(m.Examples[0]))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	verb := "would move; --apply moves them"
	if apply {
		verb = "moved"
	}
	_, err = fmt.Fprintf(w, "%d events %s\n", total, verb)
	return err
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

type rulesSuggestCmd struct {
	Month string `help:"Month to look at, such as 2026-01; without it all that is stored." placeholder:"YYYY-MM"`
	Most  int    `help:"How many groups at most (default ${default})." default:"20" placeholder:"N"`
}

// Run prints the skeletons.
func (c *rulesSuggestCmd) Run(a *app) error {
	return a.ask("unmatched", url.Values{"month": {c.Month}, "most": {strconv.Itoa(c.Most)}, "timezone": {a.Timezone}}, "")
}

func answerUnmatched(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span := allTime
	if values.Get("month") != "" {
		var err error
		if span, err = spanOf(values); err != nil {
			return err
		}
	}
	most, err := strconv.Atoi(values.Get("most"))
	if err != nil || most < 1 {
		return usageError{fmt.Errorf("most %q: want a number from 1", values.Get("most"))}
	}
	groups, err := p.store.Unmatched(ctx, span, most)
	if err != nil {
		return err
	}
	if len(groups) == 0 {
		fmt.Fprintln(w, "# every failure was matched by a rule")
		return nil
	}
	var out bytes.Buffer
	out.WriteString("# What no rule matched, most frequent first. Put an entry into <category>.yaml of a folder,\n# mend its phrases and why, add a counterexample, then: hansei rules test DIR\n")
	for i, g := range groups {
		skeleton(&out, i+1, &g)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// skeleton writes a rule for a group; JSON strings are YAML strings.
func skeleton(out *bytes.Buffer, number int, g *analyze.Unmatched) {
	quote := func(texts ...string) string {
		text, err := json.Marshal(texts)
		if err != nil {
			panic(err) // strings always marshal
		}
		return string(text)
	}
	if longestPart(g.Template) == "" {
		fmt.Fprintf(out, "\n# %d stored events have no message to make a rule of\n", g.Count)
		return
	}
	fmt.Fprintf(out, "\n# moves %d stored events\n- name: unmatched-%d\n  phrases: %s\n  why: \"\"\n  advice: {en: \"\", ja: \"\"}\n  examples: %s\n  counterexamples: []\n",
		g.Count, number, quote(longestPart(g.Template)), quote(g.Examples...))
}

// longestPart is the longest piece of a template between its masks.
func longestPart(template string) string {
	best := ""
	for _, part := range strings.FieldsFunc(template, func(r rune) bool { return r == '<' || r == '>' || r == '\n' }) {
		if part = strings.TrimSpace(part); len(part) > len(best) {
			best = part
		}
	}
	return best
}
