package analyze

// retriesNone reports whether a suggestion says to retry nothing at all.
func (s *Suggestion) retriesNone() bool {
	return s.Suggested != nil && (s.Knob == maxRetriesKnob && *s.Suggested == 0 || s.Knob == stopAfterName && *s.Suggested == 1)
}

// added counts the retries that a higher limit allowed and that were made under it,
// and from which share on they pay, as its evidence had it; nil: it is no such
// change, or none was made.
func (s *Suggestion) added(of []Chain) *Evidence {
	if s.Knob != maxRetriesKnob || s.Verdict != Raise || s.Current == nil || len(s.Evidence) == 0 {
		return nil
	}
	first, last := int(*s.Current), int(*s.Suggested)
	e := &Evidence{Retry: first + 1}
	for i := range of {
		c := &of[i]
		made := min(c.Retries, last)
		for k := first; k < made; k++ {
			e.AtRisk++
			e.Pays += s.Evidence[min(k, len(s.Evidence)-1)].Pays
		}
		if c.Won && c.Retries > first && c.Retries <= last {
			e.Won++
		}
	}
	if e.AtRisk == 0 {
		return nil
	}
	e.Pays /= float64(e.AtRisk)
	e.finish(nil, 0)
	return e
}

// verdict says whether a change was right, from what was seen under it. What counts
// is what would be without it: of a higher limit, whether the retries that it
// allowed pay; of a lower one the retries that are left are the same with it and
// without. Where these win less often than before, neither is the cause.
func (o *Outcome) verdict(s *Suggestion, seen tally) string {
	added := o.Added
	limit := s.Knob == maxRetriesKnob && s.Verdict == Raise || (s.Knob == maxRetriesKnob || s.Knob == stopAfterName) && s.Verdict == Lower
	switch {
	case s.retriesNone() && o.Back != nil:
		return RolledBack
	case s.retriesNone():
		return Unseen
	case seen.n < minIncidents:
		return TooEarly
	case added != nil && added.AtRisk >= minIncidents && added.High < added.Pays:
		return RollBack
	case o.Interval[1] < 0 && limit:
		return Fell
	case o.Interval[1] < 0:
		return RollBack
	case o.Interval[0] > 0:
		return Better
	}
	return Kept
}
