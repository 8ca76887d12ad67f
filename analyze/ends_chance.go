package analyze

import "math"

// chanceOfEnds is the chance that a change of a timeout or of a call depth is for the
// worse, which false discovery control goes by. A longer one is that where what comes
// near the limit passes less often than hopeless; a shorter one where what passes
// beyond it is more, in the long run, than the time pays that it saves: of the calls
// or turns some were given up, as is believed after Jeffreys' prior.
func (s *Suggestion) chanceOfEnds(c *Cell, o TuneOptions) float64 {
	switch s.Verdict {
	case Raise:
		return s.Evidence[0].posterior(c.Lent[s.Knob], 0).below(hopeless)
	case Lower:
		worth, lost := o.Worth.Seconds(), max(0, -s.Effect.Resolved)
		saved := s.Effect.Worth(o) + lost*worth
		return 1 - jeffreys.after(int(math.Round(lost)), s.N).below(max(0, saved)/float64(s.N)/worth)
	}
	return 1
}
