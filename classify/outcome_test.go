package classify

import (
	"testing"

	"hansei/ingest"
)

func TestOutcome(t *testing.T) {
	for _, test := range []struct {
		text, resolved string
		want           Resolution
	}{
		{"クエリ変更で成功", "true", Retried},
		{"手動で修正", "true", Human},
		{"", "true", Retried},
		{"なんとなく", "true", Retried},
		{"クエリ変更で成功", "false", Open}, // the flag was set on purpose
		{"スキップ", "false", Skipped},
		{"", "false", ""},
		{"クエリ変更で成功", "", Retried},
		{"", "", ""},
	} {
		e := ingest.Event{Kind: ingest.Failure, Message: "x", Resolution: test.text}
		if test.resolved != "" {
			e.Attrs = map[string]string{"resolved": test.resolved}
		}
		if got := builtinClassifier(t).Tag(&e).Resolution; got != test.want {
			t.Errorf("%q, resolved %q: %q, want %q", test.text, test.resolved, got, test.want)
		}
	}
}
