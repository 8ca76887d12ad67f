package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"hansei/analyze"
	"hansei/queries"
)

// RenderReplay writes a line for each limit that changes something, and one for
// each cell whose incidents change, with their sum; then what no record tells of
// the thresholds that are set. rows are those of [analyze.Replay].
func RenderReplay(w io.Writer, rows []analyze.Replayed, set []string, lang Lang) error {
	r := &Report{Options: Options{Lang: lang}}
	limits := slices.IndexFunc(rows, func(r analyze.Replayed) bool { return r.Knob == "" }) // the first row of incidents
	if err := r.replayedLimits(w, rows[:limits]); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, r.say(text{
		EN: "cell\tincidents\tmax_retries\tresolved (incidents)\tretries\twaiting (s)\ttokens\tUSD\t",
		JA: "セル\t件数\tmax_retries\t解決（件）\tリトライ（回）\t待ち時間（秒）\tトークン\tUSD\t",
	}))
	for _, of := range rows[limits:] {
		name := clean(of.Scope.Agent) + " × " + clean(of.Scope.Operation) + " × " + clean(of.Scope.Category)
		if of.Scope == (analyze.Scope{}) {
			name = r.say(text{EN: "all", JA: "全体"})
		}
		e, i := of.Effect, of.Effect.Interval
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, of.Incidents, r.replayedCaps(of),
			r.between(e.Resolved, i.Resolved), r.between(e.Retries, i.Retries), r.between(e.WaitS, i.WaitS), r.between(e.Tokens, i.Tokens), r.between(e.CostUSD, i.CostUSD), r.extrapolated(of))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, name := range set {
		if of, ok := unknowable[name]; ok {
			fmt.Fprintf(w, r.say(text{EN: "%s: %s\n", JA: "%s：%s\n"}), name, r.say(of))
		}
	}
	return nil
}

// replayedLimits writes a line for each limit of calls, turns or hours.
func (r *Report) replayedLimits(w io.Writer, rows []analyze.Replayed) error {
	if len(rows) == 0 {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, r.say(text{
		EN: "limit\tof\tset to\tchanged\tpassed\tretries\trunning (s)\tcalls\t",
		JA: "上限\t対象\t設定\t変わるもの\t成功\tリトライ（回）\t実行（秒）\t呼び出し（回）\t",
	}))
	for _, of := range rows {
		name := clean(of.Scope.Agent)
		if of.Scope.Operation != "" {
			name += " × " + clean(of.Scope.Operation)
		}
		words := limitWords[of.Knob]
		set := r.limitOf(of.Limit, words.unit)
		if of.AgainstLimit != nil {
			set = r.say(against, set, r.limitOf(of.AgainstLimit, words.unit))
		}
		e, i := of.Effect, of.Effect.Interval
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", of.Knob, name, set, r.say(words.changes, of.Incidents),
			r.between(e.Resolved, i.Resolved), r.between(e.Retries, i.Retries), r.between(e.WaitS, i.WaitS), r.between(e.Calls, i.Calls), r.extrapolated(of))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// against sets one policy beside another.
var against = text{EN: "%s against %s", JA: "%s（比較：%s）"}

// unknowable says of a threshold what the record cannot tell.
var unknowable = map[string]text{
	"call_depth": {
		EN: "whether the work of a turn that is cut off would have been taken up again is not in the record. A turn that went on beyond a recorded limit is taken to end as often as those in the last fifth before it.",
		JA: "打ち切られたターンの作業が後で再開されたかどうかは、記録からは分かりません。記録上の上限を超えて続くターンは、上限直前の2割と同じ割合で終わると見なします。",
	},
	"delays": {
		EN: "when an incident recovered between two retries. The curve of the cell's recoveries tells how likely it had by the time of another retry, and the interval holds all that the record leaves open. What no retry resolved stays so, however long the waits.",
		JA: "2回のリトライの間のいつ回復したかは、記録からは分かりません。別の時点でのリトライが成功する見込みはセルの回復曲線から求め、区間には記録から決まらない分も含めます。リトライで解決しなかったものは、待ち時間を延ばしても未解決のままとします。",
	},
	"retry_budget": {
		EN: "which retries of an hour it leaves out is open; they are taken to pass as often as the others of that hour. Retries that a recorded budget held back are in no record.",
		JA: "1時間のうちどのリトライが省かれるかは決まらないため、その時間の他のリトライと同じ割合で成功すると見なします。当時の上限で抑えられたリトライは記録にありません。",
	},
	"score_bar": {
		EN: "work that passed at once is no incident, so what a higher bar would have sent back of it is not in the record; an incident that falls short of a higher bar counts as not resolved, since later scores are not known.",
		JA: "一度で合格したものはインシデントではないため、合格点を上げた場合に差し戻される件は記録にありません。高い合格点に届かない件は、その後の点数が分からないため未解決と数えます。",
	},
	"timeout": {
		EN: "whether a call that is cut off would pass when tried again is not in the record. A call that went on beyond a recorded limit is taken to pass as often as those in the last fifth before it.",
		JA: "打ち切られた呼び出しが再試行で成功したかどうかは、記録からは分かりません。記録上の制限を超えて続く呼び出しは、制限直前の2割と同じ割合で成功すると見なします。",
	},
}

// limitWords are what a limit is counted in, and what it changes.
var limitWords = map[string]struct{ unit, changes text }{
	"call_depth":   {text{EN: "%s calls", JA: "%s回"}, text{EN: "%d turns", JA: "%dターン"}},
	"retry_budget": {text{EN: "%s %%", JA: "%s%%"}, text{EN: "%d hours", JA: "%d時間"}},
	"timeout":      {text{EN: "%s s", JA: "%s秒"}, text{EN: "%d calls", JA: "%d回の呼び出し"}},
}

// limitOf writes a limit, or that it is as recorded.
func (r *Report) limitOf(v *float64, unit text) string {
	if v == nil {
		return dash
	}
	return r.say(unit, strconv.FormatFloat(*v, 'f', -1, 64))
}

func (r *Report) extrapolated(of analyze.Replayed) string {
	if of.Extrapolated {
		return r.say(text{EN: "extrapolated", JA: "推定を含む"})
	}
	return ""
}

// replayedCaps writes the caps of both sides.
func (r *Report) replayedCaps(of analyze.Replayed) string {
	if of.Against < 0 {
		return replayedCap(of.Cap)
	}
	return r.say(against, replayedCap(of.Cap), replayedCap(of.Against))
}

func replayedCap(n int) string {
	if n < 0 {
		return dash
	}
	return strconv.Itoa(n)
}

// between writes a difference with its 95 % interval.
func (r *Report) between(v float64, interval [2]float64) string {
	if v == 0 && interval == [2]float64{} {
		return "0"
	}
	return r.say(text{EN: "%+.4g (%+.4g to %+.4g)", JA: "%+.4g (%+.4g..%+.4g)"}, v, interval[0], interval[1])
}

// UnknownNames says of each name of a filter that no stored incident has, and
// which of those that are stored are the closest. names are the answer of
// [queries.KnownNames].
func UnknownNames(f queries.Filter, names []queries.KnownName, lang Lang) (lines []string) {
	r := &Report{Options: Options{Lang: lang, Span: queries.Span{Filter: f}}, Absent: Absent{Names: names}}
	for _, p := range r.unknownNames() {
		lines = append(lines, p.Text)
	}
	return lines
}
