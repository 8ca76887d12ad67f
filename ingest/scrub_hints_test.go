package ingest

import (
	"strings"
	"testing"
)

// The hints never miss what a pattern would find.
func FuzzHints(f *testing.F) {
	for _, s := range plantedSecrets(f) {
		f.Add(s.Text)
		f.Add("say " + s.Text + ", please")
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := hintsOf(text)
		for i := range secrets {
			s := &secrets[i]
			for _, match := range s.pattern.FindAllString(text, -1) {
				if shown&s.hint == 0 && (s.parts == nil || len(s.parts(match)) > 0) {
					t.Errorf("%q holds %s %q, which the hints miss", text, s.kind, match)
				}
			}
		}
	})
}

func TestScrubCountsByKind(t *testing.T) {
	counts := map[string]int{}
	for _, s := range plantedSecrets(t) {
		e := Event{Message: s.Text, Attrs: map[string]string{"k": s.Text}}
		if e.ScrubInto(counts) < 2 || strings.Contains(e.Message+e.Attrs["k"], s.Secret) {
			t.Errorf("%q became %q", s.Text, e.Message)
		}
	}
	for _, kind := range SecretKinds() {
		if counts[kind] == 0 {
			t.Errorf("no %s among the secrets of this test", kind)
		}
	}
}

func BenchmarkScrub(b *testing.B) {
	e := Event{
		Message: "API Error: 529 overloaded_error: the service is busy, retry in 12 s", Operation: "fetch", Code: "529", Step: "call",
		Component: "http-client", ArgsHash: "0bcdef302f459e70", Provider: "anthropic", Model: "claude-sonnet", Status: "failed",
	}
	for b.Loop() {
		e.Scrub()
	}
}
