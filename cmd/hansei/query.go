package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"hansei/analyze"
)

// queryCmd runs a user's SELECT.
type queryCmd struct {
	SQL    string `arg:"" help:"One SELECT statement, in DuckDB's SQL, whose answer has ${limits}." name:"sql"`
	Format string `env:"HANSEI_TABLE_FORMAT" help:"table, csv or json (default ${default})." default:"table" placeholder:"FORMAT"`
}

// Run prints the rows.
func (c *queryCmd) Run(a *app) error {
	return a.ask("query", url.Values{"sql": {c.SQL}, "format": {c.Format}}, "")
}

func queryMedia(values url.Values) string {
	switch values.Get("format") {
	case "json":
		return "application/json"
	case "csv":
		return "text/csv; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

func writeTable(w io.Writer, t *analyze.Table, format string) error {
	switch format {
	case "", "table":
		return writeText(w, t)
	case "csv":
		return writeCSV(w, t)
	case "json":
		return writeJSON(w, t)
	}
	return usageError{fmt.Errorf("format %q is not known; known are table, csv, json", format)}
}

// cell prints a value as DuckDB's shell would: times in UTC, NULL empty.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

func writeText(w io.Writer, t *analyze.Table) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells []string) {
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	line(t.Columns)
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = oneLine(cell(v))
		}
		line(cells)
	}
	return tw.Flush()
}

// counted writes a number and what it counts.
func counted[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}

// piecesOfBadInput writes how many there are.
func piecesOfBadInput[N int | int64](n N) string {
	return counted(n, "piece of bad input", "pieces of bad input")
}

// oneLine makes text fit for a cell on a terminal: an event's text must not
// move its cursor or change its colours.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
}

func writeCSV(w io.Writer, t *analyze.Table) error {
	out := csv.NewWriter(w)
	err := out.Write(t.Columns)
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = cell(v)
		}
		err = errors.Join(err, out.Write(cells))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// writeJSON writes an array of objects, whose members keep the columns' order.
func writeJSON(w io.Writer, t *analyze.Table) error {
	out := []byte("[")
	for i, row := range t.Rows {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		for j, v := range row {
			sep := byte(',')
			if j == 0 {
				sep = '{'
			}
			name, err := json.Marshal(t.Columns[j])
			if err != nil {
				return err
			}
			value, err := json.Marshal(jsonValue(v))
			if err != nil {
				return fmt.Errorf("column %s: %w", t.Columns[j], err)
			}
			out = append(append(append(append(out, sep), name...), ':'), value...)
		}
		out = append(out, '}')
	}
	_, err := w.Write(append(out, "]\n"...))
	return err
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case time.Time:
		return v.UTC()
	}
	return v
}
