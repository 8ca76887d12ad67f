package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"hansei/analyze"
	"hansei/queries"
)

// A Replay is what [RenderReplay] writes.
type Replay struct {
	Rows    []analyze.Replayed // those of [analyze.Replay]
	Set     []string           // the thresholds that are set
	Options analyze.TuneOptions
	// LeftOut are incidents that are in no row: cancelled ones, and those of
	// which nobody told the attempts.
	Cancelled, Untold int64
}

// RenderReplay writes a line for each limit that changes something, and one for
// each cell whose incidents change, with their sum and what of it lies in
// outages; then what no record tells of the thresholds that are set.
func RenderReplay(w io.Writer, of Replay, lang Lang) error {
	r := &Report{Options: Options{Lang: lang}}
	limits := slices.IndexFunc(of.Rows, func(r analyze.Replayed) bool { return r.Knob == "" }) // the first row of incidents
	if err := r.replayedLimits(w, of.Rows[:limits]); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, r.say(text{
		EN: "cell\tincidents\tmax_retries\tresolved (incidents)\tretries\twaiting\ttokens\tUSD\tworth\t",
		JA: "セル\t件数\tmax_retries\t解決（件）\tリトライ（回）\t待ち時間\tトークン\tUSD\t差し引きの価値\t",
	}))
	struck := false
	for _, row := range of.Rows[limits:] {
		name := clean(row.Scope.Agent) + " × " + clean(row.Scope.Operation) + " × " + clean(row.Scope.Category)
		if row.Scope == (analyze.Scope{}) {
			name = r.say(text{EN: "all", JA: "全体"})
		}
		r.replayedEffect(tw, []string{name, strconv.Itoa(row.Incidents), r.replayedCaps(row)}, row.Effect, of.Options, r.extrapolated(row))
		if in := row.InOutages; in != nil {
			struck = true
			r.replayedEffect(tw, []string{r.say(text{EN: "  of it in outages", JA: "  うち障害中"}), strconv.Itoa(in.Incidents), ""}, in.Effect, of.Options, "")
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, note := range r.replayNotes(of, struck) {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}

// replayedEffect writes a row of incidents.
func (r *Report) replayedEffect(w io.Writer, row []string, e analyze.Effect, o analyze.TuneOptions, told string) {
	i := e.Interval
	row = append(row, r.between(e.Resolved, i.Resolved, amount), r.between(e.Retries, i.Retries, amount), r.between(e.WaitS, i.WaitS, r.lasting),
		r.between(e.Tokens, i.Tokens, amount), r.between(e.CostUSD, i.CostUSD, amount), r.between(e.Worth(o), [2]float64{}, r.lasting), told)
	fmt.Fprintln(w, strings.Join(row, "\t"))
}

// replayNotes tell what the rows do not.
func (r *Report) replayNotes(of Replay, struck bool) (notes []string) {
	notes = append(notes, r.say(text{
		EN: "worth: a resolution is taken to be worth %s s (--worth), a thousand tokens to cost %s s (--token-price) or a dollar %s s (--dollar-price), whichever is dearer; a time with + is a gain.",
		JA: "差し引きの価値：解決1件を%s秒（--worth）、トークン1000個の費用を%s秒（--token-price）または1ドル%s秒（--dollar-price）の高いほうとして計算。+の時間は得になることを示します。",
	}, plain(of.Options.Worth.Seconds()), plain(1000*of.Options.TokenPrice), plain(of.Options.DollarPrice)))
	if struck {
		notes = append(notes, r.say(text{
			EN: "in outages: in hours in which a category bursts out across agents. hansei tune leaves these incidents out of its evidence and effects, and tells what a suggestion comes to in them.",
			JA: "障害中：ある分類がエージェントをまたいで急増した時間帯。hansei tune はこれらの件を根拠と効果から除き、提案がその間にどうなるかを別に示します。",
		}))
	}
	if of.Cancelled+of.Untold > 0 {
		notes = append(notes, r.say(text{
			EN: "Left out: %s cancelled incidents, %s whose attempts nobody told.",
			JA: "対象外：取り消し%s件、試行回数が不明%s件。",
		}, group(of.Cancelled), group(of.Untold)))
	}
	for _, name := range of.Set {
		if of, ok := unknowable[name]; ok {
			notes = append(notes, fmt.Sprintf(r.say(text{EN: "%s: %s", JA: "%s：%s"}), name, r.say(of)))
		}
	}
	return notes
}

// replayedLimits writes a line for each limit of calls, turns or hours.
func (r *Report) replayedLimits(w io.Writer, rows []analyze.Replayed) error {
	if len(rows) == 0 {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, r.say(text{
		EN: "limit\tof\tset to\tchanged\tpassed\tretries\trunning\tcalls\t",
		JA: "上限\t対象\t設定\t変わるもの\t成功\tリトライ（回）\t実行時間\t呼び出し（回）\t",
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
			r.between(e.Resolved, i.Resolved, amount), r.between(e.Retries, i.Retries, amount), r.between(e.WaitS, i.WaitS, r.lasting), r.between(e.Calls, i.Calls, amount), r.extrapolated(of))
	}
	fmt.Fprintln(tw)
	return tw.Flush()
}

// against sets one policy beside another.
var against = text{EN: "%s against %s", JA: "%s（比較：%s）"}

// unknowable says of a threshold what the record cannot tell.
var unknowable = map[string]text{
	"call_depth": {
		EN: "whether the work of a turn that is cut off would have been taken up again is not in the record. Turns that went on beyond a recorded limit are taken to end ever more seldom, as those in the fifths before it did; counted are as many as is likely at least.",
		JA: "打ち切られたターンの作業が後で再開されたかどうかは、記録からは分かりません。記録上の上限を超えて続くターンが終わる割合は、上限の手前と同じように先へ行くほど下がると見なし、少なくともこれだけと見込める数だけを数えます。",
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
		EN: "whether a call that is cut off would pass when tried again is not in the record. Calls that went on beyond a recorded limit are taken to pass ever more seldom, as those in the fifths before it did; counted are as many as is likely at least.",
		JA: "打ち切られた呼び出しが再試行で成功したかどうかは、記録からは分かりません。記録上の制限を超えて続く呼び出しが成功する割合は、制限の手前と同じように先へ行くほど下がると見なし、少なくともこれだけと見込める数だけを数えます。",
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
	switch {
	case of.Untried:
		return r.say(text{
			EN: "extrapolated; nobody retried here, and every retry that is allowed is taken to be in vain",
			JA: "推定を含む（リトライの記録がなく、認められるリトライはすべて失敗と見なす）",
		})
	case of.Told > 0:
		return r.say(text{
			EN: "extrapolated; the record tells of %d retries, those behind are taken to be in vain",
			JA: "推定を含む（記録から分かるのは%d回目まで。それより後はすべて失敗と見なす）",
		}, of.Told)
	case of.Extrapolated:
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

// between writes a difference, and its 95 % interval unless it is known.
func (r *Report) between(v float64, interval [2]float64, show func(float64) string) string {
	signed := func(v float64) string {
		switch said := show(math.Abs(v)); {
		case v == 0:
			return "0"
		case v < 0:
			return "-" + said
		default:
			return "+" + said
		}
	}
	if interval == [2]float64{} || interval[0] == interval[1] {
		return signed(v)
	}
	return r.say(text{EN: "%s (%s to %s)", JA: "%s（%s〜%s）"}, signed(v), signed(interval[0]), signed(interval[1]))
}

// amount writes a count or an amount of zero or more: to two decimals below 100,
// as sums of chances are small.
func amount(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(math.Round(100*v)/100, 'f', -1, 64)
	}
	return group(int64(math.Round(v)))
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
