package analyze

import "fmt"

// goesBeyond reports whether an incident made more retries than its limit allows.
func (c *Chain) goesBeyond() bool { return c.Cap >= 0 && c.Retries > c.Cap }

// tellBeyond tells that a limit is not obeyed, and what obeying it would come to: no
// change of it does what it says before that. Fewer than minOwn are runaways.
func (s *Suggestion) tellBeyond(c *Cell, o TuneOptions) {
	if c.count().beyond < minOwn {
		return
	}
	steps := c.hazards(o)
	var b balance
	n, longest := 0, 0
	chains := c.sighted()
	for i := range chains {
		if of := &chains[i]; of.goesBeyond() {
			n, longest = n+1, max(longest, of.Retries)
			b.cut(of, of.Cap, steps)
		}
	}
	if n < minOwn {
		return
	}
	e := b.effect()
	s.Reason.EN += fmt.Sprintf(" The limit is not obeyed: %d incidents went beyond theirs, with up to %s. To obey it would come to %+.0f resolved, %+.0f retries, %+.0f s", n, retries(longest).EN, e.Resolved, e.Retries, e.WaitS)
	s.Reason.JA += fmt.Sprintf("上限は守られていません：%d件が上限を超えてリトライしています（最大%d回）。守った場合：解決%+.0f件、リトライ%+.0f回、所要時間%+.0f秒", n, longest, e.Resolved, e.Retries, e.WaitS)
	if s.Verdict == Lower {
		s.Reason.EN += ", which is part of the effect."
		s.Reason.JA += "（効果に含まれています）。"
		return
	}
	s.Reason.EN += "."
	s.Reason.JA += "。"
}
