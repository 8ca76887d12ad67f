package reports

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// ParseTuningFormat reads the name of a format for [RenderTuning].
func ParseTuningFormat(name string) (Format, error) {
	return parse("format", name, []Format{Markdown, JSON, YAML})
}

// YAML is the format of a policy file, which only [RenderTuning] writes.
const YAML Format = "yaml"

// RenderTuning writes the tuner's suggestions, as Markdown in lang, as JSON, or
// those that change something as a policy file. Where there are none, the Markdown
// names the months that have incidents, newest first.
// The Markdown is the report's own section, which names the cells that it cut.
func RenderTuning(w io.Writer, t *analyze.Tuning, months []string, format Format, lang Lang) error {
	if format == JSON {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(t)
	}
	if format == YAML {
		text, err := analyze.Patch(t.Suggestions)
		if err != nil {
			return err
		}
		_, err = w.Write(append([]byte(commented(t.Unknown)), text...))
		return err
	}
	span := queries.Span{From: t.From, To: t.To, Location: t.From.Location()}
	r := &Report{Options: Options{Span: span, Lang: lang, Suggestions: t.Suggestions, Decisions: t.Decisions, Oddities: t.Notes}, tuning: true}
	b := suggestions.Build(r)
	b.Heading = r.say(text{EN: "Retry thresholds, learned from %s", JA: "記録から見たリトライのしきい値　%s"}, r.period())
	if len(t.Suggestions) == 0 {
		b.Lead = append(b.Lead, r.monthsThere(months))
	}
	b.Notes = append(b.Notes, r.say(text{
		EN: "A resolution is taken to be worth %s s (--worth), a thousand tokens to cost %s s (--token-price), or a dollar %s s (--dollar-price), whichever is dearer.",
		JA: "解決の価値は%s秒（--worth）、トークン1000個の費用は%s秒（--token-price）または1ドル%s秒（--dollar-price）の高いほうとして計算。",
	}, plain(t.Worth), plain(1000*t.TokenPrice), plain(t.DollarPrice)))
	if n := withheld(t.Suggestions); n > 0 {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Kept as they are: %s that looked better, but among so many thresholds chance could have made them (false discovery control at 5%%).",
			JA: "このほか%sは、調べたしきい値の数を考えると偶然もありうるため見送りました（偽発見率5%%で管理）。",
		}, r.count(int64(n), changeNoun)))
	}
	if len(t.Suggestions) > 0 {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Keep a decision with hansei tune accept ID or hansei tune dismiss ID, with the same --month.",
			JA: "決定の記録：同じ --month を付けて hansei tune accept ID または hansei tune dismiss ID。",
		}))
	}
	for _, o := range t.Outages {
		b.Notes = append(b.Notes, r.say(text{
			EN: "Left out as an outage: %s from %s to %s UTC, %d incidents of %d agents.",
			JA: "障害として除外：%s（%s〜%s UTC、%d件、%dエージェント）。",
		}, o.Category, o.From.UTC().Format("2006-01-02 15:04"), o.To.UTC().Format("2006-01-02 15:04"), o.Incidents, o.Agents))
	}
	b.Notes = append(b.Notes, r.say(publishedNote))
	var m mdWriter
	m.block(r, b)
	for _, line := range t.Unknown {
		m.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// commented writes lines as comments of YAML.
func commented(lines []string) (text string) {
	for _, line := range lines {
		text += "# " + strings.Join(strings.Fields(line), " ") + "\n"
	}
	return text
}

// withheld counts the changes that chance could have made.
func withheld(of []analyze.Suggestion) (n int) {
	for _, s := range of {
		if s.Withheld {
			n++
		}
	}
	return n
}

func plain(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// mostExpired is how many expired suggestions are told one by one.
const mostExpired = 5

// decisions tells what became of earlier suggestions: of those that nobody
// decided on a few only, the ones that are known to have cost something first.
func (r *Report) decisions() (notes []string) {
	var costly, others []string
	for _, d := range r.Decisions {
		switch {
		case d.Decision != analyze.Undecided:
			notes = append(notes, r.decision(d))
		case d.WouldHave != nil:
			costly = append(costly, r.undecided(d))
		default:
			others = append(others, r.undecided(d))
		}
	}
	expired := append(costly, others...)
	shown := min(mostExpired, len(expired))
	notes = append(notes, expired[:shown]...)
	if more := len(expired) - shown; more > 0 {
		notes = append(notes, r.say(text{
			EN: "%s more expired undecided; JSON and the page of suggestions have all.",
			JA: "ほかに%s件が決定されないまま期限切れとなりました。JSONと提案のページに全件があります。",
		}, group(int64(more))))
	}
	return notes
}

// decision tells what became of a suggestion that someone decided on.
func (r *Report) decision(d analyze.Outcome) string {
	verdict := r.say(outcomeText(d.Verdict))
	switch {
	case d.Verdict == analyze.Dismissed && d.Reason != "":
		verdict = clean(d.Reason)
	case d.Verdict == analyze.Lapsed:
		verdict = r.say(text{
			EN: "it was due before any incident had come under it, so nothing tells whether it was right",
			JA: "期限までにこの設定でのインシデントがなく、正しかったかどうかは判断できません",
		})
	case d.Verdict == analyze.Unseen:
		verdict = r.say(text{
			EN: "nothing is retried any more, so whether a retry would work again is not seen: allow one for a week every quarter",
			JA: "リトライをやめたため、再び効くようになったかどうかは分かりません。四半期に1週間ほど、1回だけリトライを認めて確認してください",
		})
	}
	told := r.say(text{EN: "%s (%s, %s by %s on %s): %s.", JA: "%s（%s、%[4]sが%[5]sに%[3]s）：%[6]s。"},
		d.ID, r.suggestedChange(d), r.say(outcomeText(d.Decision)), clean(d.Who), d.Made.UTC().Format("2006-01-02"), verdict)
	told = strings.Replace(told, "?.", "?", 1) // a verdict may ask
	if d.Back != nil {
		told += r.say(text{EN: " %s took it back on %s: %s.", JA: "%[2]sに%[1]sが元に戻しました：%[3]s。"},
			clean(d.Back.Who), d.Back.Made.UTC().Format("2006-01-02"), strings.TrimRight(clean(d.Back.Reason), ".。"))
	}
	if d.Predicted == nil || d.Observed == nil || d.Verdict == analyze.Unseen {
		return told
	}
	share, ok := predicted[d.Knob]
	if !ok {
		share = predicted["max_retries"]
	}
	return told + r.say(text{
		EN: " Predicted %.0f%% %s, observed %.0f%% of %d (difference %+.0f to %+.0f points at 95%%).",
		JA: "予測%.0f%%（%s）、実績%.0f%%（%d件、差の95%%区間%+.0f〜%+.0fポイント）。",
	}, 100**d.Predicted, r.say(share), 100**d.Observed, d.N, 100*d.Interval[0], 100*d.Interval[1]) + r.added(d)
}

// added tells what the retries achieved that a change added, and of one that is
// not the cause what is.
func (r *Report) added(d analyze.Outcome) (told string) {
	if e := d.Added; e != nil {
		told = r.say(text{
			EN: " The retries that it added resolved %d of %d (in the long run likely %.1f to %.1f%%), and pay from %.1f%% on.",
			JA: "追加されたリトライでは%[2]d回中%[1]d回が解決しました（長期的にはおそらく%.1[3]f〜%.1[4]f%%）。見合うのは%.1[5]f%%以上の場合です。",
		}, e.Won, e.AtRisk, 100*e.Low, 100*e.High, 100*e.Pays)
	}
	if d.Verdict != analyze.Fell {
		return told
	}
	if d.Added == nil {
		return told + r.say(text{
			EN: " The retries that are left win less often than before, with this limit or without it; what those left out would win is not seen.",
			JA: "残ったリトライの成功率が下がっており、これは上限の変更とは関係ありません。省いたリトライなら解決したかどうかは分かりません。",
		})
	}
	return told + r.say(text{
		EN: " Fewer incidents are resolved by the retries before those, with this limit or without it.",
		JA: "それより前のリトライでの解決が減っており、これは上限の変更とは関係ありません。",
	})
}

// undecided tells of a suggestion that nobody decided on in time.
func (r *Report) undecided(d analyze.Outcome) string {
	told := r.say(text{
		EN: "%s (%s) expired on %s: nobody had decided.",
		JA: "%s（%s）は%sに期限切れとなりました（決定なし）。",
	}, d.ID, r.suggestedChange(d), d.Due.UTC().Format("2006-01-02"))
	if d.WouldHave != nil {
		told += r.say(text{
			EN: " Followed, what came since would have been: %s.",
			JA: "従っていた場合、その後は：%s。",
		}, r.effectOf(*d.WouldHave))
	}
	return told
}

// suggestedChange names the change that was suggested.
func (r *Report) suggestedChange(d analyze.Outcome) string {
	return r.scope(d.Scope) + " " + clean(d.Knob) + " " + cmp.Or(r.stopBelow(d.Knob, d.Values), r.change(d.Knob, d.Current, d.Value))
}

// outcomeText says a decision, or the verdict on one, for people.
func outcomeText(of string) text {
	ja := map[string]string{
		analyze.Kept: "予測どおり", analyze.Better: "予測以上", analyze.RollBack: "予測を下回る（元に戻しますか？）",
		analyze.Fell: "予測を下回るが、この変更によるものではない", analyze.Unseen: "確認できない",
		analyze.TooEarly: "まだ判断できません", analyze.NotInForce: "受け入れ済み、未反映", analyze.Lapsed: "期限切れ",
		analyze.Accepted: "受け入れ", analyze.Applied: "適用", analyze.Dismissed: "却下", analyze.RolledBack: "元に戻し済み", analyze.Undecided: "未決定",
	}[of]
	return text{EN: of, JA: cmp.Or(ja, of)}
}

// predicted says of what the prediction of a knob is a share.
var predicted = map[string]text{
	"max_retries": {EN: "resolved by retries", JA: "リトライでの解決率"},
	"stop_after":  {EN: "resolved by retries", JA: "リトライでの解決率"},
	"delays":      {EN: "resolved by retries", JA: "リトライでの解決率"},
	"score_bar":   {EN: "of the iterations reaching the bar", JA: "合格点に届いた反復の割合"},
	"timeout":     {EN: "of the calls passing", JA: "成功した呼び出しの割合"},

	"call_depth":   {EN: "of the turns ending by themselves", JA: "自然に終わったターンの割合"},
	"retry_budget": {EN: "of the retries passing", JA: "成功したリトライの割合"},
}

// publishedNote has what others publish as their defaults, to compare with; it
// is in no estimate. AWS: SDK reference guide, "Retry behavior"; Temporal:
// "What is a Temporal Retry Policy"; Claude Code: "Error reference".
var publishedNote = text{
	EN: "Published defaults, to compare with and in no estimate: AWS SDK 3 attempts, backoff from 50 ms for transient errors and 1,000 ms for throttling; Temporal no cap, from 1 s doubling to 100 s; Claude Code 10 retries.",
	JA: "参考までに公開されている既定値（推定には使わず）：AWS SDKは試行3回、一時的エラーは50 ms、スロットリングは1,000 msから。Temporalは上限なし、1秒から倍増し100秒まで。Claude Codeはリトライ10回。",
}

// monthsThere names the months that have incidents, of those given newest first.
func (r *Report) monthsThere(months []string) string {
	if len(months) == 0 {
		return r.say(text{EN: "The store has no incidents at all.", JA: "保存されたインシデントが一件もありません。"})
	}
	return r.say(text{EN: "Months that have incidents, newest first: %s.", JA: "インシデントのある月（新しい順）：%s。"}, strings.Join(months[:min(len(months), 6)], ", "))
}
