package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/dashboard"
)

// maxForm bounds the parameters of a request: the receipt of an import of a
// million events between which others were published has the longest.
const maxForm = 64 << 20

// How long an answer waits for the events that were published before it was
// asked. A page behind a backlog shows what is stored; a command wants all.
const (
	pagePatience    = 2 * time.Second
	commandPatience = remoteTimeout
)

// handler returns the pages and the API of serve.
func (a *app) handler(p *pipeline, pages *dashboard.Dashboard) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { health(w, p) })
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { serveMetrics(w, r, p) })
	pages.Register(mux)
	api := func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := dashboard.ParseForm(r); err != nil {
			http.Error(w, err.Error(), cmp.Or(err.Status, http.StatusBadRequest))
			return
		}
		patience := pagePatience
		if r.Method == http.MethodPost {
			patience = commandPatience
		}
		p.serveResource(w, r, strings.TrimPrefix(r.URL.Path, "/v1/"), r.Form, patience)
	}
	for _, resource := range resources {
		mux.HandleFunc("POST /v1/"+resource.name, api)
		if resource.spans {
			mux.HandleFunc("GET /v1/"+resource.name, api) // the others cost or change something
		}
	}
	received := newReceiver(p)
	received.agents.Resume(time.Now())
	received.register(mux)
	return withHeaders(sameSite(a.withToken(withMethods(mux)), a.Token != ""))
}

// withToken asks for the token, when there is one, on everything but health.
func (a *app) withToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if _, password, ok := r.BasicAuth(); ok {
			got = password // so that a browser can ask for it
		}
		if a.Token != "" && r.URL.Path != "/healthz" && subtle.ConstantTimeCompare([]byte(got), []byte(a.Token)) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="hansei"`)
			http.Error(w, "send the token: Authorization: Bearer TOKEN, or as the password in a browser", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameSite refuses requests that a page of another site made a browser send:
// without a token this server trusts whoever reaches it on this machine, so it
// answers to no name that such a page could have pointed at it.
func sameSite(next http.Handler, hasToken bool) http.Handler {
	guard := http.NewCrossOriginProtection()
	return guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); ip == nil && host != "localhost" && !hasToken {
			http.Error(w, "unknown host name: ask by address, or run hansei serve with --token", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

func health(w http.ResponseWriter, p *pipeline) {
	if err := cmp.Or(p.healthy(), p.store.Behind()); err != nil {
		http.Error(w, withWayOut(err).Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// serveResource answers with the whole answer or an error, never with a part.
func (p *pipeline) serveResource(w http.ResponseWriter, r *http.Request, name string, values url.Values, patience time.Duration) {
	resource, err := resourceNamed(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	waiting, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := p.catchUp(waiting); err != nil {
		if errors.Is(err, errStuck) && patience == commandPatience && name != doctorResource {
			http.Error(w, withWayOut(err).Error(), http.StatusServiceUnavailable) // a part would pass for the whole
			return
		}
		p.log.Debug("answering with what is stored", "err", err)
	}
	var answer bytes.Buffer
	err = resource.answerTo(r.Context(), p, values, &answer)
	if err != nil {
		status := http.StatusInternalServerError
		var usage usageError
		if errors.As(err, &usage) {
			status, err = http.StatusBadRequest, usage.err
		}
		if conflict, other := (*analyze.Conflict)(nil), (*errNotInForce)(nil); errors.As(err, &conflict) {
			status, err = http.StatusConflict, conflict
		} else if errors.As(err, &other) {
			status = http.StatusConflict
		}
		http.Error(w, withWayOut(err).Error(), status)
		return
	}
	w.Header().Set("Content-Type", resource.media(values))
	if _, err := w.Write(answer.Bytes()); err != nil {
		p.log.Debug("answer not taken", "err", err)
	}
}
