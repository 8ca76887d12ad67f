package analyze

import "fmt"

// blindReason explains a cell whose sources hide what is needed.
var blindReason = Text{
	EN: "The source records only what failed in the end, not the retries that passed, so it cannot tell what a retry is worth. Publish each attempt, and the success, as events.",
	JA: "この情報源は最終的な失敗だけを記録し、成功したリトライを記録しないため、リトライの価値は分かりません。各試行と成功をイベントとして送ってください。",
}

func tooLittle(retried, need int) Text {
	return Text{
		EN: fmt.Sprintf("Incidents that were retried: %d; %d more are needed before the numbers say anything.", retried, need),
		JA: fmt.Sprintf("リトライしたインシデントは%d件のみ。判断にはあと%d件が必要です。", retried, need),
	}
}

// reason tells the verdict in the words of its evidence.
func (s *Suggestion) reason(steps []step, current int, worth float64) Text {
	switch s.Verdict {
	case Lower:
		return lowerReason(pool(steps[*s.Suggested:min(current, len(steps))]), current, worth) // the retries that do not pay
	case Raise:
		to := min(int(*s.Suggested), len(steps))
		e := pool(steps[min(current, to-1):to]) // the retries that are to be allowed, or the last one made
		return raiseReason(e, retryNumbers(e.Retry, to), current, int(*s.Suggested), s.Extrapolated)
	}
	e, now := steps[0], limitWords(current)
	if e.Won == 0 && pool(steps).Won > 0 { // a later one did
		for _, e = range steps {
			if e.Won > 0 {
				break
			}
		}
		return Text{
			EN: fmt.Sprintf("No first retry resolved it (0 of %d), but retry %d did for %d of %d (in the long run likely %s to %s), and it takes those before it. No other limit is clearly better than %s.", steps[0].AtRisk, e.Retry, e.Won, e.AtRisk, percent(e.Low), percent(e.High), retries(current).EN),
			JA: fmt.Sprintf("1回目のリトライでの解決はありません（%d件中0件）が、%d回目では%d件中%d件が解決しており（長期的にはおそらく%s〜%s）、そこまで試す必要があります。現在の%d回より明らかに良い回数はありません。", steps[0].AtRisk, e.Retry, e.AtRisk, e.Won, percent(e.Low), percent(e.High), current),
		}
	}
	if e.Won == 0 {
		return Text{
			EN: fmt.Sprintf("No first retry has resolved it yet (0 of %d), but so few tries cannot rule out that up to %s do; %s stays.", e.AtRisk, percent(e.High), now.EN),
			JA: fmt.Sprintf("1回目のリトライでの解決はまだありません（%d件中0件）。ただしこの件数では、%s程度まで解決する可能性が残るため、%sのままとします。", e.AtRisk, percent(e.High), now.JA),
		}
	}
	text := Text{
		EN: fmt.Sprintf("The first retry resolved %d of %d (in the long run likely %s to %s). No other limit is clearly better than %s.", e.Won, e.AtRisk, percent(e.Low), percent(e.High), retries(current).EN),
		JA: fmt.Sprintf("1回目のリトライで%d件中%d件が解決（長期的にはおそらく%s〜%s）。現在の%d回より明らかに良い回数はありません。", e.AtRisk, e.Won, percent(e.Low), percent(e.High), current),
	}
	if current == 0 {
		text.EN = fmt.Sprintf("Mostly nothing is retried; where it was, the first retry resolved %d of %d (in the long run likely %s to %s). To retry is not clearly better.", e.Won, e.AtRisk, percent(e.Low), percent(e.High))
		text.JA = fmt.Sprintf("大半はリトライしていません。リトライした%d件では、1回目で%d件が解決（長期的にはおそらく%s〜%s）。リトライしたほうが明らかに良いとは言えません。", e.AtRisk, e.Won, percent(e.Low), percent(e.High))
	}
	return text
}

// limitWords names a limit of retries in a sentence.
func limitWords(n int) Text {
	if n == 0 {
		return Text{EN: "not to retry", JA: "リトライしない設定"}
	}
	return Text{EN: fmt.Sprintf("the limit of %s", retries(n).EN), JA: fmt.Sprintf("上限%d回", n)}
}

// lowerReason tells the bound by which the change was decided: what is believed
// once the cells around are heard, not what its own counts alone leave open.
func lowerReason(e step, current int, worth float64) Text {
	to := e.Retry - 1
	most, pays := apart(e.posterior().quantile(1-falseDiscoveries), e.price/worth)
	text := Text{
		EN: fmt.Sprintf("From retry %d on, %d of %d tries resolved it (in the long run likely at most %s). Each takes %s", e.Retry, e.Won, e.AtRisk, most, e.takes().EN),
		JA: fmt.Sprintf("リトライ%d回目以降で解決したのは%d回中%d回（長期的にも多くて%s程度）。1回に%sかかり、", e.Retry, e.AtRisk, e.Won, most, e.takes().JA),
	}
	if e.price < worth {
		text.EN += fmt.Sprintf(", which pays from %s on: a resolution is worth %s.", pays, seconds(worth))
		text.JA += fmt.Sprintf("解決1件の価値（%s）に見合うのは%s以上の場合です。", secondsJA(worth), pays)
	} else {
		text.EN += fmt.Sprintf(", which is more than the %s that a resolution is worth: even a retry that always passed would not pay.", seconds(worth))
		text.JA += fmt.Sprintf("解決1件の価値（%s）を超えるため、必ず成功したとしても割に合いません。", secondsJA(worth))
	}
	if to == 0 {
		text.EN += fmt.Sprintf(" Do not retry any more; today the limit is %s.", retries(current).EN)
		text.JA += fmt.Sprintf("リトライ（現在は%d回まで）をやめます。", current)
		return text
	}
	text.EN += fmt.Sprintf(" Allow %s instead of %d.", retries(to).EN, current)
	text.JA += fmt.Sprintf("上限を%d回から%d回に減らします。", current, to)
	return text
}

// takes tells the price of a retry: its time, and what tokens or dollars come to.
func (s *step) takes() Text {
	if s.price-s.seconds < 0.05 { // less than is told
		return Text{EN: seconds(s.price), JA: secondsJA(s.price)}
	}
	return Text{
		EN: fmt.Sprintf("%s and, in tokens or dollars, as much as %s", seconds(s.seconds), seconds(s.price-s.seconds)),
		JA: fmt.Sprintf("%sと、トークンまたはドルで%s相当", secondsJA(s.seconds), secondsJA(s.price-s.seconds)),
	}
}

// retryNumbers names the retries from first to last.
func retryNumbers(first, last int) Text {
	if first == last {
		return Text{EN: fmt.Sprintf("retry %d", first), JA: fmt.Sprintf("リトライ%d回目", first)}
	}
	return Text{EN: fmt.Sprintf("retries %d to %d", first, last), JA: fmt.Sprintf("リトライ%d〜%d回目", first, last)}
}

// raiseReason tells the bound by which the change was decided, as lowerReason does.
func raiseReason(e step, which Text, current, to int, extrapolated bool) Text {
	least := percent(e.posterior().quantile(falseDiscoveries))
	text := Text{
		EN: fmt.Sprintf("%s resolved %d of %d (in the long run likely at least %s), and each takes only %s. The limit of %s gives up on incidents that one more would resolve. Allow %s.", capital(which.EN), e.Won, e.AtRisk, least, e.takes().EN, retries(current).EN, retries(to).EN),
		JA: fmt.Sprintf("%sで%d件中%d件が解決（長期的にも少なくとも%s程度）、1回にかかるのは%sだけです。上限%d回では、まだ解決できるものまで打ち切られています。%d回に増やします。", which.JA, e.AtRisk, e.Won, least, e.takes().JA, current, to),
	}
	if current == 0 {
		text.EN = fmt.Sprintf("Mostly nothing is retried, though %s resolved %d of %d (in the long run likely at least %s), and each takes only %s. Allow %s.", which.EN, e.Won, e.AtRisk, least, e.takes().EN, retries(to).EN)
		text.JA = fmt.Sprintf("大半はリトライしていませんが、%sで%d件中%d件が解決（長期的にも少なくとも%s程度）、1回にかかるのは%sだけです。%d回まで認めます。", which.JA, e.AtRisk, e.Won, least, e.takes().JA, to)
	}
	if extrapolated {
		text.EN += " Hardly any incident went that far yet: try it for a month and look again."
		text.JA += "まだほとんど試されていない回数なので、1か月試して確認してください。"
	}
	return text
}

// percent tells a share in whole percents, and less than one by its first digit:
// a bound of 0% would be none.
func percent(p float64) string {
	if p > 0 && p < 0.01 {
		return fmt.Sprintf("%.1g%%", 100*p)
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

// apart tells two shares so that they can be told apart.
func apart(a, b float64) (string, string) {
	x, y := percent(a), percent(b)
	if x == y {
		x, y = fmt.Sprintf("%.3g%%", 100*a), fmt.Sprintf("%.3g%%", 100*b)
	}
	return x, y
}

func seconds(s float64) string { return figure(s) + " s" }

func secondsJA(s float64) string { return figure(s) + "秒" }

// figure has two significant digits or more, as the data tells no more.
func figure(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f", s)
	}
	return fmt.Sprintf("%.0f", s)
}
