package reports

import (
	"testing"

	"hansei/analyze"
)

func TestEffect(t *testing.T) {
	interval := func(resolved, retries, wait [2]float64) analyze.EffectIntervals {
		return analyze.EffectIntervals{Resolved: resolved, Retries: retries, WaitS: wait}
	}
	for _, test := range []struct {
		effect                         analyze.Effect
		todoEN, todoJA, cellEN, cellJA string
	}{
		{
			analyze.Effect{Resolved: 12.8, Retries: 21, WaitS: 178.1, Interval: interval([2]float64{5.9, 19.7}, [2]float64{12.7, 29.3}, [2]float64{107.9, 248.2})},
			"about 13 more resolved (6 to 20) in a month like this, for 21 more retries and 3 min more waiting",
			"同じような月なら解決が約13件増（6〜20）、リトライ21回増、待機3分増",
			"about 13 more resolved (6 to 20), 21 more retries (13 to 29), 3 min more waiting (108 s to 4 min)",
			"解決が約13件増（6〜20）、リトライ21回増（13〜29）、待機3分増（108秒〜4分）",
		},
		{
			analyze.Effect{Resolved: -0.3, Retries: -6, WaitS: -95.5, Interval: interval([2]float64{-2, 1.2}, [2]float64{-8, -4}, [2]float64{-200, 30})},
			"about as many resolved (-2 to 1) in a month like this, with 6 fewer retries and 96 s less waiting",
			"同じような月なら解決はほぼ同数（-2〜1）、リトライ6回減、待機96秒減",
			"about as many resolved (-2 to 1), 6 fewer retries (4 to 8), 96 s less waiting (-30 s to 3 min)",
			"解決はほぼ同数（-2〜1）、リトライ6回減（4〜8）、待機96秒減（-30秒〜3分）",
		},
		{
			analyze.Effect{Resolved: 3, WaitS: -7200, Interval: interval([2]float64{0.4, 5.2}, [2]float64{}, [2]float64{})},
			"about 3 more resolved (0.4 to 5) in a month like this, with 2 h less waiting",
			"同じような月なら解決が約3件増（0.4〜5）、待機2時間減",
			"about 3 more resolved (0.4 to 5), 2 h less waiting",
			"解決が約3件増（0.4〜5）、待機2時間減",
		},
		{
			analyze.Effect{Retries: -1, Interval: interval([2]float64{}, [2]float64{-1, -1}, [2]float64{})},
			"as many resolved in a month like this, with 1 retry fewer",
			"同じような月なら解決は同数、リトライ1回減",
			"as many resolved, 1 retry fewer",
			"解決は同数、リトライ1回減",
		},
		{
			analyze.Effect{Resolved: -23, Retries: -258, Tokens: -1.29e9, CostUSD: -4.5},
			"about 23 fewer resolved in a month like this, with 258 fewer retries, 1,290,000,000 fewer tokens and $4.50 less spent",
			"同じような月なら解決が約23件減、リトライ258回減、トークン1,290,000,000減、費用$4.50減",
			"about 23 fewer resolved, 258 fewer retries, 1,290,000,000 fewer tokens, $4.50 less spent",
			"解決が約23件減、リトライ258回減、トークン1,290,000,000減、費用$4.50減",
		},
		{
			analyze.Effect{}, // nobody knows
			"effect not in the record",
			"効果は記録からは不明",
			"effect not in the record",
			"効果は記録からは不明",
		},
		{
			analyze.Effect{Resolved: 8, Calls: 240},
			"about 8 more resolved in a month like this, for 240 more calls",
			"同じような月なら解決が約8件増、呼び出し240回増",
			"about 8 more resolved, 240 more calls",
			"解決が約8件増、呼び出し240回増",
		},
	} {
		s := analyze.Suggestion{Verdict: analyze.Raise, Effect: test.effect}
		for _, lang := range Langs {
			todo, cell := test.todoEN, test.cellEN
			if lang == JA {
				todo, cell = test.todoJA, test.cellJA
			}
			r := &Report{Options: Options{Span: months[0].span, Lang: lang}}
			if got := r.promise(test.effect); got != todo {
				t.Errorf("to do: %q, want %q", got, todo)
			}
			if got := r.effect(s); got != cell {
				t.Errorf("effect: %q, want %q", got, cell)
			}
		}
	}
}
