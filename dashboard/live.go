package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// live shows what arrives.
var live = Page{Path: "/live", Name: text{EN: "Live", JA: "ライブ"}, Show: (*Dashboard).live}

// Bounds of the live page.
const (
	liveSeconds  = 60 // that its line of events shows
	liveFailures = 40
	maxStreams   = 64 // browsers that follow it at once
)

// A Failure is what the live page shows of a failure that was stored.
type Failure struct {
	Time                      time.Time
	Agent, Operation, Session string
	Incident                  string
	Category, Code, Message   string
	Signal                    string // sent to its session; empty: none
	number                    uint64 // counted from 1
}

// A Live holds what the live page shows: events by second, and the last
// failures. It is safe for concurrent use.
type Live struct {
	now func() time.Time

	mu       sync.Mutex
	second   int64 // the latest that is counted
	counts   [liveSeconds]int64
	failures []Failure // newest last
	number   uint64
	streams  int
}

func newLive(now func() time.Time) *Live { return &Live{now: now} }

// Room is how many of the latest failures of a batch Told keeps.
const Room = liveFailures

// Told notes that a number of events was stored, and the last failures among
// them, oldest first.
func (l *Live) Told(events int, failures []Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.move()
	l.counts[l.second%liveSeconds] += int64(events)
	for _, f := range failures {
		l.number++
		f.number = l.number
		l.failures = append(l.failures, f)
	}
	if more := len(l.failures) - liveFailures; more > 0 {
		l.failures = append([]Failure(nil), l.failures[more:]...)
	}
}

// move forgets the seconds that are over. l.mu is held.
func (l *Live) move() {
	second := l.now().Unix()
	for s := max(l.second+1, second-liveSeconds+1); s <= second; s++ {
		l.counts[s%liveSeconds] = 0
	}
	l.second = max(l.second, second)
}

// A LiveState is what the live page shows at one time.
type LiveState struct {
	Seconds    [liveSeconds]int64 // events stored, the latest second last
	LastMinute int64
	Failures   []Failure // newest first
	Number     uint64    // of the newest failure ever
}

// State returns the state, of the failures only those after a number.
func (l *Live) State(after uint64) LiveState {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.move()
	s := LiveState{Number: l.number}
	if after > l.number {
		after = 0 // of the program before: a browser stays through a restart
	}
	for i := range s.Seconds {
		s.Seconds[i] = l.counts[(l.second+1+int64(i))%liveSeconds]
		s.LastMinute += s.Seconds[i]
	}
	for i := len(l.failures) - 1; i >= 0 && l.failures[i].number > after; i-- {
		s.Failures = append(s.Failures, l.failures[i])
	}
	return s
}

// A liveRow is a failure in the reader's words.
type liveRow struct {
	Time, Agent, Operation, Category, Code, Message, Signal, Link string
}

type livePage struct {
	Rate     string // events per second over the last ten seconds
	Seconds  [liveSeconds]int64
	Most     int64
	Failures []liveRow
	Number   uint64
	Stream   string
}

var signals = map[string]text{
	"retry":     {EN: "retry", JA: "再試行"},
	"feed_back": {EN: "feed back", JA: "モデルに返す"},
	"stop":      {EN: "stop", JA: "停止"},
	"ask":       {EN: "ask a human", JA: "人に確認"},
}

// livePage puts a state into the reader's words.
func (q *request) livePage(s LiveState) livePage {
	p := livePage{Seconds: s.Seconds, Number: s.Number, Failures: []liveRow{}}
	var ten int64
	for i, n := range s.Seconds {
		p.Most = max(p.Most, n)
		if i >= liveSeconds-10 {
			ten += n
		}
	}
	p.Rate = strconv.FormatFloat(float64(ten)/10, 'f', 1, 64)
	for _, f := range s.Failures {
		row := liveRow{f.Time.In(q.location).Format("2006-01-02 15:04:05"), q.Clean(f.Agent), q.Clean(f.Operation), q.Category(f.Category), q.Clean(f.Code), q.Clean(f.Message), "", ""}
		if s, ok := signals[f.Signal]; ok {
			row.Signal = q.say(s)
		}
		row.Link = q.IncidentLink(f.Agent, f.Incident, f.Time)
		p.Failures = append(p.Failures, row)
	}
	return p
}

func (d *Dashboard) live(q *request) error {
	p := q.livePage(d.Live.State(0))
	p.Stream = q.Link("/live/stream")
	q.Data = p
	return d.show(q, "live")
}

// Bar is the height and place of a second in the picture, 60 high.
func (p livePage) Bar(i int) [2]int64 {
	if p.Most == 0 {
		return [2]int64{60, 0}
	}
	h := 60 * p.Seconds[i] / p.Most
	return [2]int64{60 - h, h}
}

// stream tells a browser every second what is new, as server-sent events.
func (d *Dashboard) stream(w http.ResponseWriter, r *http.Request) {
	q, err := d.read(w, r, live)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !d.Live.enter() {
		w.Header().Set("Retry-After", "30")
		http.Error(w, fmt.Sprintf("%d browsers follow already; load the page again instead", maxStreams), http.StatusServiceUnavailable)
		return
	}
	defer d.Live.leave()
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return // a stream has no end
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	after, _ := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64) // 0: all that is kept
	for {
		p := q.livePage(d.Live.State(after))
		after = p.Number
		text, err := json.Marshal(p)
		if err == nil {
			_, err = fmt.Fprintf(w, "id: %d\ndata: %s\n\n", p.Number, text)
		}
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		if err != nil {
			return // the browser has gone
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-d.work.stopping:
			return
		}
	}
}

// enter reports whether there is room for one more browser.
func (l *Live) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams >= maxStreams {
		return false
	}
	l.streams++
	return true
}

func (l *Live) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams--
}

// Fifth is where a second stands in the picture.
func (q *request) Fifth(i int) int { return 5 * i }
