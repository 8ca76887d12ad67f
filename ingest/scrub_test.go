package ingest

import (
	"strings"
	"testing"
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
		{`{"api_key": "0123456789abcdef"}`, `{"api_key": [password]}`},
		{`{\"password\": \"hunter2hunter2\"}`, `{\"password\": [password]}`},
		{"PGPASSWORD=hunter22 psql", "PGPASSWORD=[password] psql"},
		{"dbPassword: hunter22", "dbPassword: [password]"},
		{"password  =  hunter22", "password  =  [password]"},
		{`secret="correct horse battery"`, `secret=[password]`},
		{"Authorization: token abcdef0123456789", "Authorization: token [authorization]"},
		{"postgres://u:p@ssw0rd@host/db", "postgres://u:[password]@host/db"},
		{"AAAAB3Nz\nabc=\n-----END RSA PRIVATE KEY-----\nrest", "[private_key]\nrest"},
		{"prompt token: 128000 too many", "prompt token: 128000 too many"},
		{"mail to jo.doe@example.co.jp now", "mail to [email] now"},
		{"open /home/jo/work/a.txt", "open /home/[user]/work/a.txt"},
		{`C:\Users\Jo\a.txt`, `C:\Users\[user]\a.txt`},
		{"card 4111 1111 1111 1111 ok", "card [card] ok"},
		{"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[private_key]"},
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
	e := Event{Attrs: map[string]string{"password": "short", "API_KEY": "x y", "tokens": "12", "host": "a"}}
	if n := e.Scrub(); n != 2 || e.Attrs["password"] != "[password]" || e.Attrs["API_KEY"] != "[password]" || e.Attrs["tokens"] != "12" || e.Attrs["host"] != "a" {
		t.Errorf("%d: %v", n, e.Attrs)
	}
}
