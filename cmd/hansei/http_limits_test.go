package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A client that takes or sends nothing more is given up, in the middle of a
// stream too; one that is only slow is not.
func TestPatience(t *testing.T) {
	over := make(chan error, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			over <- err
			return
		}
		if r.URL.Path == "/slow" {
			fmt.Fprint(w, strings.Repeat("x", 3*piece))
			return
		}
		for {
			if _, err := fmt.Fprint(w, strings.Repeat("x", piece)); err != nil {
				over <- err
				return
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				over <- err
				return
			}
		}
	})
	server := httptest.NewServer(patient(handler, 500*time.Millisecond))
	defer server.Close()
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",                             // reads nothing
		"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab", // sends no more
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-over:
			if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
				t.Errorf("%.20s: %v", request, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%.20s: held for ever", request)
		}
	}
	answer, err := http.Post(server.URL+"/slow", "text/plain", strings.NewReader("all"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.Copy(io.Discard, bufio.NewReader(answer.Body)); got != 3*piece || err != nil {
		t.Errorf("got %d bytes, %v", got, err)
	}
}

// Each address says which methods it takes, and no answer lacks the headers
// that keep a browser from misusing it.
func TestMethodsAndHeaders(t *testing.T) {
	s := openSite(t, "")
	s.fill()
	for _, test := range []struct {
		method, address string
		status          int
		allow           string
	}{
		{"PUT", "/", 405, "GET, HEAD"},
		{"POST", "/report", 405, "GET, HEAD"},
		{"DELETE", "/suggestions", 405, "GET, HEAD, POST"},
		{"GET", "/v1/query", 405, "POST"},
		{"GET", "/v1/logs", 405, "POST"},
		{"HEAD", "/v1/events", 405, "POST"},
		{"GET", "/v1/nothing", 404, ""},
		{"GET", "/nothing", 404, ""},
		{"GET", "/assets/nothing", 404, ""},
		{"HEAD", "/", 200, ""},
		{"HEAD", "/live/stream", 200, ""},
		{"GET", "/favicon.ico", 200, ""},
		{"GET", "/assets/dashboard.css", 200, ""},
		{"GET", "/report?format=html&month=2026-03", 200, ""},
		{"GET", "/v1/report?month=2026-03&agent=%ff", 400, ""},
		{"GET", "/v1/report?month=2026-03&%ff=x", 400, ""},
		{"GET", "/v1/report?month=2026-03&timezone=posix/Europe/Berlin", 400, ""},
		{"GET", "/report?timezone=right/Europe/Berlin", 400, ""},
		{"GET", "/?timezone=posixrules", 400, ""},
		{"GET", "/?timezone=localtime", 400, ""},
		{"GET", "/?timezone=Local", 400, ""},
		{"GET", "/?timezone=Factory", 200, ""},
		{"GET", "/incidents?text=" + strings.Repeat("x", 100_000), 200, ""},
	} {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), test.method, "http://127.0.0.1"+test.address, nil))
		name := fmt.Sprintf("%s %.60s", test.method, test.address)
		if w.Code != test.status || w.Header().Get("Allow") != test.allow {
			t.Errorf("%s: %d, Allow %q: %.200s; want %d, %q", name, w.Code, w.Header().Get("Allow"), w.Body, test.status, test.allow)
		}
		h := w.Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Cache-Control") == "" {
			t.Errorf("%s: headers %v", name, h)
		}
	}
}

// Whatever zone the system knows, a page in it is made or refused clearly.
func TestLoadLocation(t *testing.T) {
	for name, known := range map[string]bool{"UTC": true, "Asia/Tokyo": true, "Etc/GMT-14": true, "Local": false, "localtime": false,
		"posix/Europe/Berlin": false, "right/UTC": false, "posixrules": false, "asia/tokyo": false, "../UTC": false, "Mars/Olympus": false} {
		if _, err := loadLocation(name); (err == nil) != known {
			t.Errorf("%s: %v", name, err)
		}
	}
}
