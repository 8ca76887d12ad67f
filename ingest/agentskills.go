package ingest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// agentSkills reads what AgentSkills writes: the error response of a skill as
// YAML or Markdown, error_log.yaml, the list of a project's errors, and
// progress.json of a run that timed out. All record an operation once, after its
// last attempt; a review tells the scores of all.
var agentSkills = Format{
	Name:     agentSkillsName,
	About:    "AgentSkills: error responses (YAML, or Markdown blocks), error_log.yaml, progress.json",
	Coverage: Coverage{Final: true, Recoveries: true}, // a record says itself whether it was resolved
	Read:     readAgentSkills,
}

// agentSkillsName names the format, and the agent of its events.
const agentSkillsName = "agentskills"

// agentSkillsRetries is the cap of that system's documents: after it, a person
// is asked and the skill does not try again.
const agentSkillsRetries = 3

// A skillError holds the fields of both shapes. Scalars are nodes, because
// people write numbers, dates and booleans with and without quotes.
type skillError struct {
	Status    yaml.Node `yaml:"status"`
	Code      yaml.Node `yaml:"error_code"`
	Message   yaml.Node `yaml:"message"`
	SkillName yaml.Node `yaml:"skill_name"`
	Skill     yaml.Node `yaml:"skill"`
	Step      yaml.Node `yaml:"step"`
	Timestamp yaml.Node `yaml:"timestamp"`
	Details   struct {
		AttemptedAction yaml.Node            `yaml:"attempted_action"`
		FailureReason   yaml.Node            `yaml:"failure_reason"`
		RetryCount      yaml.Node            `yaml:"retry_count"`
		Other           map[string]yaml.Node `yaml:",inline"`
	} `yaml:"details"`
	RetryCount yaml.Node            `yaml:"retry_count"`
	Action     yaml.Node            `yaml:"action"`
	NextSteps  yaml.Node            `yaml:"next_steps"`
	Resolved   yaml.Node            `yaml:"resolved"`
	Resolution yaml.Node            `yaml:"resolution"`
	Other      map[string]yaml.Node `yaml:",inline"`
}

// A skillDocument is one YAML document: a response, or the log with its list.
type skillDocument struct {
	Errors *[]yaml.Node `yaml:"errors"`
}

func readAgentSkills(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		text, err := io.ReadAll(r)
		if err != nil {
			yield(Record{}, fmt.Errorf("read %s: %w", o.Name, err))
			return
		}
		for _, record := range skillFile(bytes.TrimPrefix(text, []byte("\ufeff")), o) {
			if !yield(record, nil) {
				return
			}
		}
	}
}

// skillFile reads a file by what it begins with: JSON, or YAML among which
// Markdown blocks may stand.
func skillFile(text []byte, o Options) []Record {
	if start := bytes.TrimSpace(text); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		return skillJSON(text, o)
	}
	text, records := skillBlocks(text, o)
	for _, part := range splitDocuments(text) {
		records = append(records, skillRecords(part, o)...)
	}
	return records
}

// A part is some lines of a YAML file.
type part struct {
	text []byte
	line int // of its first line in the file, counted from 1
}

// parse reads the part.
func (p part) parse(into any) error { return yaml.Unmarshal(p.text, into) }

// at is the line of the file for a line that the parser names.
func (p part) at(line int) int { return p.line + max(line, 1) - 1 }

// splitDocuments cuts a file at its document markers, so that a broken document
// does not spoil the others. A marker stands at the start of a line, where the
// text of a block can never stand.
func splitDocuments(text []byte) []part {
	return splitAt(text, func(line []byte) bool {
		return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || strings.ContainsRune(" \t\r\n", rune(line[3])))
	})
}

// splitAt cuts text before each line that starts says so; parts without
// content are left out.
func splitAt(text []byte, starts func(line []byte) bool) []part {
	var parts []part
	current := part{line: 1}
	keep := func() {
		content := bytes.TrimPrefix(bytes.TrimSpace(current.text), []byte("---"))
		if len(bytes.TrimSpace(content)) > 0 {
			parts = append(parts, current)
		}
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if starts(line) {
			keep()
			current = part{line: number}
		}
		current.text = append(current.text, line...)
	}
	keep()
	return parts
}

func skillRecords(p part, o Options) []Record {
	var doc skillDocument
	var node yaml.Node
	if err := p.parse(&node); err != nil {
		return salvage(p, o, err)
	}
	if len(node.Content) == 0 { // comments only
		return nil
	}
	if err := node.Decode(&doc); err != nil || doc.Errors == nil {
		return skillRecord(node.Content[0], p, o)
	}
	var records []Record
	for i := range *doc.Errors {
		records = append(records, skillRecord(&(*doc.Errors)[i], p, o)...)
	}
	return records
}

// listItem is a line that begins an entry of the log's list.
var listItem = regexp.MustCompile(`^ *- `)

// salvage takes the entries one by one of an error log that does not parse as
// a whole; each broken one is a record of its own.
func salvage(p part, o Options, broken error) []Record {
	items := splitAt(p.text, listItem.Match)
	if len(items) < 2 || !bytes.Contains(items[0].text, []byte("errors:")) {
		return []Record{{Err: yamlError(broken), Raw: p.text, Position: o.at(p.at(lineOf(broken)))}}
	}
	var records []Record
	for _, item := range items[1:] { // the first part is the line "errors:"
		item.line += p.line - 1
		var entries []yaml.Node
		if err := item.parse(&entries); err != nil || len(entries) != 1 {
			err = cmp.Or(err, errors.New("not an entry of an error log"))
			records = append(records, Record{Err: yamlError(err), Raw: item.text, Position: o.at(item.at(lineOf(err)))})
			continue
		}
		records = append(records, skillRecord(&entries[0], item, o)...)
	}
	return records
}

var yamlLine = regexp.MustCompile(`line (\d+): *`)

// lineOf returns the line that a YAML error names, 0 for none. The library keeps
// it in the text alone.
func lineOf(err error) int {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 0
}

// yamlError says what is wrong and what mostly mends it.
func yamlError(err error) error {
	text := yamlLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
	return fmt.Errorf("not YAML: %s; put text that holds ': ' or '#' or starts with a quote, bracket or %% into quotes, and indent with spaces", text)
}

func skillRecord(node *yaml.Node, p part, o Options) []Record {
	raw := p.text
	if out, err := yaml.Marshal(node); err == nil && node.Kind != yaml.DocumentNode {
		raw = out
	}
	var s skillError
	err := errors.New("not an error response: it is a mapping with error_code, message and timestamp")
	if node.Kind == yaml.MappingNode {
		err = node.Decode(&s)
	}
	if err == nil && s.healthy() {
		return nil
	}
	var e Event
	if err == nil {
		e, err = s.event(o)
	}
	if err != nil {
		return []Record{{Err: err, Raw: raw, Position: o.at(p.at(node.Line))}}
	}
	var records []Record
	for _, e := range s.reviews(e) {
		records = append(records, o.record(e, raw, p.at(node.Line)))
	}
	return records
}

func (s *skillError) event(o Options) (Event, error) {
	e := Event{
		Agent:      agentSkillsName,
		Source:     agentSkillsName,
		Operation:  cmp.Or(scalar(&s.SkillName), scalar(&s.Skill)),
		Step:       scalar(&s.Step),
		Code:       scalar(&s.Code),
		Status:     scalar(&s.Status),
		Message:    scalar(&s.Message),
		Detail:     joinLines(scalar(&s.Details.FailureReason), scalar(&s.Details.AttemptedAction)),
		Resolution: scalar(&s.Resolution),
		Attrs:      s.attrs(),
	}
	s.setTimeout(&e)
	if e.Code == "" && e.Message == "" {
		return e, errors.New("error_code and message: both missing; an error response has at least one")
	}
	if err := s.setTime(&e, o); err != nil {
		return e, err
	}
	if err := s.setResolved(&e); err != nil {
		return e, err
	}
	retries := cmp.Or(scalar(&s.Details.RetryCount), scalar(&s.RetryCount))
	if retries == "" {
		return e, nil
	}
	n, err := strconv.ParseInt(retries, 10, 64)
	if err != nil || n < 0 || n >= MaxInteger {
		return e, fmt.Errorf("retry_count: %q, want a whole number from 0", clip(retries))
	}
	e.Attempt = Some(n + 1)
	if e.Resolution == "" && e.Attrs["resolved"] != "true" && n >= agentSkillsRetries && !strings.EqualFold(scalar(&s.Action), "retry") {
		e.Resolution = "abandoned" // the retries ran out; action is only what it advises now
	}
	return e, nil
}

// setResolved reads the flag of a log entry; people write yes and no too. An
// entry is edited when its error is resolved, so its incident is named by what
// stays: the log that is imported again then tells the outcome of the same
// incident.
func (s *skillError) setResolved(e *Event) error {
	if s.Resolved.Kind == 0 || s.Resolved.Tag == "!!null" {
		return nil
	}
	var resolved bool
	if err := s.Resolved.Decode(&resolved); err != nil {
		return fmt.Errorf("resolved: %q, want true or false", clip(scalar(&s.Resolved)))
	}
	e.Attrs["resolved"] = strconv.FormatBool(resolved)
	sum := sha256.Sum256([]byte(strings.Join([]string{scalar(&s.Timestamp), e.Operation, e.Code, e.Message}, "\n")))
	e.Incident = "log-" + hex.EncodeToString(sum[:8])
	return nil
}

// attrs keeps what the event has no field for: what the skill advises, whether
// its log calls the error resolved, and fields unknown to us.
func (s *skillError) attrs() map[string]string {
	attrs := map[string]string{}
	add := func(name string, node *yaml.Node) {
		switch {
		case node.Kind == 0 || node.Tag == "!!null":
		case scalar(node) != "":
			attrs[name] = scalar(node)
		default:
			if out, err := yaml.Marshal(node); err == nil {
				attrs[name] = strings.TrimSpace(string(out))
			}
		}
	}
	add("action", &s.Action)
	add("next_steps", &s.NextSteps)
	for _, members := range []map[string]yaml.Node{s.Details.Other, s.Other} {
		for name, node := range members {
			if !measured[name] {
				add(name, &node)
			}
		}
	}
	return attrs
}

// scalar returns the text of a node; null and what is no scalar are absent.
func scalar(node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		return ""
	}
	return node.Value
}

func joinLines(texts ...string) string {
	var full []string
	for _, text := range texts {
		if text != "" {
			full = append(full, text)
		}
	}
	return strings.Join(full, "\n")
}
