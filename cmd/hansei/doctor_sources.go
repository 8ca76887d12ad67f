package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"hansei/queries"
)

// doctorSourcesCmd prints the settings that make agents send what fails.
type doctorSourcesCmd struct {
	URL string `name:"url" help:"Where the agents reach hansei serve. Default: the one that runs on --data, else ${listen}." placeholder:"URL"`
}

// defaultServe is where hansei serve listens when no flag says otherwise.
const defaultServe = "http://127.0.0.1:8080"

// A setup is what a user puts into the settings of one agent. URL stands for
// the address of serve.
type setup struct {
	source, title string
	file          string // where it goes
	plain, token  string // the settings, and what is added to them when a token is needed
}

// setups lists the agents in the order of the documentation.
var setups = []setup{
	{"claude-code", "Claude Code, hooks", "~/.claude/settings.json, within \"hooks\"", `"PostToolUseFailure": [{"hooks": [{"type": "http", "url": "URL/hooks/claude-code"}]}],
"StopFailure": [{"hooks": [{"type": "http", "url": "URL/hooks/claude-code"}]}]`,
		`beside each "url": "headers": {"Authorization": "Bearer $HANSEI_TOKEN"}, "allowedEnvVars": ["HANSEI_TOKEN"]`},
	{"claude-code", "Claude Code, telemetry", "the environment in which it starts", `export CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_LOGS_EXPORTER=otlp OTEL_LOG_TOOL_DETAILS=1
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf OTEL_EXPORTER_OTLP_ENDPOINT=URL`,
		`export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $HANSEI_TOKEN"`},
	{"codex", "Codex CLI", "~/.codex/config.toml", `[otel]
exporter = { otlp-http = { endpoint = "URL/v1/logs", protocol = "binary" } }`,
		`within the inner braces: headers = { "Authorization" = "Bearer TOKEN" }`},
	{"gemini", "Gemini CLI", "~/.gemini/settings.json", `"telemetry": {"enabled": true, "target": "local", "otlpProtocol": "http", "otlpEndpoint": "URL/v1/logs"}`,
		`export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $HANSEI_TOKEN"`},
	{"otel", "any program with an OpenTelemetry SDK", "the environment in which it starts", `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf OTEL_EXPORTER_OTLP_ENDPOINT=URL OTEL_METRICS_EXPORTER=none`,
		`export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer $HANSEI_TOKEN"`},
	{"cloudevents", "any program with CloudEvents", "its sink", `POST URL/v1/events   (application/cloudevents+json, or binary mode; also on NATS with ce- headers)`,
		`Authorization: Bearer TOKEN`},
	{"hansei", "your own agent", "its code", `POST URL/v1/events   (one event or a list), or publish on NATS: hansei.v1.event.<agent>`,
		`Authorization: Bearer TOKEN`},
}

// Run prints the settings, with what has arrived from each source.
func (c *doctorSourcesCmd) Run(a *app) error {
	b, err := a.openStored()
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	err = b.get(a.ctx, "sources", url.Values{}, &answer)
	if err := errors.Join(err, b.Close()); err != nil {
		return err
	}
	var arrived []arrivals
	if err := json.Unmarshal(answer.Bytes(), &arrived); err != nil {
		return err
	}
	address := c.URL
	if server, ok := readServer(a.Data); ok && address == "" {
		address = server.HTTP
	}
	if address == "" {
		address = defaultServe
		fmt.Fprintf(a.out, "No hansei serve runs on %s; start it, and agents reach it at %s.\n\n", a.Data, address)
	}
	for _, s := range setups {
		s.print(a, strings.TrimRight(address, "/"), arrivalsOf(arrived, s.source))
	}
	return nil
}

func (s *setup) print(a *app, address, arrived string) {
	fmt.Fprintf(a.out, "%s: into %s\n", s.title, s.file)
	settings := strings.ReplaceAll(s.plain, "URL", address)
	if a.Token != "" {
		settings += "\n" + s.token
	}
	fmt.Fprintf(a.out, "  %s\n", strings.ReplaceAll(settings, "\n", "\n  "))
	fmt.Fprintf(a.out, "  arrived from %s: %s\n\n", s.source, arrived)
}

// arrivals are what came from a source.
type arrivals struct {
	queries.SourceArrivals
	SpansLeftOut int // since serve started
}

// arrivalsOf says what came from a source.
func arrivalsOf(all []arrivals, source string) string {
	for _, row := range all {
		if row.Source != source {
			continue
		}
		left := ""
		if row.SpansLeftOut > 0 {
			left = fmt.Sprintf("; %d spans were left out since serve started, since its logs tell the same and more: have it send logs", row.SpansLeftOut)
		}
		if row.Events == 0 {
			return "nothing yet" + left
		}
		text := fmt.Sprintf("%s, the latest of %s (%s ago)", counted(row.Events, "event", "events"), row.Latest.UTC().Format(time.RFC3339), ageOf(time.Since(row.Latest)))
		if row.Versions != "" {
			text += ", versions " + row.Versions
		}
		if row.Absent != "" {
			text += "; none of its failures carries " + row.Absent + ": what is told by these leaves them out"
		}
		return text + left
	}
	return "nothing yet"
}

// ageOf rounds to what people say.
func ageOf(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// answerSources tells what came from each source.
func answerSources(ctx context.Context, p *pipeline, _ url.Values, w io.Writer) error {
	rows, err := queries.Sources(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	var left map[string]int
	if agents := p.meters.agents.Load(); agents != nil {
		left = agents.SpansLeftOut()
	}
	var all []arrivals
	for _, row := range rows {
		all = append(all, arrivals{row, left[row.Source]})
		delete(left, row.Source)
	}
	for _, source := range slices.Sorted(maps.Keys(left)) {
		all = append(all, arrivals{queries.SourceArrivals{Source: source}, left[source]})
	}
	return json.NewEncoder(w).Encode(all)
}
