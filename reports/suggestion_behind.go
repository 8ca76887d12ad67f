package reports

import (
	"math"
	"strconv"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// cellKey names the cell of a suggestion among the rows of the report; empty
// where it is not of one agent, operation and category.
func cellKey(s analyze.Scope) string {
	if s.Agent == "" || s.Operation == "" || s.Category == "" {
		return ""
	}
	return queries.CellKey(s.Agent, s.Operation, s.Category)
}

// suggestionBehind is what a suggestion rests on: what was achieved, the
// incidents of its cell, and how it is decided on.
func (r *Report) suggestionBehind(s analyze.Suggestion) *Behind {
	if !r.Behind {
		return nil
	}
	b := r.behind(queries.ByCell, cellKey(s.Scope), "")
	if b == nil {
		b = r.behind(queries.ByOperation, s.Scope.Operation, s.Scope.Agent)
	}
	if b == nil {
		b = &Behind{}
	}
	if len(s.Evidence) > 0 {
		b.Tables = append(b.Tables, r.evidenceTable(s))
	}
	b.Notes = r.suggestionNotes(s)
	return b
}

// evidenceTable tells what was tried and how often it resolved.
func (r *Report) evidenceTable(s analyze.Suggestion) Table {
	words, ok := evidenceWords[s.Knob]
	if !ok {
		words = evidenceWords["max_retries"]
	}
	t := Table{Caption: r.say(text{EN: "Evidence", JA: "根拠"}), Columns: []string{
		r.say(words.head), r.say(words.tried), r.say(words.won), r.say(text{EN: "Share (95%)", JA: "割合（95%区間）"}),
		r.say(text{EN: "Believed (95%)", JA: "推定（95%区間）"}), r.say(text{EN: "Worth it from", JA: "見合う割合"}),
	}}
	share := func(v, low, high float64) Cell {
		return Cell{Text: points(v), Note: points(low) + "–" + points(high), Numeric: true}
	}
	for _, e := range s.Evidence {
		name := strconv.Itoa(e.Retry)
		if s.Knob == "score_bar" {
			name = r.shortfall(e.Retry)
		}
		pays, believed := Cell{Text: dash, Numeric: true}, Cell{Text: dash, Numeric: true}
		if e.Pays > 0 {
			pays.Text = points(math.Min(1, e.Pays))
		}
		if e.BelievedHigh > 0 {
			believed = share(e.Believed, e.BelievedLow, e.BelievedHigh)
		}
		t.Rows = append(t.Rows, []Cell{{Text: name}, number(int64(e.AtRisk)), number(int64(e.Won)), share(e.Hazard, e.Low, e.High), believed, pays})
	}
	return t
}

// evidenceWords name the first columns of the evidence for a threshold.
var evidenceWords = map[string]struct{ head, tried, won text }{
	"max_retries": {text{EN: "Retry", JA: "リトライ"}, text{EN: "Made by", JA: "実施件数"}, text{EN: "Resolved", JA: "解決"}},
	"stop_after":  {text{EN: "Errors in a row", JA: "連続エラー数"}, text{EN: "Tried again", JA: "再試行した件数"}, text{EN: "Resolved in the end", JA: "最終的に解決"}},
	"score_bar":   {text{EN: "Points below the bar", JA: "合格点までの差"}, text{EN: "Iterated again", JA: "再反復した件数"}, text{EN: "Reached it in the end", JA: "最終的に合格"}},
	"timeout":     {text{EN: "Last fifth before the limit", JA: "制限直前の2割"}, text{EN: "Still running", JA: "実行中の件数"}, text{EN: "Passed there", JA: "そこで成功"}},
}

// shortfall names a band of points below a score's bar.
func (r *Report) shortfall(band int) string {
	if end := analyze.Shortfall(band); !math.IsInf(end, 1) {
		return r.say(text{EN: "up to %.0f", JA: "%.0fまで"}, end)
	}
	return r.say(text{EN: "more", JA: "それ以上"})
}

// points writes a part of 1 in percent.
func points(share float64) string { return strconv.Itoa(int(100*share+0.5)) + "%" }

// suggestionNotes say how the suggestion came about and how it is decided on.
func (r *Report) suggestionNotes(s analyze.Suggestion) (notes []string) {
	add := func(t text, args ...any) { notes = append(notes, r.say(t, args...)) }
	switch {
	case s.Knob == "max_retries" && len(s.Evidence) > 0:
		add(text{
			EN: "Share: resolved by that retry of all incidents that made it, with Wilson's bounds (1927). Believed: the same with what the cells around show. A retry is worth it where its chance pays its waiting, running and tokens.",
			JA: "割合は、そのリトライを行ったインシデントのうちそれで解決したもの（Wilson区間、1927）。推定は周辺のセルの実績を加味した値。待機・実行・トークンの費用に見合う割合を上回るリトライは行う価値があります。",
		})
	case len(s.Evidence) > 0:
		add(text{EN: "Shares have Wilson's bounds (1927).", JA: "割合の区間はWilson（1927）による。"})
	case s.Knob == "delays" && len(s.Values) > 0:
		add(text{
			EN: "From the curve of recovery by elapsed time, over %s: the waits reach up to 95%% of the recorded recoveries, and every recovery that may come later than the last retry counts as lost.",
			JA: "経過時間による回復曲線（%s）から。待ち時間は記録された回復の95%%までに届くように定め、最後のリトライより後になり得る回復は失われるものと数えています。",
		}, r.count(int64(s.N), incidentNoun))
	}
	if p := s.Pool; p != nil && s.Knob != "max_retries" {
		add(text{EN: "The cells around are heard too, as %.0f more at most; their share is %.0f%%.", JA: "周辺のセルの実績を最大%.0f件分加味（その割合は%.0f%%）。"}, p.Strength, 100*p.Mean)
	} else if p != nil && p.Strength > 0 && p.From != "none" {
		add(text{EN: "The cells around count as %.0f incidents; their first retry resolves %.0f%%.", JA: "周辺のセルは%.0f件分として加味（その最初のリトライの解決率は%.0f%%）。"}, p.Strength, 100*p.Mean)
	}
	for _, other := range []struct {
		a   *analyze.Alternative
		say text
	}{
		{s.Outages, text{EN: "With the %s of outages it would be %s (%s).", JA: "障害時の%sを含めると%s（%s）。"}},
		{s.Earlier, text{EN: "From the %s before the threshold changed it would be %s (%s).", JA: "しきい値の変更前の%sでは%s（%s）。"}},
	} {
		if other.a != nil {
			add(other.say, r.count(int64(other.a.Incidents), incidentNoun), r.change(s.Knob, other.a.Current, other.a.Suggested), r.verdict(other.a.Verdict))
		}
	}
	if s.Withheld {
		add(text{EN: "A change was found, but chance among so many cells could have made it.", JA: "変更の根拠は見つかりましたが、多数のセルの中では偶然もありうるため保留しました。"})
	}
	if p := s.Prediction; p != nil && isChange(s) {
		what, ok := predicted[s.Knob]
		if !ok {
			what = predicted["max_retries"]
		}
		add(text{
			EN: "Predicted, to be held against the months after: %.0f%% %s (at 95%% %.0f to %.0f%% in the long run, %.0f to %.0f%% in a span as large; n = %d).",
			JA: "翌月以降と照合する予測：%.0f%%（%s、95%%区間は長期的に%.0f〜%.0f%%、同じ規模の期間では%.0f〜%.0f%%、%d件）。",
		}, 100*p.Share, r.say(what), 100*p.Low, 100*p.High, 100*p.Next[0], 100*p.Next[1], p.N)
	}
	if isChange(s) {
		id := clean(s.ID) + r.spanFlags()
		add(text{EN: "Keep a decision with: hansei tune accept %s, or: hansei tune dismiss %s", JA: "決定の記録：hansei tune accept %s、または hansei tune dismiss %s"}, id, id)
	}
	return notes
}

// spanFlags are the flags that ask a command for the span of the report.
func (r *Report) spanFlags() (flags string) {
	if r.wholeMonth() {
		flags = " --month " + r.month()
	} else {
		flags = " --from " + r.firstDay().Format(time.DateOnly) + " --to " + r.lastDay().Format(time.DateOnly)
	}
	if zone := r.Span.Location.String(); zone != "UTC" {
		flags += " --timezone " + zone
	}
	return flags
}
