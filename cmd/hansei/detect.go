package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"hansei/classify"
	"hansei/ingest"
)

// detectCmd looks for an error of a model's API in what a terminal shows.
type detectCmd struct {
	Lines int `help:"How many of the last lines are looked at (default ${default})." default:"20" placeholder:"N"`
}

// detected is the exit code when an error was found.
const detected = silent(3)

// A detection is what detect prints.
type detection struct {
	ErrorType string            `json:"errorType"`
	Category  classify.Category `json:"category"`
	Message   string            `json:"message"`
	Retryable bool              `json:"retryable"`
}

// Run prints the error that stands last, and ends with exit code 3; it prints
// nothing when there is none.
func (c *detectCmd) Run(a *app) error {
	if c.Lines < 1 {
		return usageError{fmt.Errorf("--lines %d: look at one line at least", c.Lines)}
	}
	classifier, err := newClassifier(a.Rules)
	if err != nil {
		return err
	}
	screen, err := readTail(&interruptible{a.ctx, a.in}, screenBytes)
	if err != nil {
		return fmt.Errorf("read stdin: %w", err)
	}
	found, ok := detect(classifier, screenLines(screen, c.Lines))
	if !ok {
		return nil
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	if err := out.Encode(found); err != nil {
		return err
	}
	return detected
}

// screenBytes is how much of the end of the input is kept: thousands of lines
// of a terminal with all its colours.
const screenBytes = 1 << 20

// readTail reads r to its end, and returns the last n bytes.
func readTail(r io.Reader, n int) (string, error) {
	var kept []byte
	buf := make([]byte, 64<<10)
	for {
		got, err := r.Read(buf)
		kept = append(kept, buf[:got]...)
		if len(kept) > 2*n {
			kept = append(kept[:0], kept[len(kept)-n:]...)
		}
		if errors.Is(err, io.EOF) {
			return string(kept[max(0, len(kept)-n):]), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// screenLines returns the last n lines that a terminal shows. The blank lines
// below them, which fill the screen, do not count.
func screenLines(screen string, n int) []string {
	plain := strings.TrimRight(ingest.PlainText(strings.ToValidUTF8(screen, "\ufffd")), " \t\r\n")
	lines := strings.Split(plain, "\n")
	return lines[max(0, len(lines)-n):]
}

// detect returns the error in lines that stands last. A line may be the first
// part of one that the terminal has broken.
func detect(classifier *classify.Classifier, lines []string) (detection, bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		found, ok := detectLine(classifier, lines[i])
		if ok {
			return found, true
		}
		if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			if found, ok := detectLine(classifier, strings.TrimRight(lines[i], " │|")+strings.TrimLeft(lines[i+1], " │|")); ok {
				return found, true
			}
		}
	}
	return detection{}, false
}

// errorTypes are the four kinds of errors that callers branch on, by category.
var errorTypes = map[classify.Category]string{
	"rate_limit": "rate_limit", "quota": "rate_limit",
	"network": "network_error", "timeout": "network_error",
	"server_error": "server_error", "auth": "auth_error",
}

// maxMessage bounds the message in bytes: a few lines of a terminal.
const maxMessage = 500

func detectLine(classifier *classify.Classifier, line string) (detection, bool) {
	if tableRow.MatchString(line) {
		return detection{}, false
	}
	line = strings.Trim(line, " \t│|┃")
	if !errorWording.MatchString(line) || typed.MatchString(line) || code.MatchString(line) {
		return detection{}, false
	}
	fromAPI := apiWording.MatchString(line)
	if !fromAPI && (talk.MatchString(line) || otherProgram.MatchString(line)) {
		return detection{}, false
	}
	tag := classifier.Tag(&ingest.Event{Kind: ingest.Failure, Message: line})
	errorType, ok := errorTypes[tag.Category]
	if !ok || tag.Rule == classify.WordsRule || tag.Category == "timeout" && !fromAPI && !request.MatchString(line) {
		return detection{}, false
	}
	if len(line) > maxMessage {
		line = strings.ToValidUTF8(line[:maxMessage], "") + "…"
	}
	return detection{errorType, tag.Category, ingest.ScrubText(line), tag.Retryable}, true
}

// The wordings that decide whether a line tells of an error of an API. A number
// alone, or a banner that advertises a limit, has none of the first.
var (
	errorWording = regexp.MustCompile(`(?i)error|fail|exceed|reached|hit your|limit hit|unable to|could not|cannot|too many|rate.?limited|overload|refused|reset by|timed? ?out|timeout|unauthori[sz]ed|forbidden|invalid|incorrect|expired|denied|missing|unavailable|bad gateway|disconnect|hang ?up|unreachable|broken pipe|closed|ENOTFOUND|ECONN|EAI_|ETIMEDOUT|throttl|exhausted|insufficient|too low|try again|log ?in|制限に|エラー|失敗|切断|タイムアウト|拒否|超え|超過|無効|期限|错误|失败|超时|限制|无效|拒绝`)
	apiWording   = regexp.MustCompile(`(?i)\bAPI.?Error|"type": ?"error"|anthropic|openai|claude|gemini|googleapis|mistral|x\.ai|deepseek|api[ _-]?key|x-api-key`)
	request      = regexp.MustCompile(`(?i)request|connect|socket|stream|fetch|response|gateway|upstream|network|リクエスト|接続|応答|请求|连接`)

	// typed is what somebody typed, or a changed line of a file that is shown.
	typed = regexp.MustCompile(`^(?:[>›❯$%]\s|\d+\s+[-+]\s|[-+]\s|\d+[│|]|//|/\*|\* )`)
	// code is a line of a program that is shown, or the heading of a commit.
	code     = regexp.MustCompile(`^(?:import|export|from|const|let|var|if|return|def|class|func|function|throw|raise|catch|except|await|async|describe|expect|assert)\b[^:]*[({;]|^(?:[0-9a-f]{7,40} )?(?:docs|feat|fix|chore|refactor|tests?|style|perf|ci|build)(?:\([^)]*\))?!?: `)
	tableRow = regexp.MustCompile(`^\s*\|.*\|.*\|\s*$`)
	// talk is what a model says of errors, and the names of tests and tasks.
	talk = regexp.MustCompile(`(?i)\b(?:I'll|I've|I'm|I will|I have|I need|let me|let's|we (?:should|need|can)|you (?:can|could|should)|how (?:do|to|can)|handl(?:e|es|ed|ing|er)|retry logic|implement\w*|add(?:s|ed|ing)?|fix(?:es|ed|ing)?|tests?|when the|if the|in case of)\b|[✓✔☑☐☒]`)
	// otherProgram begins what programs print that call no model.
	otherProgram = regexp.MustCompile(`(?i)^[⎿\s]*(?:npm|yarn|pnpm|pip3?|git|fatal:|remote:|curl|wget|ssh|docker|cargo|go:|psql|mysql|redis|E:)\b`)
)
