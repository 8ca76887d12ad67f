package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// A carried is how often each cap was carried. There are few, which are faster
// to look through than to look up.
type carried []caps

// A caps is how often a cap was carried.
type caps struct{ cap, times int }

// add counts cap as carried so many times more.
func (c *carried) add(cap, times int) {
	for i := range *c {
		if of := &(*c)[i]; of.cap == cap {
			of.times += times
			return
		}
	}
	*c = append(*c, caps{cap, times})
}

// most returns the cap that is carried most, the larger of two, and how often;
// -1: none is.
func (c carried) most() (most, times int) {
	most = -1
	for _, of := range c {
		if of.times > times || of.times == times && times > 0 && of.cap > most {
			most, times = of.cap, of.times
		}
	}
	return most, times
}

// minShare is the least share of the incidents that carry a cap besides the
// commonest for a cell to have more than one: below a tenth it is a trial, or a
// change on its way.
const minShare = 0.1

// of returns one of the caps.
func (c carried) of(cap int) carried {
	at := slices.IndexFunc(c, func(of caps) bool { return of.cap == cap })
	return carried{c[at]}
}

// beside returns the caps that a good share of the incidents carries, but for one,
// from the least on.
func (c carried) beside(inForce int) (others carried) {
	all := 0
	for _, of := range c {
		all += of.times
	}
	for _, of := range c {
		if of.cap != inForce && float64(of.times) >= minShare*float64(all) {
			others = append(others, of)
		}
	}
	slices.SortFunc(others, func(a, b caps) int { return a.cap - b.cap })
	return others
}

// tellMix tells that not all incidents of a cell had the same limit, and of that in
// force, the first, where it stays what it would come to for all of them.
func (s *Suggestion) tellMix(limits carried, e Effect) {
	var en, ja []string
	for _, of := range limits {
		en = append(en, fmt.Sprintf("%s in %d", retries(of.cap).EN, of.times))
		ja = append(ja, fmt.Sprintf("%d回が%d件", of.cap, of.times))
	}
	s.limits = Text{EN: strings.Join(en, ", "), JA: strings.Join(ja, "、")}
	to := retries(int(*s.Suggested))
	s.Reason.EN += fmt.Sprintf(" Not all incidents had one limit (%s)", s.limits.EN)
	s.Reason.JA += fmt.Sprintf("上限は一様ではありません（%s）。", s.limits.JA)
	if s.Verdict != Keep {
		s.Reason.EN += fmt.Sprintf("; the effect is that of %s for all.", to.EN)
		s.Reason.JA += fmt.Sprintf("効果は全件を%sとした場合のものです。", to.JA)
		return
	}
	s.Reason.EN += fmt.Sprintf("; %s for all would come to %+.0f resolved, %+.0f retries, %+.0f s.", to.EN, e.Resolved, e.Retries, e.WaitS)
	s.Reason.JA += fmt.Sprintf("全件を%sとした場合：解決%+.0f件、リトライ%+.0f回、所要時間%+.0f秒。", to.JA, e.Resolved, e.Retries, e.WaitS)
}

// tellMixKept tells of a change that is not made that it had to be good for the
// incidents of every limit.
func (s *Suggestion) tellMixKept() {
	if s.limits.EN != "" {
		s.Reason.EN += fmt.Sprintf(" Not all incidents had one limit (%s), and a change must be better for each.", s.limits.EN)
		s.Reason.JA += fmt.Sprintf("上限は一様ではなく（%s）、変更はどの上限の件にとっても良いものでなければなりません。", s.limits.JA)
	}
}
