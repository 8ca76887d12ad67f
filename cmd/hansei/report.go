package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hansei/deliver"
	"hansei/reports"
)

// reportCmd prints the monthly report.
type reportCmd struct {
	Month  string `help:"Month, such as 2026-01. Default: the month that ended last." placeholder:"YYYY-MM"`
	Format string `help:"md, html, json or csv; without it what the ending of --output says, else md." placeholder:"FORMAT"`
	Lang   string `help:"en or ja (default ${default})." default:"en" placeholder:"LANG"`
	Output string `short:"o" help:"File to write; default stdout." placeholder:"FILE"`
	Agent  string `help:"Only incidents of this agent." placeholder:"NAME"`

	Operation string `help:"Only incidents of this operation." placeholder:"NAME"`
	Category  string `help:"Only incidents of this category." placeholder:"NAME"`
	Provider  string `help:"Only incidents of this provider." placeholder:"NAME"`
	prices
	Goals string `help:"File of goals to hold against the results. Default: goals.yaml in the data folder, if it is there." placeholder:"FILE"`
}

// Run prints the report, or writes it to a file that appears whole or not at all.
func (c *reportCmd) Run(a *app) error {
	values := c.values(a)
	if c.Goals != "" {
		text, err := os.ReadFile(c.Goals)
		if err != nil {
			return fmt.Errorf("read the goals: %w", err)
		}
		if _, err := reports.ParseGoals(c.Goals, text); err != nil {
			return usageError{err} // before anything is opened
		}
		values.Set("goals", string(text))
	}
	return a.ask("report", values, c.Output)
}

// values are the parameters of the resource.
func (c *reportCmd) values(a *app) url.Values {
	format := c.Format
	if ending := strings.TrimPrefix(filepath.Ext(c.Output), "."); format == "" && ending != "" {
		if _, err := reports.ParseFormat(ending); err == nil {
			format = ending
		}
	}
	values := url.Values{
		"month": {a.monthOr(c.Month)}, "format": {format}, "lang": {c.Lang}, "timezone": {a.Timezone},
		"agent": {c.Agent}, "operation": {c.Operation}, "category": {c.Category}, "provider": {c.Provider},
	}
	c.into(values)
	return values
}

// monthOr returns month, or the one that ended last.
func (a *app) monthOr(month string) string {
	if month != "" {
		return month
	}
	now := time.Now().In(a.location)
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, a.location).AddDate(0, -1, 0).Format("2006-01")
}

// ask prints the answer of a resource, or writes it to the file output.
func (a *app) ask(name string, values url.Values, output string) error {
	r, err := resourceNamed(name)
	if err != nil {
		return err
	}
	if r.spans {
		if _, err := spanOf(values); err != nil {
			return err // before anything is opened
		}
		if _, err := filterOf(values); err != nil {
			return err
		}
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	err = b.get(a.ctx, name, values, &answer)
	err = errors.Join(err, b.Close())
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before the answer was there") // nothing was published: main's word on that would be wrong
	}
	if err != nil {
		return err
	}
	return a.deliver(answer.Bytes(), output)
}

// deliver prints an answer, or writes it to the file output.
func (a *app) deliver(answer []byte, output string) error {
	if output == "" || output == "-" {
		_, err := a.out.Write(answer)
		return err
	}
	return deliver.WriteWhole(output, answer)
}
