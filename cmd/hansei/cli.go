package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"hansei/analyze"
	"hansei/reports"
)

// commands lists the subcommands in the order of hansei help.
type commands struct {
	Demo       demoCmd       `cmd:"" help:"Run three months of a made-up fleet through the pipeline and open its report."`
	Serve      serveCmd      `cmd:"" help:"Run the pipeline, its pages and the HTTP API until SIGTERM."`
	Publish    publishCmd    `cmd:"" help:"Publish JSON Lines of events, from files or stdin, to the stream."`
	Import     importCmd     `cmd:"" help:"Publish files of a known source, wait until they are stored, and print the ledger."`
	Scan       scanCmd       `cmd:"" help:"Read the session files that agents leave on this machine, and print the report."`
	Classify   classifyCmd   `cmd:"" help:"Add the tags to records, without a store."`
	Detect     detectCmd     `cmd:"" help:"Tell whether the terminal text on stdin ends with an error of a model's API: exit code 3, and what it is as JSON."`
	Report     reportCmd     `cmd:"" help:"Print the report of a month."`
	Deliver    deliverCmd    `cmd:"" help:"Deliver a report as serve does on the first of the month, or show what was delivered."`
	Tune       tuneCmd       `cmd:"" help:"Suggest thresholds from what happened; try policies, and keep what was decided."`
	Query      queryCmd      `cmd:"" help:"Run a read-only SQL query on the views v_incidents and v_monthly."`
	Answer     answerCmd     `cmd:"" hidden:"" help:"The process of a query."`
	Export     exportCmd     `cmd:"" help:"Write the events as Parquet files, by year and month."`
	Quarantine quarantineCmd `cmd:"" help:"Show bad input that was kept aside, read it again or drop it."`
	Doctor     doctorCmd     `cmd:"" help:"Check the data folder and say what to do, or say what agents need to send."`
	Rules      rulesCmd      `cmd:"" help:"List and explain the classifier's rules."`
	Bench      benchCmd      `cmd:"" help:"Measure on this machine how fast events are stored and reports are made."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON Schema of an event."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

// globals are the flags that every command takes.
type globals struct {
	Data     string `help:"Data folder: the stream and the store (default ${default})." default:"hansei-data" placeholder:"DIR"`
	NATSURL  string `name:"nats-url" help:"Use this NATS server instead of the embedded one." placeholder:"URL"`
	Context  string `help:"Use the NATS server of this context of the nats command line." placeholder:"NAME"`
	Token    string `help:"Secret that clients show, and a browser as the password with any name; needed to listen beyond this machine." placeholder:"SECRET"`
	Timezone string `help:"Time zone of months, days and of times without a zone (default ${default})." default:"UTC" placeholder:"ZONE"`
	Memory   string `help:"Memory limit of the store (default ${default})." default:"512MiB" placeholder:"SIZE"`
	Rules    string `help:"Folder of your own rules, which stand beside the built-in ones." placeholder:"DIR"`
	Verbose  bool   `help:"Log more." short:"v"`
}

// streams are the program's files; tests pass their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// An app is one run of the program: what every command gets.
type app struct {
	streams
	globals
	ctx      context.Context
	log      *slog.Logger
	location *time.Location
}

// run parses args and runs the command they name.
func run(ctx context.Context, args []string, s streams) error {
	var cli struct {
		globals
		commands
	}
	parser, err := kong.New(&cli,
		kong.Name("hansei"),
		kong.Description("Hansei learns from the errors of AI agents: which were resolved, after how many retries, and which retries were worth it.\n\nEvery flag is also an environment variable: --data is HANSEI_DATA. Exit codes: 0 done, 1 error, 2 wrong usage, 3 an error was detected (detect)."),
		kong.DefaultEnvars("HANSEI"),
		kong.Vars{"formats": formatNames(), "listen": defaultServe, "systems": reports.EmitterNames(), "limits": analyze.QueryLimits},
		kong.Writers(s.out, s.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(func(code int) { panic(silent(code)) }), // only help calls it, after printing
		kong.ShortUsageOnError(),
	)
	if err != nil {
		return err
	}
	parsed, err := parse(parser, helpFlag(args))
	if err != nil {
		return err
	}
	a := &app{streams: s, globals: cli.globals, ctx: ctx}
	if a.location, err = loadLocation(a.Timezone); err != nil {
		return usageError{fmt.Errorf("--timezone %s: %v; name it like Asia/Tokyo or UTC", a.Timezone, err)}
	}
	if a.Memory, err = memoryLimit(a.Memory); err != nil {
		return usageError{err}
	}
	level := slog.LevelWarn
	if a.Verbose {
		level = slog.LevelDebug
	}
	a.log = slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: level}))
	return withWayOut(parsed.Run(a))
}

// leastMemory is what the report of a month of the demo fleet needs; with half
// of it, it ends for want of memory.
const leastMemory = 64 << 20

// memoryLimit returns a limit as the store takes it.
func memoryLimit(text string) (string, error) {
	var limit size
	if err := limit.UnmarshalText([]byte(text)); err != nil {
		return "", fmt.Errorf("--memory %s is no size; write it like 512MiB", text)
	}
	if limit < leastMemory {
		return "", fmt.Errorf("--memory %s is less than the store needs; give at least %dMiB", text, leastMemory>>20)
	}
	return fmt.Sprintf("%dB", limit), nil
}

// helpFlag turns `hansei`, `hansei help` and `hansei help report` into what
// the parser knows.
func helpFlag(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	if args[0] == "help" {
		return append(append([]string{}, args[1:]...), "--help")
	}
	return args
}

// parse runs the parser, whose help ends by calling Exit.
func parse(parser *kong.Kong, args []string) (parsed *kong.Context, err error) {
	defer func() {
		if code, ok := recover().(silent); ok {
			err = code
		}
	}()
	parsed, err = parser.Parse(args)
	if err == nil {
		err = oncePerFlag(parsed)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return parsed, nil
}

// oncePerFlag wants a flag that takes one value once: of two the first would be
// dropped silently.
func oncePerFlag(parsed *kong.Context) error {
	seen := map[*kong.Flag]bool{}
	for _, at := range parsed.Path {
		if f := at.Flag; f != nil && !at.Resolved {
			if seen[f] && !f.IsCumulative() && !f.IsBool() {
				return fmt.Errorf("--%s is given twice; it takes one value", f.Name)
			}
			seen[f] = true
		}
	}
	return nil
}

// serveLog is the logger of a long run: it also tells what goes well.
func (a *app) serveLog() *slog.Logger {
	level := slog.LevelInfo
	if a.Verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

// terminal reports whether w is a terminal, where bars and colours are welcome.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
