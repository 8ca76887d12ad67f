package classify

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestTemplate(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"timed out after 30s", "timed out after <num>s"},
		{"connect ECONNREFUSED 10.0.0.7:443", "connect ECONNREFUSED <num>:<num>"},
		{"open '/tmp/a b.json' failed", "open <str> failed"},
		{"open /home/ann/x.txt: permission denied", "open <path>: permission denied"},
		{"GET https://api.example.com/v1/runs/8213?key=abc&x=1 -> 503", "GET https://api.example.com/v<num>/runs/<num>?<query> -> <num>"},
		{"2026-01-02 03:04:05.678 worker 12 died", "<time> worker <num> died"},
		{"2026-01-02T03:04:05Z worker 13 died", "<time> worker <num> died"},
		{"request 550e8400-e29b-41d4-a716-446655440000 failed", "request <uuid> failed"},
		{"request id req_011CYn6NGKAUEBEW5LYfdv5M", "request id <id>"},
		{"segfault at 0x7f0a1c ip deadbeef01", "segfault at <hex> ip <hex>"},
		{"mail to ann@example.com bounced", "mail to <email> bounced"},
		{"E0903 10:33:59.626219 1 conversation.go:472] stream error", "<time> <num> conversation.go:<num>] stream error"},
		{"pod web: W1231 23:59:59.000001 7 x.go:1] slow", "pod web: <time> <num> x.go:<num>] slow"},
		{"error[E0382]: borrow of moved value", "error[E0382]: borrow of moved value"},
		{"API Error: 529 overloaded", "API Error: 529 overloaded"},
		{"error TS2307: Cannot find module './x'", "error TS2307: Cannot find module <str>"},
		{`{"type":"error","message":"Overloaded"}`, `{"type":"error","message":"Overloaded"}`},
		{"can't open it", "can't open it"},
		{"\x1b[31mタイムアウト\x1b[0m（30秒）", "タイムアウト(<num>秒)"},
		{"", ""},
	} {
		if got := Template(test.message); got != test.want {
			t.Errorf("%q:\n got %q\nwant %q", test.message, got, test.want)
		}
	}
}

// TestTemplateVaries wants one template of each line of testdata/varying.txt, whose
// messages tell of one fault, and no template of two lines.
func TestTemplateVaries(t *testing.T) {
	file, err := os.ReadFile("testdata/varying.txt")
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]string{} // template: the line's first message
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		messages := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		want := Template(messages[0])
		for _, m := range messages[1:] {
			if got := Template(m); got != want {
				t.Errorf("%q: %q; %q: %q", messages[0], want, m, got)
			}
		}
		if other, ok := faults[want]; ok {
			t.Errorf("%q and %q are %q", other, messages[0], want)
		}
		faults[want] = messages[0]
	}
	if len(faults) == 0 {
		t.Error("no messages")
	}
}

func TestFingerprint(t *testing.T) {
	a := Fingerprint("search", "Timeout after 30 s, request 17 of 'alpha'")
	if !regexp.MustCompile(`^f2:[0-9a-f]{16}$`).MatchString(a) {
		t.Errorf("form of %q", a)
	}
	if b := Fingerprint("search", "Timeout after 45 s, request 3 of 'beta'"); a != b {
		t.Errorf("the same fault has two fingerprints: %s, %s", a, b)
	}
	if b := Fingerprint("fetch", "Timeout after 30 s, request 17 of 'alpha'"); a == b {
		t.Error("two operations have one fingerprint")
	}
	if b := Fingerprint("search", "Connection reset after 30 s"); a == b {
		t.Error("two faults have one fingerprint")
	}
	if wrapped := Fingerprint("search", "Timeout after 30 s,\n  request 17 of 'alpha'"); a != wrapped {
		t.Error("a wrapped line has another fingerprint")
	}
	// Fixed values: fingerprints are kept, so they must not change unseen.
	for message, want := range map[string]string{
		"timed out after 30s": "f2:defb8a17122fffef",
		"2026-01-02 03:04:05.678 worker 12 of 'alpha' died: exit code 137 at /home/ann/x.txt":   "f2:77cd1dbb8ff1b76b",
		"タイムアウト(30秒) https://x.example/a/17?q=1 <ann@example.com> req_011CYn6NGKAUEBEW5LYfdv5M": "f2:8f062210b8255522",
	} {
		if got := Fingerprint("search", message); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}
