package ingest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A SessionFile is a file in which an agent keeps a session.
type SessionFile struct {
	Path   string
	Format *Format
	Size   int64
	Err    error // why a folder cannot be looked into; Format is nil then
}

// A sessionHome is where an agent keeps its sessions.
type sessionHome struct {
	format *Format
	env    string   // names another place of the first folder's parent, when it is set
	dirs   []string // below a home folder
	is     func(name string) bool
}

var sessionHomes = []sessionHome{
	{&claudeCode, "CLAUDE_CONFIG_DIR", []string{".claude/projects", ".config/claude/projects"}, func(name string) bool { return strings.HasSuffix(name, ".jsonl") }},
	{&codex, "CODEX_HOME", []string{".codex/sessions", ".codex/archived_sessions"}, func(name string) bool {
		return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
	}},
	{&gemini, "GEMINI_CONFIG_DIR", []string{".gemini/tmp"}, func(name string) bool {
		return strings.HasPrefix(name, "session-") && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl"))
	}},
}

// HomeSessions finds the session files below a home folder, and in the places
// that getenv names; in the order of their paths.
func HomeSessions(home string, getenv func(string) string) ([]SessionFile, error) {
	var all []SessionFile
	for _, h := range sessionHomes {
		for i, dir := range h.dirs {
			path := filepath.Join(home, filepath.FromSlash(dir))
			if other := getenv(h.env); other != "" && i == 0 {
				path = filepath.Join(other, filepath.Base(path))
			}
			found, err := walkSessions(path, func(path string) *Format {
				if h.is(filepath.Base(path)) {
					return h.format
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

// Sessions finds the session files in a folder: those of a home folder where
// the agents have theirs, else every file that looks like one.
func Sessions(dir string) ([]SessionFile, error) {
	none := func(string) string { return "" }
	if found, err := HomeSessions(dir, none); len(found) > 0 || err != nil {
		return found, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return walkSessions(dir, sniffSession)
}

// walkSessions finds files below dir, which may be a link; links below it are
// left out, since what they lead to may be read as well, or be without end. A
// folder that is not there has none.
func walkSessions(dir string, formatOf func(path string) *Format) ([]SessionFile, error) {
	var found []SessionFile
	root, err := filepath.EvalSymlinks(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return []SessionFile{{Path: dir, Err: err}}, nil
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, SessionFile{Path: path, Err: err})
		}
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() == 0 {
			return nil
		}
		if format := formatOf(path); format != nil {
			found = append(found, SessionFile{Path: path, Format: format, Size: info.Size()})
		}
		return nil
	})
	slices.SortFunc(found, func(a, b SessionFile) int { return strings.Compare(a.Path, b.Path) })
	return found, err
}

// sniffed is how much of a file tells what it is: more than its first line,
// which may hold instructions for the model.
const sniffed = 64 << 10

// sniffSession tells by its name and beginning which agent wrote a file.
func sniffSession(path string) *Format {
	if ending := filepath.Ext(path); ending != ".json" && ending != ".jsonl" {
		return nil
	}
	return guess(path, sessionMarks)
}

// A mark tells the format of a file whose beginning holds all its words.
type mark struct {
	format *Format
	words  []string
}

// sessionMarks are those of session files; the first that fits decides.
var sessionMarks = []mark{
	{&gemini, []string{`"projectHash"`, `"sessionId"`}},
	{&codex, []string{`"session_meta"`, `"payload"`}},
	{&codex, []string{`"thread.started"`, `"thread_id"`}},
	{&claudeCode, []string{`"sessionId"`, `"uuid"`, `"type"`}},
	{&claudeCode, []string{`"session_id"`, `"uuid"`, `"type"`}},
}

// otherMarks are those of what else may be imported.
var otherMarks = []mark{
	{&claudeCode, []string{`"hook_event_name"`}},
	{&claudeCode, []string{`"resourceLogs"`, `claude_code.`}},
	{&codex, []string{`"resourceLogs"`, `codex.`}},
	{&gemini, []string{`"resourceLogs"`, `gemini_cli.`}},
	{&otelFormat, []string{`"resourceLogs"`}},
	{&otelFormat, []string{`"resourceSpans"`}},
	{&cloudEvents, []string{`"specversion"`}},
	{&agentSkills, []string{`error_code`, `timestamp`}},
	{&hansei, []string{`"time"`, `"agent"`}},
}

// Guess tells by its beginning what format a file is of; nil when it does not
// tell, or cannot be read.
func Guess(path string) *Format { return guess(path, slices.Concat(sessionMarks, otherMarks)) }

func guess(path string, marks []mark) *Format {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := Unpack(f)
	if err != nil {
		return nil
	}
	head := make([]byte, sniffed)
	n, _ := io.ReadFull(text, head) // nothing read is nothing recognised
	for _, m := range marks {
		if !slices.ContainsFunc(m.words, func(word string) bool { return !bytes.Contains(head[:n], []byte(word)) }) {
			return m.format
		}
	}
	return nil
}
