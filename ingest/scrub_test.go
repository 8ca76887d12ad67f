package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestScrub(t *testing.T) {
	x := strings.Repeat("aB3", 12)
	for _, test := range []struct{ in, want string }{
		{"key sk-proj-" + x + " refused", "key [api_key] refused"},
		{"sk-ant-api03-" + x, "[api_key]"},
		{"ghp_" + x, "[api_key]"},
		{"AIza" + x, "[api_key]"},
		{"AKIAABCDEFGHIJKLMNOP", "[api_key]"},
		{"Authorization: Bearer " + x, "Authorization: Bearer [authorization]"},
		{"eyJhbGciOiJI." + x + "." + x, "[jwt]"},
		{"postgres://app:hunter22@db/shop", "postgres://app:[password]@db/shop"},
		{"DB_PASSWORD=correcthorse; next", "DB_PASSWORD=[password]; next"},
		{`{"api_key": "0123456789abcdef"}`, `{"api_key": "[password]"}`},
		{`{\"password\": \"hunter2hunter2\"}`, `{\"password\": \"[password]\"}`},
		{"PGPASSWORD=hunter22 psql", "PGPASSWORD=[password] psql"},
		{"dbPassword: hunter22", "dbPassword: [password]"},
		{"password  =  hunter22", "password  =  [password]"},
		{`secret="correct horse battery"`, `secret="[password]"`},
		{"authorization=Basic opensesame", "authorization=Basic [authorization]"},
		{`{\\\"Cookie\\\":\\\"a=1\\\"}`, `{\\\"Cookie\\\":\\\"[cookie]\\\"}`},
		{"Authorization: token abcdef0123456789", "Authorization: token [authorization]"},
		{"postgres://u:p@ssw0rd@host/db", "postgres://u:[password]@host/db"},
		{"AAAAB3Nz\nabc=\n-----END RSA PRIVATE KEY-----\nrest", "[private_key]\nrest"},
		{"prompt token: 128000 too many", "prompt token: 128000 too many"},
		{"mail to jo.doe@example.co.jp now", "mail to [email] now"},
		{"open /home/jo/work/a.txt", "open /home/[user]/work/a.txt"},
		{`C:\Users\Jo\a.txt`, `C:\Users\[user]\a.txt`},
		{"card 4111 1111 1111 1111 ok", "card [card] ok"},
		{"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[private_key]"},
		{"amex 3782 822463 10005, 371449635398431", "amex [card], [card]"},
		{"diners 3056-930902-5904", "diners [card]"},
		{"discover 6011111111111117 jcb 3530-1113-3330-0000 unionpay 6240008631401148", "discover [card] jcb [card] unionpay [card]"},
		{"mastercard 2223003122003222", "mastercard [card]"},
		{"order 4000 4111 1111 1111 1111 12/28 123", "order 4000 [card] 12/28 123"},
		{"4111 1111 1111 1111 5500 0055 5555 5559", "[card] [card]"},
		{"ports 3000 3001 3002 3003 busy", "ports 3000 3001 3002 3003 busy"},
		{"took 3000000000000004 ns", "took 3000000000000004 ns"},       // no issuer has it
		{"range 4111 1111-1111 1111", "range 4111 1111-1111 1111"},     // not printed so
		{"41111 11111 111111 x", "41111 11111 111111 x"},               // nor so
		{"cookie: session=abcdef0123456789abcdef", "cookie: [cookie]"}, //
		{"Set-Cookie: sid=a1b2c3; Path=/; HttpOnly", "Set-Cookie: [cookie]; HttpOnly"},
		{`{"set-cookie":["sid=a1b2c3; Path=/"],"a":1}`, `{"set-cookie":["[cookie]"],"a":1}`},
		{`{\"Cookie\": \"a=1; b=2\"}`, `{\"Cookie\": \"[cookie]\"}`},
		{`Cookie: a="x y"; token=abcdef123456`, `Cookie: [cookie]`},
		{"invalid cookie: missing session", "invalid cookie: missing session"},
		{"パスワード：himitsu が違います", "パスワード：[password] が違います"},
		{"パスワード: 「ひみつ」は無効です", "パスワード: 「[password]」は無効です"},
		{"暗証番号：1234", "暗証番号：[password]"},
		{"密码：abc123 错误", "密码：[password] 错误"},
		{`{"密钥":"k3y-k3y"}`, `{"密钥":"[password]"}`},
		{"密碼＝abc123", "密碼＝[password]"},
		{"APIキー: abcdef123", "APIキー: [password]"},
		{"トークン：abcdef123", "トークン：[password]"},
		{"password：hunter22", "password：[password]"},
		{"password\t=\thunter22", "password\t=\t[password]"},
		{"トークン: 128000 を超えました", "トークン: 128000 を超えました"}, // a count
		{"bash: passwd: command not found", "bash: passwd: command not found"},
		{"passwd: Authentication token manipulation error", "passwd: Authentication token manipulation error"},
		{"passwd: hunter22", "passwd: [password]"},
		{"密码：错误", "密码：错误"},           // a verdict
		{"パスワード：不正です", "パスワード：不正です"}, //
		{`{"body":"bad key\nsk-proj-` + x + `\r\nBearer ` + x + `"}`, `{"body":"bad key\n[api_key]\r\nBearer [authorization]"}`},
		{`a=1\u0026sig=` + x + `%3D\u0026b`, `a=1&sig=[signature]&b`},
		{`\teyJhbGciOiJI.` + x + "." + x, `\t[jwt]`},
		{`card\n4111 1111 1111 1111`, `card\n[card]`},
		{"sig=11 (SIGSEGV), signature=verify(self)", "sig=11 (SIGSEGV), signature=verify(self)"},
		{"ATBB, SKILL_NAME_OF_MANY and sk-learn are no keys", "ATBB, SKILL_NAME_OF_MANY and sk-learn are no keys"},
		{"id 4111 1111 1111 1112", "id 4111 1111 1111 1112"},                                 // no check digit
		{"max tokens: 128000 exceeded", "max tokens: 128000 exceeded"},                       // a count, not a token
		{"Unexpected token: }", "Unexpected token: }"},                                       // a parser's word
		{"a@b is no mail, foo@1.2", "a@b is no mail, foo@1.2"},                               //
		{"invalid x-api-key", "invalid x-api-key"},                                           //
		{"task-force of disk-usage-of-everything", "task-force of disk-usage-of-everything"}, // sk- inside words
	} {
		e := Event{Message: test.in, Detail: test.in, Attrs: map[string]string{"k": test.in}}
		n := e.Scrub()
		if e.Message != test.want || e.Detail != test.want || e.Attrs["k"] != test.want {
			t.Errorf("%q became %q, want %q", test.in, e.Message, test.want)
		}
		if (n > 0) != (test.in != test.want) {
			t.Errorf("%q: counted %d", test.in, n)
		}
		if again := ScrubText(test.want); again != test.want {
			t.Errorf("%q scrubbed again is %q", test.want, again)
		}
	}
}

// What only looks like a secret stays.
func TestScrubHealthy(t *testing.T) {
	for _, text := range []string{
		"pass: 12 of 14 tests", "pass=true", "pass=3/4 fail=1", "First pass: parsing files", "bypass: enabled", `{"pass": true}`, "pass rate: 12/14",
		"password must be 8 characters", "token: expired", "password: incorrect.", "credentials: missing", "<token>42</token>", "List<Password> a</b>",
		"docker run -p 8080:80", "mysql -u root -p -h x", "mysql -p shop", "curl -u admin https://x:80/a", "login failed password incorrect",
		"missing --password option", "use --token to authenticate", "--api-key is required", "--pass --verbose", `["invalid x-api-key", "invalid bearer token"]`,
		"basic authentication failed", "Bearer authentication-failed.", "auth: failed", "auth=oauth2", "pin: 13", "GPIO pin 1234",
		"http://localhost:8080/a@b", "http://[::1]:80/a@b", "https://host:443/~jo/x@y", "take-home-pay", "go -home-dir x", "docs/home-page",
		"パスワードは必須です", "パスワード: 必須", "トークン「}」は予期しません", "ｴﾗｰ（ＡＢＣ）！", "キー：名前", "token = strings.Trim(x)", "password = os.environ.get(name)",
		"100% done, 50%25", "[3m 20s] [0m]\x1b[1mbold\x1b[0m", "&amp; &lt;b&gt;", `C:\x41\u0041b`, "?key=abcdef", "keyboard: us-us1", "us-east-1-us2",
		"path/to/file.txt, pattern-matching.go", "napi_create_string_utf8_with_a_long_name_of_many_words", "slot.of.many.words", "at attempt",
		"SUBSCRIPTION_ID_OF_MANY_CUSTOMERS is missing", "SUASORTE", "tx 0x" + strings.Repeat("0a1b2c3d", 8), "sha256:" + strings.Repeat("0a1b2c3d", 8), "commit 0586a60bdc0ebd0586a60bdc0ebd0586a60bdc0e",
		"0b5c1f6e-3c1d-4d7e-9a55-0f6c1d2e3f4a", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"ssh://git@github/x.git", "nats://demo@host:4222", "postgres://application_user@db/shop", "https://registry.npmjs.org/@scope/some-package-12@1.2.3", "localhost:5432:shop: connection refused", "a.c:*: 3 errors",
		"sed s/a/$1$2/ and $6 and $HOME$PATH", "cost $5$ each", "jdbc:oracle:thin:@db:1521/x", "Authorization: required", "Authorization header missing", "authorization=AWS4-HMAC-SHA256 is not supported", "authorization: PermissionDeniedByTheServer",
		"psk := tls13.ExpandLabel(suite.hash.New, c)", "task: done, disk: full", "a dose of 32", "AQ.About it", "as-is, m0-9", "Private-Lines: 14", "BSA_CONSTANT", "JQQJ99", "jsessionid=none",
	} {
		if got := ScrubText(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// In bad input a secret is found by what it means, however it is written, and
// JSON stays JSON.
func TestScrubRaw(t *testing.T) {
	for _, s := range plantedSecrets(t) {
		plain, err := json.Marshal(map[string]any{"agent": "a", "message": s.Text, "list": []string{s.Text}})
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range []string{string(plain), escaped(string(plain)), "broken " + string(plain), "broken " + escaped(string(plain)), "broken " + s.Text} {
			r := Record{Raw: []byte(raw), Err: errNoTime}
			r.Scrub()
			got := string(r.Raw)
			var e struct{ Message string }
			if err := json.Unmarshal(r.Raw, &e); err != nil && raw[0] == '{' {
				t.Errorf("%s became %s, which is no JSON: %v", raw, got, err)
			}
			for _, text := range []string{got, meaning(got), e.Message} {
				if strings.Contains(text, s.Secret) {
					t.Errorf("%s became %s", raw, got)
				}
			}
		}
	}
}

// escaped writes what is not of ASCII, and slashes, as JSON allows.
func escaped(text string) string {
	out := ""
	for _, unit := range utf16.Encode([]rune(text)) {
		switch {
		case unit == '/':
			out += `\/`
		case unit < utf8.RuneSelf:
			out += string(rune(unit))
		default:
			out += fmt.Sprintf(`\u%04x`, unit)
		}
	}
	return out
}

// Bad input is put in again as it came, but for its secrets.
func TestScrubRawKeepsTheRest(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{ "agent":"a\/b", "n":1.50, "password":"x", "list":["y", {"k":null}] }`, `{ "agent":"a\/b", "n":1.50, "password":"[password]", "list":["y", {"k":null}] }`},
		{`{"set-cookie":["sid=1; Path=/"],"token":12345,"tokens":12345}`, `{"set-cookie":["[password]"],"token":"[password]","tokens":12345}`},
		{`{"card":4111111111111111,"pass":"12 of 14"}`, `{"card":"[card]","pass":"12 of 14"}`},
		{`{"args":["--password","x7yK2z"],"jo@example.com":"a"}`, `{"args":["--password","[password]"],"[email-f4e19df2e6c609fb]":"a"}`},
		{`{"a":"\u65e5\u672c","b":"sk\u002dproj-` + strings.Repeat("aB3", 9) + `"}`, `{"a":"\u65e5\u672c","b":"[api_key]"}`},
		{"{\"a\":\"password=\",\n      \"b\":\"x\"}", "{\"a\":\"password=\",\n      \"b\":\"x\"}"},
		{`"password=hunter22"`, `"password=[password]"`},
	} {
		r := Record{Raw: []byte(test.in), Err: errNoTime}
		r.Scrub()
		if got := string(r.Raw); got != test.want {
			t.Errorf("%s became %s, want %s", test.in, got, test.want)
		}
	}
}

// A text of one sign alone is looked at once: no sign is looked for with the
// whole text behind it.
func BenchmarkScrubSigns(b *testing.B) {
	var texts []string
	for _, sign := range []string{" ", "-", `\`, `\u`, " -p", "%", "[", "\x1b["} {
		texts = append(texts, strings.Repeat(sign, MaxEvent/len(sign)))
	}
	for b.Loop() {
		for _, text := range texts {
			ScrubText(text)
		}
	}
}

func BenchmarkScrubClean(b *testing.B) {
	e := Event{Message: "API Error: 529 overloaded_error: the service is busy, retry in 12 s", Operation: "fetch", Code: "529"}
	for b.Loop() {
		e.Scrub()
	}
}

func BenchmarkScrubTokens(b *testing.B) {
	e := Event{Message: "API Error: 429 rate_limit_error: Number of request tokens has exceeded your per-minute rate limit (request id req_0000000a)", Operation: "fetch", Code: "429"}
	for b.Loop() {
		e.Scrub()
	}
}

func TestScrubAttrsByName(t *testing.T) {
	e := Event{Attrs: map[string]string{"password": "short", "API_KEY": "x y", "tokens": "12", "host": "a", "pass": "12 of 14", "DbAuth": "x7yK2zA", "http.request.header.cookie": "x", "http.request.header.authorization": "x7yK2zAb x7yK2zAb", "authorization": "failed", "パスワード": "y"}}
	if n := e.Scrub(); n != 6 || e.Attrs["authorization"] != "failed" || e.Attrs["http.request.header.authorization"] != "[password]" || e.Attrs["pass"] != "12 of 14" || e.Attrs["DbAuth"] != "[password]" || e.Attrs["http.request.header.cookie"] != "[password]" || e.Attrs["パスワード"] != "[password]" || e.Attrs["password"] != "[password]" || e.Attrs["API_KEY"] != "[password]" || e.Attrs["tokens"] != "12" || e.Attrs["host"] != "a" {
		t.Errorf("%d: %v", n, e.Attrs)
	}
}

// What the decoder cuts off, a slash or the beginning of a long text, hides no
// secret from Scrub.
func TestScrubAfterDecode(t *testing.T) {
	for _, test := range []struct{ record, field, want string }{
		{`"operation":"/home/janedoe/proj/x.py"`, "operation", "home/[user]/proj/x.py"},
		{`"operation":"/Users/janedoe/x.py"`, "operation", "Users/[user]/x.py"},
		{`"operation":"/deploy"`, "operation", "deploy"},
		{`"operation":"//deploy"`, "operation", "/deploy"},
		{`"operation":"home/page"`, "operation", "home/page"},
		{`"detail":"sk-proj-` + strings.Repeat("aB3", 20) + strings.Repeat(" x", MaxDetail/2-10) + `"`, "detail", "key]" + strings.Repeat(" x", MaxDetail/2-10)},
	} {
		m := Message{Data: []byte(`{"time":"2026-01-15T12:00:00Z","agent":"a",` + test.record + `}`)}
		records := Decode(m)
		if len(records) != 1 || records[0].Err != nil {
			t.Fatalf("%s: %v", test.record, records)
		}
		e := records[0].Event
		e.Scrub()
		if got := map[string]string{"operation": e.Operation, "detail": e.Detail}[test.field]; !strings.HasSuffix(got, test.want) || test.field == "operation" && got != test.want {
			t.Errorf("%.60s became %.60q, want %.60q", test.record, got, test.want)
		}
	}
}

// A reason that quotes a part of a secret would show it.
func TestScrubReason(t *testing.T) {
	long := `{"agent":"a","time":"` + strings.Repeat("x", 50) + ` postgres://app:hunter22hunter22hunter22@db/shop"}`
	m := Message{Data: []byte(long)}
	r := Decode(m)[0]
	r.Scrub()
	if r.Err == nil || strings.Contains(r.Err.Error(), "hunter") {
		t.Errorf("the reason is %v", r.Err)
	}
}
