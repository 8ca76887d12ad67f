package ingest

import (
	"fmt"
	"testing"
)

func TestAnswered(t *testing.T) {
	for _, test := range []struct {
		input, output string
		want          bool
	}{
		{`{"command":"grep -rn needle src"}`, "Exit code 1", true},
		{`{"command":"cd src && /usr/bin/grep 'a|b; c' x.go"}`, "Exit code 1", true},
		{`{"command":"cat x.go | grep \"a\\\"|b\" 2>&1"}`, "Exit code 1\n", true},
		{`{"command":"test -f x && echo yes"}`, "Exit code 1", true},
		{`{"command":["bash","-lc","rg needle"]}`, "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n", true},
		{`bash -lc 'diff -q a b'`, "", true},
		{`{"cmd":"grep x y"}`, "", true},
		{`{"command":"grep needle src"}`, "Exit code 1\ngrep: src: Is a directory", false},
		{`{"command":"grep x y | wc -l"}`, "Exit code 1", false},
		{`{"command":"grep x y; make"}`, "Exit code 1", false},
		{`{"command":"grep x y\nmake"}`, "Exit code 1", false},
		{`{"command":"make grep"}`, "Exit code 1", false},
		{`{"command":"echo 'a; grep"}`, "Exit code 1", false},
		{`{"file_path":"x"}`, "Exit code 1", false},
		{``, "", false},
	} {
		if got := answered(loose(test.input), "exit_1", test.output); got != test.want {
			t.Errorf("%s with %q: got %v", test.input, test.output, got)
		}
		if answered(loose(test.input), "exit_2", test.output) {
			t.Errorf("%s answered with 2", test.input)
		}
	}
}

// A search that finds nothing is no failure, and one that finds nothing behind
// a failure has passed.
func TestAnsweredCalls(t *testing.T) {
	session := func(n int, command, said string) string {
		return fmt.Sprintf(`{"type":"assistant","sessionId":"s","uuid":"a%[1]d","timestamp":"2026-01-15T09:00:0%[1]dZ","message":{"model":"m","content":[{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"command":%[2]q}}]}}
{"type":"user","sessionId":"s","uuid":"u%[1]d","timestamp":"2026-01-15T09:00:0%[1]dZ","message":{"content":[{"type":"tool_result","tool_use_id":"t%[1]d","is_error":true,"content":%[3]q}]}}
`, n, command, said)
	}
	item := func(command string) string {
		return fmt.Sprintf(`{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":%q,"aggregated_output":"","exit_code":1,"status":"failed"}}`+"\n", command)
	}
	rollout := `{"timestamp":"2026-01-15T09:00:00Z","type":"response_item","payload":{"type":"function_call","call_id":"c","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"grep x y\"]}"}}
{"timestamp":"2026-01-15T09:00:01Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":1}}"}}
`
	for _, test := range []struct {
		name   string
		format *Format
		in     string
		want   string
	}{
		{"nothing found", &claudeCode, session(1, "grep x y", "Exit code 1"), ""},
		{"a command", &claudeCode, session(1, "make", "Exit code 1"), "A failure 1\n"},
		{"no file, then nothing found", &claudeCode, session(1, "grep x y", "Exit code 2\ngrep: y: No such file or directory") + session(2, "grep x y", "Exit code 1"), "A failure 1\nA success 2\n"},
		{"hook", &claudeCode, `{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"grep x y"},"error":"Exit code 1"}`, ""},
		{"exec", &codex, item("bash -lc 'grep x y'"), ""},
		{"exec of another", &codex, item("bash -lc make"), "A failure 1\n"},
		{"rollout", &codex, rollout, ""},
	} {
		if got := outline(t, test.format, test.in); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}
