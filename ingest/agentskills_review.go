package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// agentSkillsBar is the review score of that system's documents that a work
// must reach.
const agentSkillsBar = 70

// measured are the members that events have fields for.
var measured = map[string]bool{
	"score_progression": true, "final_score": true, "threshold": true, "iteration_count": true, "elapsed_time_seconds": true,
}

// member returns the node of a detail, which some records keep at their top.
func (s *skillError) member(name string) *yaml.Node {
	if node, ok := s.Details.Other[name]; ok {
		return &node
	}
	node := s.Other[name]
	return &node
}

// measure finds the number in a node: 56, "56", 56点, "56/100" or 56.5%.
func measure(node *yaml.Node) Opt[float64] {
	n, err := strconv.ParseFloat(leadingNumber.FindString(strings.TrimSpace(scalar(node))), 64)
	if err != nil {
		return Opt[float64]{}
	}
	return Some(n)
}

var leadingNumber = regexp.MustCompile(`^-?\d+(?:\.\d+)?`)

// healthy reports whether the record is the progress of a run that goes well.
func (s *skillError) healthy() bool {
	switch strings.ToLower(scalar(&s.Status)) {
	case "completed", "complete", "success", "ok", "in_progress", "running", "pending":
		return scalar(&s.Code) == "" && s.Resolved.Kind == 0
	}
	return false
}

// setTimeout reads what a run that timed out says: how long it took, and
// whether a part of its work was saved. A warning is work that went on.
func (s *skillError) setTimeout(e *Event) {
	elapsed, limit := measure(s.member("elapsed_time_seconds")), measure(s.member("timeout_limit_seconds"))
	if elapsed.Known && elapsed.V >= 0 && elapsed.V < maxWait {
		e.DurationMS = Some(int64(elapsed.V * 1000))
	}
	switch strings.ToLower(e.Status) {
	case "warning":
		e.Resolution = cmp.Or(e.Resolution, "degraded")
		return
	case "timeout":
	default:
		return
	}
	step := cmp.Or(scalar(s.member("timeout_step")), scalar(s.member("current_step")))
	e.Step, e.Code = cmp.Or(e.Step, step), cmp.Or(e.Code, "TIMEOUT")
	if e.Message == "" {
		e.Message = "timed out"
		if step != "" {
			e.Message = step + " timed out"
		}
		if elapsed.Known && limit.Known {
			e.Message += fmt.Sprintf(" after %v seconds, limit %v", elapsed.V, limit.V)
		}
	}
	for _, name := range []string{"completed_steps", "partial_results", "completed_iterations", "partial_iteration"} {
		if node := s.member(name); node.Kind != 0 && len(node.Content) > 0 || measure(node).V > 0 {
			e.Resolution = cmp.Or(e.Resolution, "partial")
		}
	}
}

// setTime reads the time. progress.json has none: it is written when the run
// times out, and known by its place and content.
func (s *skillError) setTime(e *Event, o Options) error {
	text := scalar(&s.Timestamp)
	if text != "" {
		var err error
		e.Time, err = parseAnyTime(text, o.location())
		return err
	}
	progress := s.member("elapsed_time_seconds").Kind != 0 || s.member("completed_steps").Kind != 0
	if e.Time = o.undated(); !progress || s.Message.Kind != 0 || e.Time.IsZero() {
		return errors.New("timestamp: missing; write it like 2026-01-31T09:30:00+09:00")
	}
	e.ID = contentName("p-", o.Name, e.Step, e.Message, fmt.Sprint(e.Attrs))
	return nil
}

// reviews returns the attempts of a review that tells their scores; any other
// record is the one event that it was. Of the attempts only the last has its
// time told, and all get it.
func (s *skillError) reviews(e Event) []Event {
	final, bar := measure(s.member("final_score")), measure(s.member("threshold"))
	count := measure(s.member("iteration_count"))
	scores := s.member("score_progression").Content
	if len(scores) == 0 && !final.Known && !count.Known {
		return []Event{e}
	}
	if !bar.Known {
		bar = Some[float64](agentSkillsBar)
	}
	e.ScoreName, e.ScoreBar, e.Score = "review", bar, final
	iterations := max(int64(len(scores)), int64(count.V))
	if !e.Attempt.Known && iterations > 0 && iterations < maxIterations {
		e.Attempt = Some(iterations)
	}
	if strings.HasSuffix(e.Code, "MAX_RETRIES") && iterations > 0 {
		e.MaxRetries = Some(iterations - 1)
		if e.Resolution == "" && e.Attrs["resolved"] == "" {
			e.Resolution = "abandoned" // a person is asked, and has not answered yet
		}
	}
	if len(scores) == 0 || len(scores) >= maxIterations {
		return []Event{e}
	}
	e.Incident = cmp.Or(e.Incident, contentName("review-", scalar(&s.Timestamp), e.Operation, e.Code, e.Message))
	attempts := make([]Event, len(scores))
	for i, node := range scores {
		attempt := e
		attempt.Attempt, attempt.Score = Some(int64(i+1)), measure(node)
		if i < len(scores)-1 {
			attempt.Message = fmt.Sprintf("review score %s is below the bar of %v", scalar(node), bar.V)
			attempt.Resolution, attempt.Step, attempt.Detail, attempt.Attrs = "", "", "", nil
		} else if attempt.Score.Known && attempt.Score.V >= bar.V {
			attempt.Kind, attempt.Resolution = Success, e.Resolution
		}
		attempts[i] = attempt
	}
	return attempts
}

// maxIterations bounds the attempts that one record makes; the documents say 3.
const maxIterations = 1000

// skillJSON reads records that are JSON, which is written anew in the form that
// YAML reads the same way.
func skillJSON(text []byte, o Options) []Record {
	var records []Record
	for raw, err := range documents(bytes.NewReader(text), o) {
		if err != nil {
			break // reading memory does not fail
		}
		value, err := parseValue(raw.data)
		if raw.cut || err != nil {
			records = append(records, raw.bad(err, o))
			continue
		}
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			records = append(records, raw.bad(err, o))
			continue
		}
		records = append(records, skillRecords(part{plain.Bytes(), raw.line}, o)...)
	}
	return records
}
