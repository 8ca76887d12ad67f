package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"
)

func hookTo(t *testing.T, url string) Deliverer {
	t.Helper()
	all, err := Deliverers(Options{Webhooks: []string{url}})
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	return all[0]
}

// What a listener answers decides how it goes on; the address stays secret.
func TestWebhookAnswers(t *testing.T) {
	at := time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		status int
		after  string
		final  bool
		wait   time.Duration
	}{
		{http.StatusOK, "", false, 0},
		{http.StatusNoContent, "", false, 0},
		{http.StatusTooManyRequests, "120", false, 2 * time.Minute},
		{http.StatusServiceUnavailable, "Sun, 01 Feb 2026 07:00:00 GMT", false, time.Hour},
		{http.StatusServiceUnavailable, "soon", false, 0},
		{http.StatusServiceUnavailable, "99999999999", false, (1<<31 - 1) * time.Second},
		{http.StatusInternalServerError, "", false, 0},
		{http.StatusRequestTimeout, "", false, 0},
		{http.StatusNotFound, "", true, 0},
		{http.StatusForbidden, "", true, 0},
		{http.StatusFound, "", true, 0},
	} {
		listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", test.after)
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(test.status)
			if test.status != http.StatusNoContent {
				io.WriteString(w, "no_team at http://"+r.Host+r.URL.Path+": Cannot POST "+r.URL.RequestURI()+", no team "+path.Base(r.URL.Path))
			}
		}))
		err := hookTo(t, listener.URL+"/services/T0/SECRET?key=SECRET").Send(t.Context(), edition, Copy{1, at})
		listener.Close()
		if test.status/100 == 2 {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		var failure *Failure
		if !errors.As(err, &failure) || failure.Final != test.final || failure.After != test.wait {
			t.Errorf("%d: %v %+v", test.status, err, failure)
		}
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%d: the address stands in %v", test.status, err)
		}
	}
}

// What a listener tells of others' secrets is not kept.
func TestWebhookTellsSecrets(t *testing.T) {
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "denied for token ghp_"+strings.Repeat("aB3", 12)+"\nuser joe@corp.example")
	}))
	defer listener.Close()
	err := hookTo(t, listener.URL).Send(t.Context(), edition, Copy{1, time.Now()})
	if err == nil || !strings.HasSuffix(err.Error(), "403 Forbidden denied for token [api_key] user [email]") {
		t.Error(err)
	}
}

// A listener that is not there, or says nothing, is tried again later.
func TestWebhookAway(t *testing.T) {
	listener := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // so that the server sees the client go
		<-r.Context().Done()
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := hookTo(t, listener.URL+"/SECRET").Send(ctx, edition, Copy{1, time.Now()})
	if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "SECRET") {
		t.Error(err)
	}
	listener.Close()
	err = hookTo(t, listener.URL+"/SECRET").Send(t.Context(), edition, Copy{1, time.Now()})
	if err == nil || strings.Contains(err.Error(), "SECRET") || errors.As(err, new(*Failure)) {
		t.Error(err)
	}
}

// Slack takes the message within its limits, and no text of an event is markup.
func TestWebhookMessage(t *testing.T) {
	long := &Edition{Title: strings.Repeat("題", 200), Paragraphs: []string{strings.Repeat("文", 4000), "<!channel> @here *bold* & <https://example.net|x>"}}
	var got struct {
		Text   string
		Blocks []struct {
			Type string
			Text struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(hookBody(long), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Blocks) != 3 || got.Blocks[0].Type != "header" || len([]rune(got.Blocks[0].Text.Text)) != maxHeader || len([]rune(got.Blocks[1].Text.Text)) != maxSection {
		t.Errorf("blocks %+v", got.Blocks)
	}
	for _, b := range got.Blocks {
		if b.Text.Type != "plain_text" {
			t.Errorf("%s of type %s", b.Type, b.Text.Type)
		}
	}
	if got.Blocks[2].Text.Text != long.Paragraphs[1] {
		t.Errorf("plain text %q", got.Blocks[2].Text.Text)
	}
	if strings.ContainsAny(got.Text, "<>") || strings.Contains(got.Text, "@here") {
		t.Errorf("text %q", got.Text[len(got.Text)-100:])
	}
}

func TestWebhookSettings(t *testing.T) {
	for _, address := range []string{"hooks.slack.com/SECRET", "ftp://example.net/SECRET", "https:///SECRET", "https://exa mple/SECRET"} {
		if _, err := Deliverers(Options{Webhooks: []string{address}}); err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Webhooks of one host, as all of Slack's are, are told apart without their secret.
func TestWebhooksOfOneHost(t *testing.T) {
	all, err := Deliverers(Options{Webhooks: []string{"https://hooks.example/services/first", "https://hooks.example/services/second", "https://other.example/services/first"}})
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	if all[0].To == all[1].To || all[2].To != "https://other.example/…" {
		t.Errorf("they are called %q, %q and %q", all[0].To, all[1].To, all[2].To)
	}
	for _, d := range all[:2] {
		if !strings.HasPrefix(d.To, "https://hooks.example/… (") || strings.Contains(d.To, "services") {
			t.Errorf("called %q", d.To)
		}
	}
}
