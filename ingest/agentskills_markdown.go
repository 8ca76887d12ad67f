package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"strings"
)

// The lines of an error that a skill shows to people as Markdown.
var (
	blockHeading = regexp.MustCompile(`^#{1,3} *❌\s*(?:エラー発生|エラー|Error)?\s*(?:[-:：]\s*(.+))?$`)
	blockSection = regexp.MustCompile(`^###+ *(.+?)\s*$`)
	blockField   = regexp.MustCompile(`^(?:[-*] )?\*\*(.+?)\*\*\s*[:：]\s*(.*)$`)
	blockTime    = regexp.MustCompile(`^\*(\d{4}[-/].+)\*$`)
	yamlMember   = regexp.MustCompile(`(?m)^(?:status|error_code|errors|message|timestamp) *:`)
)

// skillBlocks takes the Markdown blocks out of text. What is left keeps its
// lines, and is nothing when it is only the text around the blocks.
func skillBlocks(text []byte, o Options) (rest []byte, records []Record) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := 0; i < len(lines); i++ {
		if !blockHeading.MatchString(blockLine(lines[i])) {
			rest = append(rest, lines[i]...)
			continue
		}
		end := blockEnd(lines, i+1)
		records = append(records, blockRecord(lines[i:end], i+1, o))
		rest = append(rest, strings.Repeat("\n", end-i)...)
		i = end - 1
	}
	if len(records) > 0 && !yamlMember.Match(rest) {
		return nil, records
	}
	return rest, records
}

func blockLine(line []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(line), "\ufffd"))
}

// blockEnd returns the first line after a block: a heading of its own level, a
// code fence, or a rule that no field of the block follows.
func blockEnd(lines [][]byte, from int) int {
	for i := from; i < len(lines); i++ {
		line := blockLine(lines[i])
		switch {
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "), strings.HasPrefix(line, "```"), blockHeading.MatchString(line):
			return i
		case line == "---":
			next := i + 1
			for next < len(lines) && blockLine(lines[next]) == "" {
				next++
			}
			if next == len(lines) || !blockField.MatchString(blockLine(lines[next])) {
				return i
			}
		}
	}
	return len(lines)
}

// blockNames are the names of a block's fields and sections, as people write
// them, and what they mean.
var blockNames = map[string]string{
	"スキル": "skill", "skill": "skill", "ステップ": "step", "step": "step",
	"時刻": "time", "日時": "time", "発生時刻": "time", "time": "time", "timestamp": "time",
	"エラー内容": "message", "内容": "message", "メッセージ": "message", "error": "message", "message": "message",
	"エラーコード": "code", "コード": "code", "error code": "code", "code": "code",
	"リトライ回数": "retries", "リトライ": "retries", "retry count": "retries",
	"試みた操作": "detail", "原因": "detail", "失敗原因": "detail", "欠落ファイル": "detail", "attempted action": "detail",
	"次のアクション": "next_steps", "next steps": "next_steps", "サポート": "support", "support": "support",
}

// blockRecord reads the lines of a block; a field's value may go on in the
// lines below it.
func blockRecord(lines [][]byte, number int, o Options) Record {
	raw := bytes.Join(lines, nil)
	values := map[string][]string{}
	heading := blockHeading.FindStringSubmatch(blockLine(lines[0]))
	section := ""
	for _, bytes := range lines[1:] {
		line := blockLine(bytes)
		if m := blockField.FindStringSubmatch(line); m != nil {
			name := cmp.Or(blockNames[strings.ToLower(m[1])], m[1])
			values[name] = append(values[name], m[2])
		} else if m := blockSection.FindStringSubmatch(line); m != nil {
			section = cmp.Or(blockNames[strings.ToLower(m[1])], "detail")
		} else if m := blockTime.FindStringSubmatch(line); m != nil && len(values["time"]) == 0 {
			values["time"] = []string{m[1]}
		} else if line != "" && line != "---" && section != "" {
			values[section] = append(values[section], line)
		}
	}
	e, err := blockEvent(values, strings.TrimSpace(heading[1]), o)
	if err != nil {
		return Record{Err: err, Raw: raw, Position: o.at(number)}
	}
	return o.record(e, raw, number)
}

func blockEvent(values map[string][]string, heading string, o Options) (Event, error) {
	take := func(name string) string {
		text := strings.TrimSpace(strings.Join(values[name], "\n"))
		delete(values, name)
		return text
	}
	bare := func(name string) string { return strings.Trim(take(name), "`* ") }
	e := Event{
		Agent: agentSkillsName, Source: agentSkillsName,
		Operation: cmp.Or(bare("skill"), strings.Trim(heading, "`")), Step: bare("step"), Code: bare("code"),
		Message: take("message"), Detail: take("detail"), Attrs: map[string]string{},
	}
	if e.Code == "" && e.Message == "" {
		return e, errors.New("エラーコード and エラー内容: both missing; an error block has at least one")
	}
	if retries := number(leadingNumber.FindString(bare("retries"))); retries.Known {
		e.Attempt = Some(retries.V + 1)
	}
	at := bare("time")
	if at == "" {
		return e, errors.New("時刻: missing; write it like 2026-01-31 09:30:00")
	}
	var err error
	e.Time, err = parseAnyTime(at, o.location())
	for name := range values {
		if text := take(name); text != "" && len(e.Attrs) < MaxAttrs && len(name) <= MaxAttrKey {
			e.Attrs[name] = text
		}
	}
	return e, err
}
