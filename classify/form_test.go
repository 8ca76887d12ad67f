package classify

import (
	"testing"

	"hansei/ingest"
)

// TestForms wants text that only shows a program, or what was changed in one, to
// be no failure, and what a program says to count next to it.
func TestForms(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		message string
		want    Category
	}{
		{"\tif err != nil {\n\t\treturn fmt.Errorf(\"connection refused: %w\", err)\n\t}", Unknown},
		{"    def load(self, path):\n        \"\"\"Read path.\n\n        An invalid header is a damaged file.\n        \"\"\"\n        with open(path) as f:\n            return f.read()", Unknown},
		{"src/api.ts:41:  // a 429 means too many requests\nsrc/api.ts:42:  if (res.status === 429) {", Unknown},
		{"### Bug Fixes\n\n* **auth:** handle expired tokens (#41)\n* Fix crash when the disk is full", Unknown},
		{"    raise ValueError(\"bad\")\nPermissionError: [Errno 13] Permission denied: '/srv/a'", Permission},
		{"import requests\nfrom os import path\nx = load(path)\nError: connect ECONNREFUSED 127.0.0.1:80", Network},
		{"$ make deploy\nx := load(config)\ndial tcp 10.0.0.1:443: connection refused\nthe upload did not finish\ngave up here", Network}, // one statement is no program
		{"make: opção não reconhecida “--nope”\nUso: make [opções] [alvo] ...\nOpções:\n -b, -m                      Ignorado para compatibilidade.\n -B, --always-make           Processa todos os alvos.\n -d                          Exibe informações.\n --debug[=OPÇÕES]            Exibe mais.\n -e, --environment-overrides Sobrepõe.", Validation}, // the failure stands before the help
		{"* connect to 127.0.0.1 port 9 failed: Connection refused", Network},
		{"agents = [known[a[\"name\"]] for a in found] KeyError: 'Writer'", CodeError}, // lines of a trace that were joined
		{"x = load(y) if ok else raise ValueError: no", Unknown},
		{"ERROR:  function total(integer) does not exist", CodeError},
	} {
		if tag := c.Tag(&ingest.Event{Message: test.message}); tag.Category != test.want {
			t.Errorf("%q: %s by %q, want %s", test.message, tag.Category, tag.Rule, test.want)
		}
	}
}

// TestFormNeedsLine wants a pattern without phrases only of a rule that quiets lines.
func TestFormNeedsLine(t *testing.T) {
	r := Rule{Name: "a", Category: Plot, Weight: Hint, Pattern: "^a"}
	if err := r.check(); err == nil {
		t.Error("a pattern without phrases was taken")
	}
	r.Line = true
	if err := r.check(); err != nil {
		t.Error(err)
	}
}
