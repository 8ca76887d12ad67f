package deliver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hansei/ingest"
)

// webhookTimeout bounds one request: Slack gives an app three seconds, others
// are slower.
const webhookTimeout = 30 * time.Second

// Limits of Slack's blocks: characters of a header and of a section's text.
const (
	maxHeader  = 150
	maxSection = 3000
)

// A hook is an address that takes messages as Slack's incoming webhooks do:
// {"text", "blocks"}. Who knows the address may write, so it is a secret.
type hook struct {
	address string
	to      string   // the address without what is secret in it
	secrets []string // what an answer may repeat of it
}

// shownToken is how much of the hash of its path tells a webhook from others of
// its host: 16 bits do not help to guess a path that is a secret.
const shownToken = 4

// toWebhooks posts editions as messages. An address is tried with requests that
// do not follow redirections, since those could lead the message elsewhere.
func toWebhooks(o Options) ([]Deliverer, error) {
	var all []Deliverer
	hosts := map[string]int{}
	for _, address := range o.Webhooks {
		if u, err := url.Parse(address); err == nil {
			hosts[u.Host]++
		}
	}
	for i, address := range o.Webhooks {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, fmt.Errorf("--webhook-url: number %d is no address of a webhook (it is a secret and not shown); write it like https://hooks.slack.com/services/…", i+1)
		}
		h := hook{address, u.Scheme + "://" + u.Host + "/…", secretsOf(address, u)}
		if hosts[u.Host] > 1 {
			h.to += " (" + token(u.RequestURI())[:shownToken] + ")"
		}
		all = append(all, Deliverer{
			To:   h.to,
			Key:  "webhook." + token(address),
			Send: h.send,
			Show: func(w io.Writer, e *Edition, _ Copy) error {
				_, err := fmt.Fprintf(w, "POST %s\nContent-Type: application/json\n\n%s", h.to, hookBody(e))
				return err
			},
		})
	}
	return all, nil
}

// send posts the message of e.
func (h hook) send(ctx context.Context, e *Edition, c Copy) error {
	ctx, cancel := context.WithTimeout(ctx, webhookTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address, bytes.NewReader(hookBody(e)))
	if err != nil {
		return &Failure{Err: fmt.Errorf("post to %s: the address is wrong", h.to), Final: true} // err would show it
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "hansei")
	request.Header.Set("Idempotency-Key", e.id("webhook."+token(h.address), c))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // without the address
	}
	if err != nil {
		return fmt.Errorf("post to %s: %w", h.to, err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, 4*maxError)) // only to explain a refusal
	if response.StatusCode/100 == 2 {
		return nil
	}
	return &Failure{
		Err:   fmt.Errorf("post to %s: %s %s", h.to, response.Status, told(ingest.ScrubText(string(answer)), h.secrets...)), // it may tell of others' secrets too
		Final: !passes(response.StatusCode),
		After: retryAfter(response.Header.Get("Retry-After"), c.At),
	}
}

// secretsOf are the address of a webhook and its parts: a server says "Cannot
// POST /services/…" of a path that it does not know.
func secretsOf(address string, u *url.URL) []string {
	password, _ := u.User.Password()
	secrets := []string{address, u.RequestURI(), u.EscapedPath(), u.Path, u.RawQuery, password}
	secrets = append(secrets, strings.Split(u.EscapedPath(), "/")...)
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) }) // a part after its whole
	return slices.DeleteFunc(secrets, func(s string) bool { return len(s) < leastSecret })
}

// leastSecret is the shortest part of an address that is a secret: shorter ones
// are words like hooks, and leave an error that cannot be read.
const leastSecret = 6

// passes reports whether a request that got status may succeed later.
func passes(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// retryAfter reads the header of that name (RFC 9110, section 10.2.3).
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// A block is one of Slack's. Its text is plain: what came with events is no
// markup.
type block struct {
	Type string    `json:"type"`
	Text plainText `json:"text"`
}

type plainText struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji bool   `json:"emoji"`
}

// hookBody is the body of the request. Who does not know blocks shows the text.
func hookBody(e *Edition) []byte {
	out := struct {
		Text   string  `json:"text"`
		Blocks []block `json:"blocks"`
	}{
		Text:   harmless.Replace(e.Title + "\n\n" + strings.Join(e.Paragraphs, "\n\n")),
		Blocks: []block{{"header", plainText{"plain_text", cut(e.Title, maxHeader), false}}},
	}
	for _, p := range e.Paragraphs {
		out.Blocks = append(out.Blocks, block{"section", plainText{"plain_text", cut(p, maxSection), false}})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		panic(err) // strings always marshal
	}
	return b.Bytes()
}

// harmless takes from a text what the receivers would read as markup or as a
// call to everybody in a channel; a word joiner (U+2060) is not seen.
var harmless = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u2060")

// cut keeps the first most characters of s.
func cut(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
