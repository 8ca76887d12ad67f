package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"hansei/queries"
)

// callDepth proposes how many calls an agent may make in one turn, from the
// distribution of the turns that ended by themselves: their 99 % point by Kaplan
// and Meier's estimate, in which a turn that a limit of the run cut off counts as
// deeper than it got (right-censoring), as a timed out call does for timeout. The
// limit in force is where these pile up, as for timeout (see limitOf): a limit of
// cost or of repeats cuts off anywhere. Events carry how deep they are as the
// attribute call_depth; no source of ours has it by itself.
var callDepth = Tuner{Knob: callDepthName, Suggest: suggestCallDepth, Observe: observeTurns}

const callDepthName = "call_depth"

// defaultDepths are the limits of the documents that the systems came with.
var defaultDepths = map[string]int{
	"monadic": 20, // function calls in one turn
}

func suggestCallDepth(c Cell, o TuneOptions) (Suggestion, bool) {
	ended, cut, _ := endsOf(c.Depths)
	inForce, piled := limitOf(c.Depths)
	limit := inForce.at
	told := slices.ContainsFunc(c.Depths, func(d Duration) bool { return d.Seconds > 0 })
	s := Suggestion{Verdict: TooLittleData, N: ended + cut, Evidence: []Evidence{}}
	if current := cmp.Or(int(limit), defaultDepths[c.Scope.Agent]); current > 0 && cut > 0 && (piled || !told) {
		s.Current = number(current)
	}
	switch {
	case cut == 0:
		return s, false // no limit is known to be in force
	case !told:
		s.Needed = minCalls
		s.Reason = Text{
			EN: fmt.Sprintf("A limit of the run (of calls, repeats or cost) stopped %d turns, but no event tells how many calls a turn had made. Publish the attribute call_depth (calls of the turn so far) with each event, successes too; %d turns that end by themselves are needed.", cut, minCalls),
			JA: fmt.Sprintf("実行の上限（回数・反復・費用）で%d件のターンが打ち切られましたが、それまでの呼び出し回数を示すイベントがありません。各イベント（成功も含む）に属性 call_depth（ターン内のそれまでの呼び出し回数）を付けてください。自然に終わったターンが%d件必要です。", cut, minCalls),
		}
		return s, true
	case ended >= minCalls && !piled:
		s.Reason = noDepth(c.Depths)
		return s, true
	case ended < minCalls:
		s.Needed = minCalls - ended
		s.Reason = Text{
			EN: fmt.Sprintf("Turns that ended by themselves and told how many calls they made: %d; %d more are needed to say how many calls nearly all of them make.", ended, s.Needed),
			JA: fmt.Sprintf("呼び出し回数が分かり、自然に終わったターンは%d件のみ。ほぼ全件に足りる回数を知るにはあと%d件が必要です。", ended, s.Needed),
		}
		return s, true
	}
	lent := c.Lent[callDepthName]
	at, late := slowest(c.Depths, inForce, lent)
	s.Evidence = append(s.Evidence, late)
	s.lean(lent, 0)
	if late.passes(lent) {
		s.raiseDepth(c.Depths, limit, o.Worth.Seconds())
	} else {
		s.depthVerdict(c.Depths, at, limit)
	}
	return s, true
}

// noDepth explains why nothing is said about the depth of turns of which some were
// cut off.
func noDepth(turns []Duration) Text {
	cut, least, most := 0, 0, 0
	for _, d := range turns {
		if d.timedOut() && d.Seconds > 0 {
			if cut == 0 {
				least = int(d.Seconds)
			}
			cut, most = cut+d.Calls, int(d.Seconds)
		}
	}
	if cut < minOwn {
		return Text{
			EN: fmt.Sprintf("Turns that a limit of the run stopped and that told how many calls they had made: %d, too few to tell which limit that is.", cut),
			JA: fmt.Sprintf("実行の上限で打ち切られ、呼び出し回数が分かるターンは%d件のみで、どの上限によるものか判断できません。", cut),
		}
	}
	return Text{
		EN: fmt.Sprintf("The %d turns that a limit of the run stopped had made anywhere from %d to %d calls: there is no one number of calls at which most of them end and beyond which hardly a turn goes on. So it is no limit of calls, or not the same one everywhere.", cut, least, most),
		JA: fmt.Sprintf("実行の上限で打ち切られた%d件のターンの呼び出し回数は%d〜%d回とばらついており、大半がそこで打ち切られ、それより先へ進むターンがほとんどないような回数は見当たりません。呼び出し回数の上限によるものではないか、上限が一様ではありません。", cut, least, most),
	}
}

// raiseDepth proposes half as much again where turns still end by themselves near
// the limit and that is worth what the others go on to call; see raiseTimeout.
func (s *Suggestion) raiseDepth(of []Duration, limit, worth float64) {
	late := s.Evidence[0]
	to := int64(math.Ceil(1.5 * limit))
	e, more := depthEffect(of, float64(to))
	_, cut, _ := endsOf(of)
	s.Verdict, s.Suggested = Keep, s.Current
	if !e.surely(worth) {
		s.Reason = Text{
			EN: fmt.Sprintf("Of %d turns that made at least %.0f calls, %d ended by themselves within the limit of %.0f, and ever fewer do the longer they go on: of the %d that it cut off likely %s would have ended by %d calls, which is not clearly worth what the others go on to call. It stays.", late.AtRisk, math.Ceil(0.8*limit), late.Won, limit, cut, between(more).EN, to),
			JA: fmt.Sprintf("%.0f回以上呼び出した%d件のターンのうち%d件は上限%.0f回までに自然に終わっていますが、長く続くほど終わるものは減っています。打ち切られた%d件のうち%d回までに終わったのはおそらく%sで、残りが続ける呼び出しに明らかに見合うとは言えないため、維持します。", math.Ceil(0.8*limit), late.AtRisk, late.Won, limit, cut, to, between(more).JA),
		}
		return
	}
	s.Verdict, s.Extrapolated, s.Suggested, s.Effect = Raise, true, &to, e
	s.Prediction = predictMore(passedWithin(of, math.Inf(1)), e.Resolved, more)
	s.Reason = Text{
		EN: fmt.Sprintf("Of %d turns that made at least %.0f calls, %d ended by themselves: the limit of %.0f calls cuts off turns that would end, likely %s of %d by %d calls. Try %[7]d calls for a month.", late.AtRisk, math.Ceil(0.8*limit), late.Won, limit, between(more).EN, cut, to),
		JA: fmt.Sprintf("%.0f回以上呼び出した%d件のターンのうち%d件は自然に終わっており、上限%.0f回は終わるはずのターンを打ち切っています（%d回までなら%d件のうちおそらく%s）。%[5]d回に変えて1か月試してください。", math.Ceil(0.8*limit), late.AtRisk, late.Won, limit, to, cut, between(more).JA),
	}
}

// depthVerdict decides by the depth that 99 % of the turns need.
func (s *Suggestion) depthVerdict(of []Duration, at, limit float64) {
	ended, _, _ := endsOf(of)
	s.Verdict, s.Suggested = Keep, s.Current
	switch {
	case at > 0 && math.Ceil(1.25*at) < 0.9*limit: // a quarter above the point, since the next month differs
		s.Verdict, s.Suggested = Lower, number(int(math.Ceil(1.25*at)))
		s.Effect, _ = depthEffect(of, float64(*s.Suggested))
		seen := passedWithin(of, float64(*s.Suggested))
		s.Prediction = predict(seen.won, seen.n)
		s.Reason = Text{
			EN: fmt.Sprintf("99%% of the %d turns that ended by themselves made at most %.0f calls; what goes on longer runs into the limit of %.0f calls. Stop it at %d calls.", ended, at, limit, *s.Suggested),
			JA: fmt.Sprintf("自然に終わった%d件のターンの99%%は%.0f回以内。それより長いものは上限%.0f回まで続いて打ち切られています。%d回で打ち切ります。", ended, at, limit, *s.Suggested),
		}
	default:
		s.Reason = Text{
			EN: fmt.Sprintf("The limit of %.0f calls fits: hardly a turn ends by itself near it, and those that end need most of it.", limit),
			JA: fmt.Sprintf("上限%.0f回は妥当です。直前で自然に終わるターンはほとんどなく、終わるターンの回数とも合っています。", limit),
		}
	}
}

// depthEffect is what the recorded turns come to under a limit of so many calls,
// and how many more end by themselves.
func depthEffect(of []Duration, limit float64) (e Effect, more chance) {
	ends := endsOfTurns(of)
	row, _ := replayEnds(Replayed{Knob: callDepthName}, ends, &limit, nil)
	return row.Effect, goOn(ends, limit)
}

// observeTurns counts the turns, and those of them that ended by themselves.
func observeTurns(_ *Suggestion, c Cell) tally { return passedWithin(c.Depths, math.Inf(1)) }

// depthCells gathers the turns by agent, which come in that order.
func depthCells(of []queries.CallDepth) []Cell {
	var out []Cell
	for _, d := range of {
		scope := Scope{Agent: d.Agent}
		if len(out) == 0 || out[len(out)-1].Scope != scope {
			out = append(out, Cell{Scope: scope})
		}
		last := &out[len(out)-1]
		last.Depths = append(last.Depths, Duration{Seconds: float64(d.Depth), Passed: d.Passed, Calls: int(d.Turns), First: d.First, Last: d.Last})
	}
	return out
}
