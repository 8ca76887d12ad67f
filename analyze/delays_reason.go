package analyze

import (
	"fmt"
	"math"
	"strings"
)

// delaysReason tells when incidents recovered, and what the waits would change.
// When retries found it is in the record; when it was is not.
func (s *Suggestion) delaysReason(w *waited, retries int) {
	found, foundJA := []any{}, []any{}
	ends := make([]float64, len(w.recovered))
	for i, x := range w.recovered {
		ends[i] = x.high
	}
	for _, share := range []float64{0.5, 0.8, 0.95} {
		at := nth(ends, int(math.Ceil(share*float64(len(ends))))-1)
		found, foundJA = append(found, seconds(at)), append(foundJA, secondsJA(at))
	}
	low, high := horizon(w.recovered, 0.95)
	likely := likelyBetween(low, high)
	s.Reason = Text{
		EN: fmt.Sprintf("Retries found half of the recoveries by %s after the first failure, eight in ten by %s and 95%% by %s. How much sooner they came is not in the record: 95%% had come by a time that is likely %s.", append(found, likely.EN)...),
		JA: fmt.Sprintf("最初の失敗から%s後までに回復の半数、%s後までに8割、%s後までに95%%がリトライで確認されました。確認より前のいつ回復したかは記録からは分かりません（95%%が回復した時点は%s）。", append(foundJA, likely.JA)...),
	}
	switch {
	case s.Current == nil:
		s.Reason.EN += " All that were retried recovered: keep the waits."
		s.Reason.JA += "リトライした件はすべて回復しているため、待ち時間はそのままとします。"
	case s.Verdict == Keep:
		s.tellKept(low, high)
	default:
		s.tellWaits(retries)
	}
	paused := &w.paused
	if run := paused.run(); run > 0 {
		s.Reason.EN += fmt.Sprintf(" A retry itself takes %s.", seconds(run))
		s.Reason.JA += fmt.Sprintf("リトライ自体には%sかかります。", secondsJA(run))
	}
	if asked := len(paused.asked); asked > 0 && s.Verdict == Keep {
		s.Reason.EN += fmt.Sprintf(" Retry-After, which %d incidents carried, holds beside them.", asked)
		s.Reason.JA += fmt.Sprintf("ただし、%d件にあったRetry-Afterには従います。", asked)
	} else if asked > 0 {
		s.Reason.EN += fmt.Sprintf(" The waits respect Retry-After, which %d incidents carried.", asked)
		s.Reason.JA += fmt.Sprintf("待ち時間は%d件のRetry-Afterに従います。", asked)
	}
}

// likelyBetween tells the 95 % interval of a time.
func likelyBetween(low, high float64) Text {
	switch {
	case math.IsInf(high, 1):
		return Text{EN: "not before " + seconds(low), JA: "おそらく" + secondsJA(low) + "後以降"}
	case low == 0:
		return Text{EN: "not after " + seconds(high), JA: "おそらく" + secondsJA(high) + "後以前"}
	}
	return Text{EN: "between " + seconds(low) + " and " + seconds(high), JA: "おそらく" + secondsJA(low) + "〜" + secondsJA(high) + "後"}
}

// tellKept tells why the waits stay; 95 % had recovered between low and high, when
// retries looked, so that one half way between, by ratio, would tell more.
func (s *Suggestion) tellKept(low, high float64) {
	between := math.Sqrt(low * min(high, float64(*s.Current)))
	most := -s.Effect.Interval.Resolved[0]
	switch {
	case !s.shorter():
		s.Reason.EN += fmt.Sprintf(" Today the last retry comes after %d s. Whether shorter waits would find as many is not known, since nobody looked in between: keep them as they are.", *s.Current)
		s.Reason.JA += fmt.Sprintf("現在、最後のリトライは%d秒後です。その間は誰も確認していないため、待ち時間を短くしても同じだけ回復を確認できるかどうかは分かりません。待ち時間はそのままとします。", *s.Current)
		if sameValue*low < between && sameValue*between < float64(*s.Current) {
			s.Reason.EN += fmt.Sprintf(" To learn it, let one of the retries come after %s for a month.", seconds(between))
			s.Reason.JA += fmt.Sprintf("確かめるには、1か月間、リトライの1回を%s後に行ってください。", secondsJA(between))
		}
	case most < 0.5:
		s.Reason.EN += fmt.Sprintf(" Today the last retry comes after %d s; shorter waits would not clearly save time: keep them as they are.", *s.Current)
		s.Reason.JA += fmt.Sprintf("現在、最後のリトライは%d秒後です。短縮しても時間の節約になるとは言い切れないため、待ち時間はそのままとします。", *s.Current)
	default:
		s.Reason.EN += fmt.Sprintf(" Today the last retry comes after %d s. With shorter waits it would come after %d s, but up to %.0f recoveries could be given up, for which that does not clearly save enough: keep the waits.", *s.Current, *s.Suggested, most)
		s.Reason.JA += fmt.Sprintf("現在、最後のリトライは%d秒後です。短縮すれば%d秒後になりますが、最大%.0f件の回復を失うおそれがあり、それに見合う節約になるとは言い切れないため、待ち時間はそのままとします。", *s.Current, *s.Suggested, most)
	}
	s.Reason.EN += " What longer ones would bring is not in the record."
	s.Reason.JA += "延長した場合の効果は記録からは分かりません。"
}

// tellWaits tells the waits, when the last of so many retries comes under them,
// and what they give up.
func (s *Suggestion) tellWaits(retries int) {
	var waits, waitsJA []string
	for _, w := range s.Values {
		waits, waitsJA = append(waits, seconds(w)), append(waitsJA, secondsJA(w))
	}
	told, toldJA := waits[0], strings.Join(waitsJA, "、")
	if last := len(waits) - 1; last > 0 {
		told = strings.Join(waits[:last], ", ") + " and " + waits[last]
	}
	if retries > len(waits) {
		told, toldJA = told+" (before further retries too)", toldJA+"（以降も同じ）"
	}
	s.Reason.EN += fmt.Sprintf(" Wait %s, varied a little at random: the last retry then comes after %d s instead of %d s.", told, *s.Suggested, *s.Current)
	s.Reason.JA += fmt.Sprintf("待ち時間を%sとし、毎回少しずらします。最後のリトライは%d秒後から%d秒後になります。", toldJA, *s.Current, *s.Suggested)
	if lost, most := math.Abs(min(0, s.Effect.Resolved)), -s.Effect.Interval.Resolved[0]; most >= 0.5 {
		s.Reason.EN += fmt.Sprintf(" That gives up about %.0f recoveries (%.0f at worst), which are worth less than the waiting that it saves.", lost, most)
		s.Reason.JA += fmt.Sprintf("約%.0f件（最悪の場合%.0f件）の回復を失いますが、節約できる待ち時間の価値のほうが上回ります。", lost, most)
	}
}

// tellWaitsMix tells of which limit the times are, where not all incidents had one.
func (s *Suggestion) tellWaitsMix(all carried, cap int) {
	if len(all.beside(cap)) == 0 {
		return
	}
	var en, ja []string
	for _, of := range append(all.of(cap), all.beside(cap)...) {
		en = append(en, fmt.Sprintf("%s in %d", retries(of.cap).EN, of.times))
		ja = append(ja, fmt.Sprintf("%d回が%d件", of.cap, of.times))
	}
	s.Reason.EN += fmt.Sprintf(" Not all incidents had one limit (%s): the last retry is that of those with %s; what shorter waits give up is weighed under the limit of each.", strings.Join(en, ", "), retries(cap).EN)
	s.Reason.JA += fmt.Sprintf("上限は一様ではありません（%s）。最後のリトライの時刻は上限%d回の件のもので、失う回復は各件の上限で計算しました。", strings.Join(ja, "、"), cap)
}

// follow keeps the waits until another change is in force.
func (s *Suggestion) follow(first *Suggestion) {
	from, to := Quantity(first.Knob, first.Current), Quantity(first.Knob, first.Suggested)
	s.Reason = Text{
		EN: fmt.Sprintf("Waits that end after %d s instead of %d s look better, but %s is to come down first (%s → %s, %s): that saves much of the same time and gains more, and both together may give up more than either. Look again once it is in force.", *s.Suggested, *s.Current, first.Knob, from.EN, to.EN, first.ID),
		JA: fmt.Sprintf("最後のリトライを%d秒後から%d秒後に早めるほうが良さそうですが、先に%sの引き下げ（%s → %s、%s）を提案しています。そちらのほうが効果が大きく、節約できる時間の多くは重なり、両方を行うと失う回復が増えるおそれがあるため、反映後に改めて判断します。", *s.Current, *s.Suggested, first.Knob, from.JA, to.JA, first.ID),
	}
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}

// lead says that the waits gain more than a limit that is to come down too.
func (s *Suggestion) lead(second *Suggestion) {
	s.Reason.EN += fmt.Sprintf(" This gains more than %s (%s), which saves some of the same time: take this up first, and look at that again once it is in force.", second.Knob, second.ID)
	s.Reason.JA += fmt.Sprintf("%s（%s）より効果が大きく、節約できる時間の一部は重なります。こちらを先に反映し、その後に改めて判断してください。", second.Knob, second.ID)
}
