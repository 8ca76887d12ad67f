package reports

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// What became of earlier suggestions, each value with its unit.
func TestDecisions(t *testing.T) {
	made, due := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	share, seen := 0.7, 0.5
	scope := analyze.Scope{Agent: "a", Operation: "op", Category: "network"}
	expired := analyze.Outcome{ID: "s-2", Scope: scope, Knob: "delays", Current: whole(90), Value: whole(40), Decision: analyze.Undecided, Made: made, Due: &due, Verdict: analyze.Lapsed}
	costly := expired
	costly.ID, costly.Knob, costly.Current, costly.Value = "s-3", "max_retries", whole(4), whole(1)
	costly.WouldHave = &analyze.Effect{Retries: -120, WaitS: -4800}
	of := []analyze.Outcome{
		{ID: "s-1", Scope: scope, Knob: "max_retries", Current: whole(3), Value: whole(1), Decision: analyze.Applied, Who: "ann", Made: made,
			Predicted: &share, Observed: &seen, N: 100, Interval: [2]float64{-0.3, -0.1}, Verdict: analyze.RollBack},
		{ID: "s-4", Scope: scope, Knob: "delays", Current: whole(90), Value: whole(40), Decision: analyze.Accepted, Who: "ann", Made: made, Predicted: &share, Verdict: analyze.Lapsed},
		{ID: "s-5", Scope: scope, Knob: "max_retries", Current: whole(2), Value: whole(3), Decision: analyze.Applied, Who: "ann", Made: made, Predicted: &share, Observed: &seen, N: 600, Interval: [2]float64{-0.3, -0.1},
			Verdict: analyze.Fell, Added: &analyze.Evidence{Retry: 3, AtRisk: 406, Won: 43, Low: 0.08, High: 0.14, Pays: 0.01}},
		{ID: "s-6", Scope: scope, Knob: "stop_after", Current: whole(4), Value: whole(3), Decision: analyze.Applied, Who: "ann", Made: made, Predicted: &share, Observed: &seen, N: 600, Interval: [2]float64{-0.3, -0.1}, Verdict: analyze.Fell},
		{ID: "s-7", Scope: scope, Knob: "max_retries", Current: whole(2), Value: whole(0), Decision: analyze.Applied, Who: "ann", Made: made, Predicted: &share, Observed: &seen, N: 600, Verdict: analyze.Unseen},
		expired, expired, expired, expired, costly, expired, expired,
	}
	for lang, want := range map[Lang][]string{
		EN: {
			"s-1 (a × op × network max_retries 3 → 1 retry, applied by ann on 2026-02-01): worse than predicted: roll back? Predicted 70% resolved by retries, observed 50% of 100 (difference -30 to -10 points at 95%).",
			"s-4 (a × op × network delays 90 → 40 s, accepted by ann on 2026-02-01): it was due before any incident had come under it, so nothing tells whether it was right.",
			"s-5 (a × op × network max_retries 2 → 3 retries, applied by ann on 2026-02-01): worse than predicted, not by this change. Predicted 70% resolved by retries, observed 50% of 600 (difference -30 to -10 points at 95%). The retries that it added resolved 43 of 406 (in the long run likely 8.0 to 14.0%), and pay from 1.0% on. Fewer incidents are resolved by the retries before those, with this limit or without it.",
			"s-6 (a × op × network stop_after 4 → 3 errors, applied by ann on 2026-02-01): worse than predicted, not by this change. Predicted 70% resolved by retries, observed 50% of 600 (difference -30 to -10 points at 95%). The retries that are left win less often than before, with this limit or without it; what those left out would win is not seen.",
			"s-7 (a × op × network max_retries 2 → 0 retries, applied by ann on 2026-02-01): nothing is retried any more, so whether a retry would work again is not seen: allow one for a week every quarter.",
			"s-3 (a × op × network max_retries 4 → 1 retry) expired on 2026-03-04: nobody had decided. Followed, what came since would have been: as many resolved, 120 fewer retries, 80 min less waiting.",
			"s-2 (a × op × network delays 90 → 40 s) expired on 2026-03-04: nobody had decided.",
			"2 more expired undecided; JSON and the page of suggestions have all.",
		},
		JA: {
			"s-1（a × op × ネットワーク max_retries 3回 → 1回、annが2026-02-01に適用）：予測を下回る（元に戻しますか？）。予測70%（リトライでの解決率）、実績50%（100件、差の95%区間-30〜-10ポイント）。",
			"s-4（a × op × ネットワーク delays 90秒 → 40秒、annが2026-02-01に受け入れ）：期限までにこの設定でのインシデントがなく、正しかったかどうかは判断できません。",
			"s-5（a × op × ネットワーク max_retries 2回 → 3回、annが2026-02-01に適用）：予測を下回るが、この変更によるものではない。予測70%（リトライでの解決率）、実績50%（600件、差の95%区間-30〜-10ポイント）。追加されたリトライでは406回中43回が解決しました（長期的にはおそらく8.0〜14.0%）。見合うのは1.0%以上の場合です。それより前のリトライでの解決が減っており、これは上限の変更とは関係ありません。",
			"s-6（a × op × ネットワーク stop_after 4回 → 3回、annが2026-02-01に適用）：予測を下回るが、この変更によるものではない。予測70%（リトライでの解決率）、実績50%（600件、差の95%区間-30〜-10ポイント）。残ったリトライの成功率が下がっており、これは上限の変更とは関係ありません。省いたリトライなら解決したかどうかは分かりません。",
			"s-7（a × op × ネットワーク max_retries 2回 → 0回、annが2026-02-01に適用）：リトライをやめたため、再び効くようになったかどうかは分かりません。四半期に1週間ほど、1回だけリトライを認めて確認してください。",
			"s-3（a × op × ネットワーク max_retries 4回 → 1回）は2026-03-04に期限切れとなりました（決定なし）。従っていた場合、その後は：解決は同数、リトライ120回減、待機80分減。",
			"s-2（a × op × ネットワーク delays 90秒 → 40秒）は2026-03-04に期限切れとなりました（決定なし）。",
			"ほかに2件が決定されないまま期限切れとなりました。JSONと提案のページに全件があります。",
		},
	} {
		r := &Report{Options: Options{Lang: lang, Decisions: of}}
		got := slices.Compact(r.decisions())
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", lang, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// The tuner's own list names each suggestion as a decision must, says what it
// keeps back, where the rest is, and where there is something to learn from.
func TestRenderTuning(t *testing.T) {
	kept := analyze.Suggestion{ID: "s-2", Scope: analyze.Scope{Agent: "a"}, Knob: "max_retries", Current: whole(3), Suggested: whole(3), Verdict: analyze.Keep, Withheld: true}
	full := &analyze.Tuning{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		Suggestions: []analyze.Suggestion{{ID: "s-1", Scope: analyze.Scope{Agent: "a"}, Knob: "max_retries", Current: whole(3), Suggested: whole(1), Verdict: analyze.Lower}}}
	for range 60 {
		full.Suggestions = append(full.Suggestions, kept)
	}
	none := &analyze.Tuning{From: full.From, To: full.To, Suggestions: []analyze.Suggestion{}}
	for _, test := range []struct {
		of     *analyze.Tuning
		months []string
		lang   Lang
		want   []string
	}{
		{full, nil, EN, []string{"| s-1 | a | max_retries | 3 → 1 retry | lower |", "The first 50 of 61 thresholds. --format json has all;", "Kept as they are: 60 changes that looked better,"}},
		{full, nil, JA, []string{"| s-1 | a | max_retries | 3回 → 1回 |", "--format json には全件があります", "このほか60件は、"}},
		{none, []string{"2026-03", "2026-02"}, EN, []string{"No threshold had incidents to judge it by.", "Months that have incidents, newest first: 2026-03, 2026-02."}},
		{none, []string{"2026-03"}, JA, []string{"インシデントのある月（新しい順）：2026-03。"}},
		{none, nil, EN, []string{"The store has no incidents at all."}},
	} {
		var b strings.Builder
		if err := RenderTuning(&b, test.of, test.months, Markdown, test.lang); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in\n%.1200s\n…%s", want, b.String(), b.String()[max(0, b.Len()-900):])
			}
		}
		if strings.Contains(b.String(), "CSV") {
			t.Error("tune has no CSV")
		}
	}
}

// What to do first names the setting in force where there is one.
func TestFirstChange(t *testing.T) {
	for _, test := range []struct {
		current *int64
		lang    Lang
		want    string
	}{
		{whole(2), EN, "Change max_retries of a × fetch × network from 2 to 3 retries: "},
		{nil, EN, "Set max_retries of a × fetch × network to 3 retries: "},
		{nil, JA, "a × fetch × ネットワークのmax_retriesを3回に設定する："},
	} {
		s := analyze.Suggestion{Scope: analyze.Scope{Agent: "a", Operation: "fetch", Category: "network"}, Knob: "max_retries",
			Current: test.current, Suggested: whole(3), Verdict: analyze.Raise, Effect: analyze.Effect{Resolved: 8}}
		r := &Report{Options: Options{Lang: test.lang, Suggestions: []analyze.Suggestion{s}, Span: queries.Month(2026, time.January, time.UTC)}}
		if first, _ := r.firstChange(); !strings.HasPrefix(first.Text, test.want) {
			t.Errorf("%q, want %q", first.Text, test.want)
		}
	}
}

// A score below which to stop is told as that wherever it stands: the bar stays.
func TestStopBelowInWords(t *testing.T) {
	s := analyze.Suggestion{ID: "s-1", Scope: analyze.Scope{Agent: "a", Operation: "review", Category: "quality_gate"}, Knob: "score_bar",
		Current: whole(70), Suggested: whole(70), Values: []float64{60}, Verdict: analyze.Lower, Effect: analyze.Effect{Retries: -10}}
	o := analyze.Outcome{Knob: s.Knob, Scope: s.Scope, Current: s.Current, Value: s.Suggested, Values: s.Values}
	for lang, want := range map[Lang]string{EN: "stop below 60 points", JA: "60点未満で停止"} {
		r := &Report{Options: Options{Lang: lang, Suggestions: []analyze.Suggestion{s}, Span: queries.Month(2026, time.January, time.UTC)}}
		first, _ := r.firstChange()
		for _, got := range []string{r.suggestionRow(s)[2].Text, WordingIn(lang).Wanted(s), WordingIn(lang).Change(o), r.suggestedChange(o), first.Text} {
			if !strings.Contains(got, want) || strings.Contains(got, "70") {
				t.Errorf("%q, want %q and not 70", got, want)
			}
		}
	}
	e, err := EmitterNamed("agentskills")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	s.Scope.Agent = "agentskills"
	if err := e.Emit(&b, &analyze.Tuning{Suggestions: []analyze.Suggestion{s}}, queries.Filter{}); err != nil || !strings.Contains(b.String(), "no setting for s-1: stop iterating below 60 points, of review × quality_gate") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}
