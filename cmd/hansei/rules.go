package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"hansei/analyze"
	"hansei/classify"
	"hansei/ingest"
)

// rulesCmd works on the classifier's rules.
type rulesCmd struct {
	List    rulesListCmd    `cmd:"" help:"List the rules in the order of precedence among equals."`
	Explain rulesExplainCmd `cmd:"" help:"Tell which rules were considered for a message, which won, and why."`
	Test    rulesTestCmd    `cmd:"" help:"Try the examples and counterexamples of a folder of rules."`
	Diff    rulesDiffCmd    `cmd:"" help:"Show what a folder of rules would move in the stored history; --apply moves it."`
	Suggest rulesSuggestCmd `cmd:"" help:"Group what no rule matched, and print the skeleton of a rule for each group."`
}

// rulesOf returns the built-in rules and those of the folder --rules.
func (a *app) rulesOf() ([]classify.Rule, error) {
	if a.Rules == "" {
		return classify.Builtin(), nil
	}
	return loadRules(a.Rules)
}

type rulesListCmd struct {
	Format string `env:"HANSEI_TABLE_FORMAT" help:"table, csv or json (default ${default})." default:"table" placeholder:"FORMAT"`
	Lang   string `help:"Language of the advice: en or ja (default ${default})." enum:"en,ja" default:"en" placeholder:"LANG"`
}

// Run lists the rules.
func (c *rulesListCmd) Run(a *app) error {
	rules, err := a.rulesOf()
	if err != nil {
		return err
	}
	table := &analyze.Table{Columns: []string{"rule", "category", "weight", "file", "advice"}}
	for _, r := range rules {
		advice := r.Advice.EN
		if c.Lang == "ja" {
			advice = r.Advice.JA
		}
		table.Rows = append(table.Rows, []any{r.Name, string(r.Category), r.Weight.String(), r.File, advice})
	}
	return writeTable(a.out, table, c.Format)
}

type rulesExplainCmd struct {
	Message string `arg:"" help:"The message."`
	Code    string `help:"The event's code." placeholder:"CODE"`
	Status  string `help:"The event's status." placeholder:"STATUS"`
}

// Run explains.
func (c *rulesExplainCmd) Run(a *app) error {
	classifier, err := newClassifier(a.Rules)
	if err != nil {
		return err
	}
	e := ingest.Event{Kind: ingest.Failure, Message: c.Message, Code: c.Code, Status: c.Status}
	tag := classifier.Tag(&e)
	row := tag.Category.Row()
	fmt.Fprintf(a.out, "%s, %s: %s (%s)\n", tag.Category, tag.Taxonomy, row.Meaning, row.MeaningJA)
	fmt.Fprintf(a.out, "retryable: %v\nfingerprint: %s\ntemplate: %s\n", tag.Retryable, tag.Fingerprint, classify.Template(c.Message))
	considered := classifier.Explain(&e)
	if len(considered) == 0 {
		fmt.Fprintln(a.out, "no rule matched; hansei rules suggest prints skeletons for what is stored")
		return nil
	}
	tw := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "\nrule\tcategory\tweight\tevidence\toutcome")
	for _, x := range considered {
		evidence := strings.ReplaceAll(x.Evidence, "\n", "⏎")
		if evidence == "" {
			evidence = "(" + x.Field + ")"
		}
		fmt.Fprintf(tw, "%s\t%s\t%v\t%s\t%s\n", x.Rule, x.Category, x.Weight, evidence, x.Because.EN)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, x := range considered {
		if x.Won {
			fmt.Fprintf(a.out, "\nwhy: %s\ndo:  %s\n     %s\n", x.Why, x.Advice.EN, x.Advice.JA)
		}
	}
	return nil
}

type rulesTestCmd struct {
	Dir string `arg:"" help:"Folder of files <category>.yaml." placeholder:"DIR"`
}

// Run tries every example of the folder's rules beside the built-in ones.
func (c *rulesTestCmd) Run(a *app) error {
	rules, err := loadRules(c.Dir)
	if err != nil {
		return err
	}
	classifier, err := classify.New(rules)
	if err != nil {
		return fmt.Errorf("rules %s: %w", c.Dir, err)
	}
	mismatches := classifier.Check(rules)
	for _, m := range mismatches {
		fmt.Fprintf(a.out, "%s: rule %s: %q: %s\n", m.File, m.Rule, m.Example, m.Reason)
	}
	if len(mismatches) > 0 {
		return fmt.Errorf("%s", counted(len(mismatches), "example does not hold", "examples do not hold"))
	}
	own := classify.Own(rules)
	if len(own) == 0 {
		return usageError{fmt.Errorf("no rules in %s; a rules file is named <category>.yaml%s", c.Dir, ignoredIn(c.Dir))}
	}
	fmt.Fprintf(a.out, "%s: %d examples and counterexamples hold in %s\n", counted(len(own), "rule", "rules"), examplesOf(own), c.Dir)
	fmt.Fprintf(a.out, "beside them %d built-in rules: %d examples and counterexamples hold%s\n", len(rules)-len(own), examplesOf(rules)-examplesOf(own), ignoredIn(c.Dir))
	return nil
}

func examplesOf(rules []classify.Rule) (n int) {
	for _, r := range rules {
		n += len(r.Examples) + len(r.Counterexamples)
	}
	return n
}

// ignoredIn names what a folder of rules holds beside rules, after a semicolon.
func ignoredIn(dir string) string {
	entries, err := os.ReadDir(dir)
	paths, listErr := ruleFiles(dir)
	if err != nil || listErr != nil {
		return "" // the rules were read from it
	}
	var names []string
	for _, entry := range entries {
		if !slices.Contains(paths, filepath.Join(dir, entry.Name())) {
			names = append(names, entry.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; ignored: " + strings.Join(names, ", ")
}

// readRulesFolder reads the files of a folder of rules, for the serve that
// holds the store: it may not see the same folder.
func readRulesFolder(dir string) (map[string]string, error) {
	if dir == "" {
		return nil, nil
	}
	paths, err := ruleFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, usageError{fmt.Errorf("no rules in %s; a rules file is named <category>.yaml", dir)}
	}
	files := map[string]string{}
	for _, path := range paths {
		text, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr)
		files[filepath.Base(path)] = string(text)
	}
	return files, err
}
