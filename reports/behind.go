package reports

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"time"

	"hansei/queries"
)

// What opens on a row is bounded, so that a page of two hundred rows stays
// small: five messages (by the query), and as many incidents as are told.
const toldIncidents = 3

// exampleRunes is how much of an example's message is shown: with three of them
// on a row, the page stays small.
const exampleRunes = 240

// A depth is what the rows of the report rest on.
type depth struct {
	messages map[queries.Row][]queries.RowMessage
	stories  map[queries.IncidentKey][]queries.StoryEvent
	misses   [][]queries.IncidentKey                // of each of the goals' results
	inputs   map[string][]queries.QuarantineExample // by source
}

// collectDepth asks a few questions for all rows together, where they are wanted.
func (r *Report) collectDepth(ctx context.Context, db queries.DB) error {
	if !r.Behind {
		return nil
	}
	rows, err := queries.Behind(ctx, db, r.Span, r.rowKeys())
	if err != nil {
		return err
	}
	r.depth.messages = map[queries.Row][]queries.RowMessage{}
	r.depth.stories = map[queries.IncidentKey][]queries.StoryEvent{}
	var wanted []queries.IncidentKey
	want := func(k queries.IncidentKey) {
		if _, ok := r.depth.stories[k]; !ok {
			r.depth.stories[k] = nil
			wanted = append(wanted, k)
		}
	}
	for _, row := range rows {
		r.depth.messages[row.Row] = append(r.depth.messages[row.Row], row)
		want(row.Examples[0]) // it also tells the message
	}
	for _, messages := range r.depth.messages {
		for _, k := range told(messages) {
			want(k)
		}
	}
	if err := r.collectOthers(ctx, db); err != nil {
		return err
	}
	for _, misses := range r.depth.misses {
		for _, k := range misses {
			want(k)
		}
	}
	events, err := queries.Stories(ctx, db, r.Span, wanted)
	for _, e := range events {
		r.depth.stories[e.IncidentKey] = append(r.depth.stories[e.IncidentKey], e)
	}
	return err
}

// collectOthers asks for what is behind goals and the ledger's sources.
func (r *Report) collectOthers(ctx context.Context, db queries.DB) error {
	for _, g := range r.Results {
		span := r.Span
		span.Filter = g.Scope
		misses, err := queries.GoalMisses(ctx, db, span, g.Code, g.Metric)
		if err != nil {
			return err
		}
		r.depth.misses = append(r.depth.misses, misses)
	}
	inputs, err := queries.QuarantineKinds(ctx, db, r.Span)
	r.depth.inputs = map[string][]queries.QuarantineExample{}
	for _, i := range inputs {
		r.depth.inputs[i.Source] = append(r.depth.inputs[i.Source], i)
	}
	return err
}

// rowKeys are the rows that are no part of a breakdown.
func (r *Report) rowKeys() (keys queries.Keys) {
	for _, m := range r.Messages {
		keys.Fingerprints = append(keys.Fingerprints, m.Fingerprint)
	}
	for i, o := range r.Outages {
		keys.Outages = append(keys.Outages, queries.OutageKey{Key: strconv.Itoa(i), Provider: o.Provider, Category: o.Category, From: o.From, To: o.To})
	}
	for _, s := range r.shownSuggestions() {
		if key := cellKey(s.Scope); key != "" && !slices.Contains(keys.Cells, key) {
			keys.Cells = append(keys.Cells, key)
		}
	}
	return keys
}

// told picks the incidents that a row tells: one of each message while there
// are others, most frequent first.
func told(messages []queries.RowMessage) []queries.IncidentKey {
	var keys []queries.IncidentKey
	for round := range toldIncidents {
		for _, m := range messages {
			if round < len(m.Examples) && len(keys) < toldIncidents {
				keys = append(keys, m.Examples[round])
			}
		}
	}
	return keys
}

// behind is what a row rests on; nil where that was not asked for.
func (r *Report) behind(d queries.Dimension, key, agent string) *Behind {
	messages := r.depth.messages[queries.Row{Dimension: d, Key: key, Agent: agent}]
	if len(messages) == 0 {
		return nil
	}
	b := &Behind{}
	if d != queries.ByMessage {
		b.Heading = r.say(text{EN: "Messages: %d of %s", JA: "メッセージ：%[2]s種類のうち%[1]d種類"}, len(messages), group(messages[0].Messages))
		b.Lines = r.behindLines(messages)
	}
	for _, k := range told(messages) {
		b.Stories = append(b.Stories, r.story(r.depth.stories[k]))
	}
	return b
}

// noIncident is behind a row of the calendar on which nothing happened.
func (r *Report) noIncident() *Behind {
	if !r.Behind {
		return nil
	}
	return &Behind{Notes: []string{r.say(text{EN: "No incident opened then.", JA: "この期間に発生したインシデントはありません。"})}}
}

// behindLines tells each message with how often and when it came.
func (r *Report) behindLines(messages []queries.RowMessage) []Line {
	var lines []Line
	for _, m := range messages {
		first, last := r.shortMinute(m.FirstSeen), r.shortMinute(m.LastSeen)
		seen := r.say(text{EN: "%s, first %s, last %s, %s", JA: "%s、初回%s、最終%s、%s"}, r.count(m.Incidents, incidentNoun), first, last, m.Fingerprint)
		if first == last {
			seen = r.say(text{EN: "%s, %s, %s", JA: "%s、%s、%s"}, r.count(m.Incidents, incidentNoun), first, m.Fingerprint)
		}
		lines = append(lines, Line{Text: clip(r.reported(r.depth.stories[m.Examples[0]]), maxRunes), Note: seen})
	}
	return lines
}

// reported is what the first failure of an incident said: its message, or
// its code where it has none.
func (r *Report) reported(events []queries.StoryEvent) string {
	for _, e := range events {
		if e.Kind != "failure" {
			continue
		}
		if said := cleanTo(e.Message, exampleRunes); said != "" {
			return said
		}
		if code := clean(e.Code); code != "" {
			return code
		}
	}
	return r.say(text{EN: "(no message)", JA: "（メッセージなし）"})
}

// story tells how an incident went.
func (r *Report) story(events []queries.StoryEvent) Story {
	first, last := events[0], events[len(events)-1]
	s := Story{
		Title: r.say(text{EN: "%s, %s by %s: %s", JA: "%s　%s（%s）：%s"}, r.minute(first.Time), r.name(queries.ByOperation, first.Operation),
			clean(first.Agent), r.resolution(first.Outcome)),
		Message: r.reported(events),
	}
	whole := last.Time.Sub(first.Time).Seconds()
	for i, e := range events {
		after := e.Time.Sub(first.Time).Seconds()
		step := Step{After: r.lasting(after), Kind: e.Kind, Text: r.step(e)}
		if whole > 0 {
			step.Place = after / whole
		}
		if i > 0 && e.Place > events[i-1].Place+1 {
			step.Text = r.say(text{EN: "(%d more between) ", JA: "（間に%d件）"}, e.Place-events[i-1].Place-1) + step.Text
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

// step tells one event of an incident.
func (r *Report) step(e queries.StoryEvent) string {
	outcome := map[string]text{
		"failure": {EN: "failed", JA: "失敗"},
		"success": {EN: "passed", JA: "成功"},
		"end":     {EN: "ended", JA: "終了"},
	}[e.Kind]
	told := r.say(outcome)
	if e.Attempt.Valid {
		told = r.say(text{EN: "attempt %d %s", JA: "試行%d：%s"}, e.Attempt.V, told)
	}
	if code := clean(e.Code); code != "" {
		told += r.say(text{EN: ", %s", JA: "、%s"}, code)
	}
	if e.Resolution != "" {
		told += r.say(text{EN: ", %s", JA: "、%s"}, r.resolution(e.Resolution))
	}
	if e.WaitMS.Valid && e.WaitMS.V > 0 {
		told += r.say(text{EN: ", after a wait of %s", JA: "、待機%s"}, r.lasting(float64(e.WaitMS.V)/1000))
	}
	return told
}

// minute names a minute in the report's time zone.
func (r *Report) minute(t time.Time) string { return t.In(r.Span.Location).Format("2006-01-02 15:04") }

// lasting writes seconds for people.
func (r *Report) lasting(seconds float64) string {
	return r.span(sql.Null[int64]{V: int64(math.Round(seconds * 1000)), Valid: true})
}

// shortMinute leaves out the year where the title tells it.
func (r *Report) shortMinute(t time.Time) string {
	if r.firstDay().Year() == r.lastDay().Year() {
		return t.In(r.Span.Location).Format("01-02 15:04")
	}
	return r.minute(t)
}

// date names a day in the report's time zone.
func (r *Report) date(t time.Time) string { return t.In(r.Span.Location).Format(time.DateOnly) }

var (
	firstColumn = text{EN: "First seen", JA: "初出"}
	lastColumn  = text{EN: "Last seen", JA: "最終"}
)

// resolutionsJA are the resolutions' names in Japanese; in English the tag is
// the name.
var resolutionsJA = map[string]string{
	"retried": "リトライで解決", "fallback": "代替で解決", "degraded": "縮退して継続", "compressed": "圧縮後に解決", "human": "人が対応",
	"skipped": "スキップ", "partial": "一部のみ", "abandoned": "断念", "stopped": "停止", "terminated": "強制終了", "open": "未完了",
}

func (r *Report) resolution(tag string) string {
	if ja, ok := resolutionsJA[tag]; ok && r.Lang == JA {
		return ja
	}
	return clean(tag)
}
