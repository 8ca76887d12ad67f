package dashboard

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// suggestions shows which thresholds to change, and keeps what is decided.
var suggestions = Page{Path: "/suggestions", Name: text{EN: "Suggestions", JA: "提案"}, Show: (*Dashboard).suggestionList, Post: (*Dashboard).decide}

// maxShown is how many suggestions that change nothing are listed.
const maxShown = 200

type suggestionsPage struct {
	Changes  []suggestionRow // and what was dismissed
	Wanted   int             // changes
	Others   []suggestionRow
	Cut      int // others that are not listed
	Withheld int
	Worth    float64
	Outcomes []analyze.Outcome
	Who      string
}

type suggestionRow struct {
	analyze.Suggestion
	Why      string
	Decision *queries.Decision // the latest; nil: none
}

func (d *Dashboard) suggestionList(q *request) error {
	span, tuning, err := d.tuned(q)
	if err != nil {
		return err
	}
	decisions, err := remember(d, q, &d.decisions, "", changesOfAll, func(ctx context.Context, _ answer[[]queries.Decision]) ([]queries.Decision, error) {
		return queries.Decisions(ctx, d.Store.Reader())
	})
	if err != nil {
		return fmt.Errorf("decisions: %w", err)
	}
	data := suggestionsPage{Withheld: tuning.Withheld, Worth: tuning.Worth, Outcomes: tuning.Decisions}
	data.Who, _, _ = q.r.BasicAuth()
	for _, s := range tuning.Suggestions {
		row, ok := d.suggestion(q, s, span.Filter, decisions)
		switch {
		case !ok:
		case s.Verdict == analyze.Raise || s.Verdict == analyze.Lower:
			data.Wanted++
			data.Changes = append(data.Changes, row)
		case row.Decision != nil || s.Decided != nil: // dismissed: it can be decided again
			data.Changes = append(data.Changes, row)
		case len(data.Others) < maxShown:
			data.Others = append(data.Others, row)
		default:
			data.Cut++
		}
	}
	q.Data = data
	return d.show(q, "suggestions")
}

// suggestion is one with what is shown of it; not ok when the filter leaves it out.
func (d *Dashboard) suggestion(q *request, s analyze.Suggestion, f queries.Filter, decisions []queries.Decision) (suggestionRow, bool) {
	foreign := func(want, of string) bool { return want != "" && of != "" && want != of }
	if foreign(f.Agent, s.Scope.Agent) || foreign(f.Operation, s.Scope.Operation) || foreign(f.Category, s.Scope.Category) {
		return suggestionRow{}, false
	}
	row := suggestionRow{Suggestion: s, Why: q.Whole(q.say(text(s.Reason)) + q.Published(s))}
	for i := range slices.Backward(decisions) {
		if decisions[i].ID == s.ID {
			row.Decision = &decisions[i]
			break
		}
	}
	return row, true
}

// TakenBack reports whether the change was applied and is not in force any more.
func (s suggestionRow) TakenBack() bool {
	return s.Decided != nil && s.Decided.Decision == analyze.RolledBack
}

// Waits writes a list of waits with their unit; empty: the threshold is no list.
func (s suggestionRow) Waits() string {
	if s.Knob != "delays" || len(s.Values) == 0 {
		return ""
	}
	var parts []string
	for _, v := range s.Values {
		parts = append(parts, strconv.FormatFloat(v, 'g', 4, 64)+" s")
	}
	return strings.Join(parts, ", ")
}

// Reckoned reports whether it is known from which share on a retry is worth what
// it takes.
func (s suggestionRow) Reckoned() bool { return len(s.Evidence) > 0 && s.Evidence[0].Pays > 0 }

// EvidenceName names a row of the evidence for a knob.
func (q *request) EvidenceName(knob string, row int) string {
	switch knob {
	case "stop_after":
		return q.say(text{EN: "after %d in a row", JA: "連続%d回の後"}, row)
	case "timeout", "call_depth":
		return q.say(text{EN: "near the limit", JA: "上限の直前"})
	case "retry_budget":
		if row == 1 {
			return q.say(text{EN: "hours within it", JA: "上限内の時間"})
		}
		return q.say(text{EN: "hours beyond it", JA: "上限を超えた時間"})
	}
	return strconv.Itoa(row)
}

// Fine writes a share of 1 in percent, to a tenth.
func (q *request) Fine(share float64) string {
	return strconv.FormatFloat(100*share, 'f', 1, 64) + "%"
}

// Points writes a share of 1 in percent.
func (q *request) Points(share float64) string { return strconv.Itoa(int(100*share+0.5)) + "%" }

// Along is where a share of 1 stands on a scale of 200, after a margin of 2.
func (q *request) Along(share float64) string {
	return strconv.FormatFloat(2+200*min(1, share), 'f', 1, 64)
}

// decide keeps a decision as "tune accept" and "tune dismiss" do.
func (d *Dashboard) decide(q *request) error {
	if err := q.only(append([]string{"id", "decision", "who", "reason", "known"}, kept...)); err != nil {
		return err
	}
	span, err := d.span(q)
	if err != nil {
		return err
	}
	values := url.Values{"timezone": {q.Timezone}}
	for _, name := range []string{"month", "from", "to"} {
		values.Set(name, q.Get(name))
	}
	if values.Get("month")+values.Get("from")+values.Get("to") == "" {
		values.Set("month", span.From.In(q.location).Format("2006-01"))
	}
	if values.Get("from") != "" {
		values.Del("month")
	}
	values.Set("ids", q.Get("id"))
	for _, name := range []string{"decision", "who", "reason", "known"} {
		values.Set(name, q.Get(name))
	}
	if err := d.Do(q.r.Context(), "decide", values); err != nil {
		return err
	}
	d.decisions.forget()
	return q.seeOther(q.Link("/suggestions") + "#" + url.PathEscape(q.Get("id")))
}

// only refuses fields that a form does not have, and those that come twice.
func (q *request) only(names []string) error {
	for name, all := range q.values {
		if !slices.Contains(names, name) || len(all) > 1 {
			return &InputError{Err: fmt.Errorf("field %.40q: this form has %s, each once", name, strings.Join(names, ", "))}
		}
	}
	return nil
}

// Known is when the latest decision was made that the page shows, for the form;
// empty: none.
func (s suggestionRow) Known() string {
	if s.Decision == nil {
		return ""
	}
	return s.Decision.Made.UTC().Format(time.RFC3339Nano)
}

// DecisionKeeps are the parameters that a decision needs and leads back to.
func (q *request) DecisionKeeps() []string { return kept }

// Kept is a parameter for a form on this page; the month is that which is shown.
func (q *request) Kept(name string) string {
	if name == "month" && q.Form != nil {
		return q.Form.Month
	}
	return q.Get(name)
}
