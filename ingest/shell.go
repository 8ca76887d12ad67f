package ingest

import (
	"regexp"
	"slices"
	"strings"
)

// asking are the commands of POSIX and their kin whose exit code 1 is an
// answer: no line matches, the files differ, the test is false. Their errors
// have larger codes.
var asking = []string{"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "diff", "cmp", "test", "[", "[[", "pgrep"}

// bareExit is an output that tells nothing but the exit code 1.
var bareExit = regexp.MustCompile(`(?i)^(?:(?:exit code|process exited with code|exited with code)[: ]+1\s*(?:\n|$)|(?:wall time|chunk id|original token count|total output lines|output)\b[^\n]*(?:\n|$))*$`)

// answered reports whether a tool only answered no: the shell ran a command
// that says so by its exit code, which is 1, and printed nothing.
func answered(input loose, code, output string) bool {
	return code == "exit_1" && bareExit.MatchString(strings.TrimSpace(output)) && asks(shellCommand(input))
}

// shellWrap is how agents call a shell with a command.
var shellWrap = regexp.MustCompile(`^(?:\S*/)?(?:ba|z|da)?sh -l?c (['"]?)`)

// shellCommand finds the command in the input of a tool; "" if there is none.
func shellCommand(input loose) string {
	var call struct {
		Command loose `json:"command"`
		Cmd     loose `json:"cmd"`
	}
	command := input
	if input.object(&call) {
		command = call.Command + call.Cmd
	}
	if words := list[loose](command); len(words) > 0 {
		command = words[len(words)-1] // sh -c COMMAND
		if len(words) != 3 || !strings.HasSuffix(string(words[0]), "sh") {
			command = words[0]
		}
	}
	text := string(command)
	if m := shellWrap.FindStringSubmatch(text); m != nil {
		text = strings.TrimSuffix(text[len(m[0]):], m[1])
	}
	return text
}

// asks reports whether the exit code of a command line may be that of an asking
// command: one of its last list, and in a pipe the last.
func asks(line string) bool {
	list, last := false, false
	for _, c := range commandsOf(line) {
		switch c.after {
		case "|":
		case "&&":
			list = list || last
		default:
			list = false
		}
		last = slices.Contains(asking, c.name)
	}
	return list || last
}

// A shellCall is a command of a line, without its arguments.
type shellCall struct{ after, name string } // the operator before it, its name

// commandsOf splits a command line where its operators stand outside of quotes.
func commandsOf(line string) (calls []shellCall) {
	after, start, quote := "", 0, byte(0)
	end := func(at int, operator string) {
		if words := strings.Fields(line[start:at]); len(words) > 0 {
			calls = append(calls, shellCall{after, words[0][strings.LastIndexByte(words[0], '/')+1:]})
		}
		after, start = operator, at+len(operator)
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '&' && (i > 0 && line[i-1] == '>' || strings.HasPrefix(line[i:], "&>")): // a redirection
		case strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "||"):
			end(i, line[i:i+2])
			i++
		case strings.IndexByte("|&;\n", c) >= 0:
			end(i, line[i:i+1])
		}
	}
	end(len(line), "")
	return calls
}
