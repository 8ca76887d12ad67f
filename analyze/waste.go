package analyze

import "fmt"

// sameWaste notes of changes of one cell that they take away the same retries: n
// failures are n−1 retries, so a lower stop_after is a lower max_retries. Of the two
// the looser one changes nothing beside the other, and says so; a budget holds back
// some of the same storm.
func sameWaste(all []Suggestion) {
	lower, held := map[Scope]*Suggestion{}, map[Scope]*Suggestion{} // of max_retries; held: perhaps chance
	for i := range all {
		switch s := &all[i]; {
		case s.Knob != maxRetriesKnob:
		case s.Verdict == Lower:
			lower[s.Scope] = s
		case s.Withheld && s.wanted != nil:
			held[s.Scope] = s
		}
	}
	for i := range all {
		s := &all[i]
		retries := lower[s.Scope]
		switch {
		case s.Verdict == Lower && s.Knob == retryBudgetName:
			if of := mostOf(all, s.Scope.Agent); of != nil {
				s.overlaps(of)
			}
		case s.Verdict != Lower || s.Knob != stopAfterName && s.Knob != scoreBarName:
		case retries == nil:
			if same := held[s.Scope]; same != nil && s.Knob == stopAfterName && *same.wanted == *s.Suggested-1 {
				s.asksLess(same)
			}
		case s.Knob == scoreBarName:
			s.isPartlyWithin(retries)
		case *s.Suggested-1 < *retries.Suggested:
			retries.isWithin(s)
		default:
			s.isWithin(retries)
		}
	}
}

// scoreFirst leaves a limit of retries as it is where it gains more to stop by the
// score: the limit cuts off those too that are close to the bar, so that both
// together gain less than the score alone.
func scoreFirst(all []Suggestion, o TuneOptions) {
	scores := map[Scope]*Suggestion{}
	for i := range all {
		if s := &all[i]; s.Knob == scoreBarName && s.Verdict == Lower {
			scores[s.Scope] = s
		}
	}
	for i := range all {
		s := &all[i]
		if s.Knob != maxRetriesKnob && s.Knob != stopAfterName || s.Verdict != Lower || s.Decided != nil {
			continue
		}
		if first := scores[s.Scope]; first != nil && first.gain(o) > s.gain(o) {
			s.stepBack(first)
		}
	}
}

// stepBack keeps a limit of retries until those are stopped whose score is low.
func (s *Suggestion) stepBack(first *Suggestion) {
	to := s.inWords(s.Suggested)
	s.Reason = Text{
		EN: fmt.Sprintf("%s would gain, but less than to stop below %.0f points (%s, %s), and would cut off those too that are close to the bar: do that first, and look again. If the agent cannot stop by its score, dismiss that, and this is suggested.", capital(to.EN), first.Values[0], first.Knob, first.ID),
		JA: fmt.Sprintf("%sにしても効果はありますが、%.0f点未満で止めるほう（%s、%s）が効果が大きく、合格点に近いものまで打ち切らずに済みます。先にそちらを行い、その後に改めて判断してください。エージェントが点数で止められない場合は、そちらを却下すればこの変更を提案します。", to.JA, first.Values[0], first.Knob, first.ID),
	}
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}

// mostOf is the lower limit of an agent's cells that leaves out the most retries;
// nil: none does.
func mostOf(all []Suggestion, agent string) (most *Suggestion) {
	for i := range all {
		s := &all[i]
		if s.Verdict == Lower && s.Scope.Agent == agent && (s.Knob == maxRetriesKnob || s.Knob == stopAfterName) && (most == nil || s.Effect.Retries < most.Effect.Retries) {
			most = s
		}
	}
	return most
}

// overlaps says of a budget and of a limit of the same agent that they leave out
// some of the same retries.
func (s *Suggestion) overlaps(limit *Suggestion) {
	s.isPartlyWithin(limit)
	limit.Reason.EN += fmt.Sprintf(" Some of these retries the agent's %s (%s) leaves out too: the two effects are not to be added up.", s.Knob, s.ID)
	limit.Reason.JA += fmt.Sprintf("その一部は同じエージェントの%s（%s）でも省かれるため、二つの効果は足し合わせられません。", s.Knob, s.ID)
}

// asksLess says why stop_after asks for a change that max_retries holds back.
func (s *Suggestion) asksLess(held *Suggestion) {
	s.Reason.EN += fmt.Sprintf(" The same change of max_retries (%s) is held back: a retry is cheap here, and whether it pays takes more incidents to tell than whether more than %s recover.", held.ID, percent(hopeless))
	s.Reason.JA += fmt.Sprintf("同じ変更をmax_retries（%s）では見送っています。ここではリトライが安く、割に合うかどうかは、%s超が回復するかどうかより多くの件数がないと分からないためです。", held.ID, percent(hopeless))
}

// isPartlyWithin says that another change does some of what s does.
func (s *Suggestion) isPartlyWithin(other *Suggestion) {
	s.Within = other.ID
	s.Reason.EN += fmt.Sprintf(" Some of these retries %s (%s) leaves out too: the two effects are not to be added up.", other.Knob, other.ID)
	s.Reason.JA += fmt.Sprintf("その一部は%s（%s）でも省かれるため、二つの効果は足し合わせられません。", other.Knob, other.ID)
}

// isWithin says that another change does all that s does.
func (s *Suggestion) isWithin(other *Suggestion) {
	s.Within = other.ID
	from, to := Quantity(other.Knob, other.Current), Quantity(other.Knob, other.Suggested)
	s.Reason.EN += fmt.Sprintf(" These are the retries that %s (%s → %s, %s) leaves out too: the two effects are not to be added up.", other.Knob, from.EN, to.EN, other.ID)
	s.Reason.JA += fmt.Sprintf("同じリトライは%s（%s → %s、%s）でも省かれるため、二つの効果は足し合わせられません。", other.Knob, from.JA, to.JA, other.ID)
}
