package classify

import (
	"strconv"
	"strings"
)

// A codeTable finds the rule of a structured value. Values are compared
// without case and punctuation, so rateLimitExceeded, rate_limit_exceeded and
// RATE-LIMIT-EXCEEDED are one.
//
// In a rules file a code is such a value, or one of
//
//	AADSTS*    all values that start so
//	429        a HTTP status (400 to 599)
//	exit:137   an exit code; exit:* is any but 0
//	field:X    X, which in a text would say nothing
//
// A value that the table does not have is read as a text, and then by its words:
// see codeWords.
type codeTable struct {
	exact    map[string]int32
	prefixes []prefixCode
	http     [600]int32 // HTTP status: rule, or -1
	exit     [256]int32 // exit code: rule, or -1
	anyExit  int32
}

type prefixCode struct {
	prefix string
	rule   int32
}

func newCodeTable() *codeTable {
	t := &codeTable{exact: map[string]int32{}, anyExit: -1}
	for i := range t.http {
		t.http[i] = -1
	}
	for i := range t.exit {
		t.exit[i] = -1
	}
	return t
}

// add enters the codes of a rule and returns those that count as phrases too.
// A value that an earlier rule has stays with it.
func (t *codeTable) add(codes []string, rule int32) (phrases []string) {
	for _, code := range codes {
		code, fieldOnly := strings.CutPrefix(code, "field:")
		if exit, ok := strings.CutPrefix(code, "exit:"); ok {
			if exit == "*" {
				t.anyExit = rule
			} else if n, err := strconv.Atoi(exit); err == nil && n > 0 && n < len(t.exit) {
				t.exit[n] = rule
			}
			continue
		}
		if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < len(t.http) {
			t.http[n] = rule
			continue
		}
		if p, ok := strings.CutSuffix(code, "*"); ok {
			t.prefixes = append(t.prefixes, prefixCode{codeKey(nil, p), rule})
			if identifier(p) {
				phrases = append(phrases, code)
			}
			continue
		}
		key := codeKey(nil, code)
		if _, taken := t.exact[key]; !taken {
			t.exact[key] = rule
		}
		switch {
		case fieldOnly || !identifier(code):
		case strings.ToUpper(code) == code && strings.Count(code, "_") < 2: // max_tokens is a parameter, MAX_TOKENS a reason
			phrases = append(phrases, "="+code)
		default:
			phrases = append(phrases, spellings(code)...)
		}
	}
	return phrases
}

// identifier says whether code cannot be an ordinary word of a sentence: it
// has an underscore, a capital after a small letter, or is an errno name.
func identifier(code string) bool {
	if strings.Contains(code, "_") {
		return true
	}
	for i := 1; i < len(code); i++ {
		if code[i] >= 'A' && code[i] <= 'Z' && code[i-1] >= 'a' && code[i-1] <= 'z' {
			return true
		}
	}
	return len(code) >= 4 && code[0] == 'E' && strings.ToUpper(code) == code && !strings.Contains(code, " ")
}

// spellings returns code as one word and with underscores.
func spellings(code string) []string {
	var snake, joined strings.Builder
	for i := range len(code) {
		b := code[i]
		if i > 0 && b >= 'A' && b <= 'Z' && code[i-1] >= 'a' && code[i-1] <= 'z' {
			snake.WriteByte('_')
		}
		snake.WriteByte(b)
		if b != '_' {
			joined.WriteByte(b)
		}
	}
	if snake.String() == joined.String() {
		return []string{code}
	}
	return []string{snake.String(), joined.String()}
}

// codeKey appends the compared form of code to dst.
func codeKey(dst []byte, code string) string {
	for i := range len(code) {
		if b := code[i]; b >= 'A' && b <= 'Z' {
			dst = append(dst, b+'a'-'A')
		} else if b != '_' && b != '-' && b != ' ' && b != '.' || b == '-' && i == 0 {
			dst = append(dst, b)
		}
	}
	return string(dst)
}

// codeWords appends the words of code to dst: of kQuotaExceeded "k Quota Exceeded",
// of ERR_FOO_NOT_FOUND "ERR FOO NOT FOUND", of XMLParseError "XML Parse Error".
func codeWords(dst []byte, code string) []byte {
	capital := func(i int) bool { return code[i] >= 'A' && code[i] <= 'Z' }
	small := func(i int) bool { return i >= 0 && i < len(code) && code[i] >= 'a' && code[i] <= 'z' }
	for i := range len(code) {
		b := code[i]
		switch {
		case b == '_' || b == '-' || b == '.' || b == '/' || b == ':':
			b = ' '
		case capital(i) && (small(i-1) || i > 0 && capital(i-1) && small(i+1)):
			dst = append(dst, ' ')
		}
		dst = append(dst, b)
	}
	return dst
}

// find returns the rule of a field's value, or -1.
func (t *codeTable) find(value string, role role) int32 {
	var buf [64]byte
	if len(value) > len(buf) {
		return -1 // longer than any code: a sentence
	}
	key := codeKey(buf[:0], value)
	if rule, ok := t.exact[key]; ok {
		return rule
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 0 {
		return t.ofNumber(n, role)
	}
	for _, p := range t.prefixes {
		if strings.HasPrefix(key, p.prefix) {
			return p.rule
		}
	}
	return -1
}

// ofNumber returns the rule of a bare number: a HTTP status, else an exit code.
func (t *codeTable) ofNumber(n int, role role) int32 {
	switch {
	case role != isExit && n >= 400 && n < len(t.http):
		return t.http[n]
	case role == isStatus || n == 0:
		return -1
	case n < len(t.exit) && t.exit[n] >= 0:
		return t.exit[n]
	case role == isExit:
		return t.anyExit
	}
	return -1
}

// contexts are the phrases behind which a number is a status or an exit code.
var contexts = []struct {
	role  role
	words []string
}{
	{isStatus, []string{
		"http", "http/1.1", "http/1.0", "http/2", "http/2.0", "http/3", "http error", "http error code", "https error",
		"status", "status code", "status_code", "statuscode", "http_status", "httpstatus", "http_code", "httpcode",
		"error code", "error_code", "errorcode", "error", "err", "code", "api error", "returned error", "returned", "returned a",
		"returned an", "responded with", "responded with a", "response", "response code", "received", "received a", "got", "got a",
		"failed with", "failed", "request failed", "api failure", "api_failure", "with code", "unexpected status", "unexpected server response",
		"api_error", "apierror", "exception", "statut", "状态码", "状态", "ステータスコード", "ステータス", "エラーコード", "エラー", "错误码", "错误代码", "错误",
	}},
	{isExit, []string{
		"exit code", "exit_code", "exitcode", "exit status", "exit", "exit value", "exited with", "exited with code", "exited code",
		"exited with exit code", "exited with status", "exited with an unexpected code", "terminated with exit code", "return code", "returncode", "exit with code",
		"returned non-zero exit status", "returned a non-zero code", "exited with error code", "process exited with code", "code",
		"exited with non-zero code", "exit with status", "失败,退出码", "退出码", "退出代码", "終了コード", "終了ステータス",
	}},
}

// units are the words behind a number that is no status: "returned 500 rows".
var units = []string{"ms", "rows", "tokens", "bytes", "items", "records", "lines", "results", "files", "messages",
	"times", "seconds", "tests", "passed", "entries", "documents", "words", "chars", "characters", "points", "errors", "of"}

// number reads the number behind a context that ends at text[at], and returns
// its rule and where it ends, or -1.
func (t *codeTable) number(role role, text []byte, at int) (rule int32, end int) {
	// Between the word and its number stand at most a colon, quotes, brackets
	// or an equals sign with their spaces.
	const between = 5
	stop := min(len(text), at+between)
	for at < stop && !word[text[at]] && text[at] < 0x80 && text[at] != '/' && text[at] != '-' {
		at++
	}
	n, end := 0, at
	for end < len(text) && digit(text[end]) && end-at < 4 {
		n = n*10 + int(text[end]-'0')
		end++
	}
	if end == at || end < len(text) && (word[text[end]] || text[end] == ',' && end+1 < len(text) && digit(text[end+1]) ||
		text[end] == '.' && end+1 < len(text) && digit(text[end+1])) {
		return -1, end
	}
	if role == isStatus {
		if n < 400 || n >= len(t.http) || unitAt(text[end:]) {
			return -1, end
		}
		return t.http[n], end
	}
	return t.ofNumber(n, isExit), end
}

// headline returns the rule of the HTTP status that text begins with, as in
// "429 Provider returned error", and where it ends, or -1.
func (t *codeTable) headline(text []byte) (rule int32, end int) {
	const digits = 3
	if len(text) < digits+2 || text[digits] != ' ' && text[digits] != ':' || !digit(text[0]) || unitAt(text[digits:]) {
		return -1, 0
	}
	n := 0
	for _, b := range text[:digits] {
		if !digit(b) {
			return -1, 0
		}
		n = n*10 + int(b-'0')
	}
	if n < 400 || n >= len(t.http) {
		return -1, 0
	}
	return t.http[n], digits
}

// unitAt says whether a unit stands at the start of text.
func unitAt(text []byte) bool {
	if len(text) == 0 || text[0] != ' ' && text[0] != '/' {
		return false
	}
	for _, u := range units {
		if len(text) > len(u) && string(text[1:1+len(u)]) == u && (len(text) == len(u)+1 || !word[text[len(u)+1]]) {
			return true
		}
	}
	return false
}
