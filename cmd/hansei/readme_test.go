package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"hansei/classify"
	"hansei/queries/golden"
)

const readme = "../../README.md"

// The table of categories is made from the closed list; -update writes it.
func TestReadmeCategories(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), "<!-- categories -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- /categories -->")
	if !ok1 || !ok2 {
		t.Fatal("README.md has no markers for the table of categories")
	}
	var table strings.Builder
	table.WriteString("| category | taxonomy | retryable | meaning |\n| --- | --- | --- | --- |\n")
	for _, row := range classify.Categories {
		retryable := "no"
		if row.Retryable {
			retryable = "yes"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", row.Name, row.Taxonomy, retryable, row.Meaning)
	}
	golden.File(t, readme, before+"<!-- categories -->\n"+table.String()+"<!-- /categories -->"+after)
}

// Every command that the README shows is one that the program has, and every
// file that it points at is there.
func TestReadmeIsTrue(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 150 {
		t.Errorf("README.md has %d lines, at most 150 are read", n)
	}
	var known strings.Builder
	err = run(t.Context(), []string{"help"}, streams{strings.NewReader(""), &known, &known})
	if exitCode(err) != 0 {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?m)(?:bin/|`)hansei ([a-z]+)").FindAllStringSubmatch(string(text), -1)
	if len(shown) < 8 {
		t.Errorf("only %d commands found in README.md", len(shown))
	}
	for _, m := range shown {
		if m[1] != "help" && !regexp.MustCompile(`(?m)^  `+m[1]+`\b`).MatchString(known.String()) {
			t.Errorf("README.md shows hansei %s, which hansei help does not know", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat("../../" + m[1]); err != nil {
			t.Errorf("README.md points at %v", err)
		}
	}
}
