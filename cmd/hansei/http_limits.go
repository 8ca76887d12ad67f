package main

import (
	"io"
	"net/http"
	"time"
)

// Limits of a connection. None bounds how long an answer is made, which a large
// export or a delivery takes; each bounds how long the other side does nothing.
const (
	headerPatience = 10 * time.Second
	idlePatience   = 2 * time.Minute  // between two requests of a browser that stays open
	bodyPatience   = 30 * time.Second // for the next piece of a request or of an answer
	maxHeader      = 256 << 10        // bytes, the address among them: an incident named by 64 KiB of text, escaped
	piece          = 64 << 10         // bytes of an answer that must be taken within bodyPatience
)

// newServer returns a server that a silent client cannot hold for ever.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: patient(handler, bodyPatience), ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience, MaxHeaderBytes: maxHeader}
}

// patient gives up on a client that neither sends nor takes anything for a time,
// be it in the middle of a stream of events.
func patient(next http.Handler, patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		r.Body = &patientBody{r.Body, c, patience}
		next.ServeHTTP(&patientWriter{w, c, patience}, r)
	})
}

type patientBody struct {
	io.ReadCloser
	c        *http.ResponseController
	patience time.Duration
}

// Read waits no longer than its patience. Afterwards the connection is watched
// without a limit, for whether the client is still there.
func (b *patientBody) Read(p []byte) (int, error) {
	b.c.SetReadDeadline(time.Now().Add(b.patience)) // an error: this connection has no deadlines
	defer b.c.SetReadDeadline(time.Time{})
	return b.ReadCloser.Read(p)
}

type patientWriter struct {
	http.ResponseWriter
	c        *http.ResponseController
	patience time.Duration
}

// Write waits no longer than its patience for each piece.
func (w *patientWriter) Write(p []byte) (n int, err error) {
	for first := true; err == nil && (first || len(p) > 0); first = false {
		w.c.SetWriteDeadline(time.Now().Add(w.patience)) // an error: this connection has no deadlines
		var took int
		took, err = w.ResponseWriter.Write(p[:min(len(p), piece)])
		n, p = n+took, p[took:]
	}
	return n, err
}

// FlushError waits no longer than its patience.
func (w *patientWriter) FlushError() error {
	w.c.SetWriteDeadline(time.Now().Add(w.patience)) // an error: this connection has no deadlines
	return w.c.Flush()
}

// withHeaders sets the headers that no answer should be without; pages set
// stricter ones.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Content-Security-Policy", "frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// withMethods answers 405 where an address takes only another method than GET:
// the page that says that nothing is there takes all others.
func withMethods(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "GET /" {
			post := r.Clone(r.Context())
			post.Method = http.MethodPost
			if _, pattern := mux.Handler(post); pattern != "" {
				w.Header().Set("Allow", http.MethodPost)
				http.Error(w, r.URL.Path+" takes POST only", http.StatusMethodNotAllowed)
				return
			}
		}
		mux.ServeHTTP(w, r)
	})
}
