package analyze

import (
	"fmt"
	"strings"
)

// A view is a cell as its tuners see it: the incidents that decide, and those
// that are looked at beside.
type view struct {
	Cell                  // the incidents that decide
	outages, earlier Cell // with the outages; before the cap changed. No chains: neither is there
	changed          [2]int
}

// minSide is the least number of incidents on each side of a change of the cap:
// fewer are a trial.
const minSide = 5

// capChange returns where the cap of a cell changed for good, in chains that
// come by time: the split at which most incidents carry the one cap before and
// the other after it, nine in ten on both sides, since a change is rolled out
// over some time.
func capChange(chains []Chain) (at int, caps [2]int, ok bool) {
	var before, after carried
	known := 0
	for i := range chains {
		if cap := chains[i].Cap; cap >= 0 {
			after.add(cap, 1)
			known++
		}
	}
	if len(after) < 2 {
		return 0, caps, false
	}
	best, seen := 0, 0
	for i := range chains {
		c := &chains[i]
		if c.Cap < 0 {
			continue
		}
		before.add(c.Cap, 1)
		after.add(c.Cap, -1)
		seen++
		if seen < minSide || known-seen < minSide {
			continue
		}
		m, carriedBefore := before.most()
		n, carriedAfter := after.most()
		if m == n || 10*carriedBefore < 9*seen || 10*carriedAfter < 9*(known-seen) {
			continue
		}
		if fit := carriedBefore + carriedAfter; fit > best {
			best, at, caps, ok = fit, i+1, [2]int{m, n}, true
		}
	}
	return at, caps, ok
}

// viewOf leaves the outages of a cell out, and what came before its cap changed.
func viewOf(c Cell) view {
	var v view
	all := c.chains()
	decide := all
	if c.recorded == nil || len(c.bursts) > 0 {
		decide = calm(all)
	}
	at, fromTo, changed := 0, [2]int{}, false
	if len(c.count().caps) > 1 {
		at, fromTo, changed = capChange(decide)
	}
	if changed {
		v.changed = fromTo
		v.earlier = Cell{Scope: c.Scope, laid: decide[:at], Pool: c.Pool, Shares: c.Shares, Lent: c.Lent, Wrong: c.Wrong}
		since := decide[at].Opened
		decide = decide[at:]
		for len(all) > 0 && all[0].Opened.Before(since) {
			all = all[1:]
		}
	}
	if len(all) > len(decide) {
		v.outages = Cell{Scope: c.Scope, laid: all, Pool: c.Pool, Shares: c.Shares, Lent: c.Lent, Wrong: c.Wrong}
	}
	if v.Cell = c; len(decide) < c.size() {
		v.Cell = c.of(decide)
	}
	if before := v.earlier.count().sighted().tallies(); len(before) > len(c.Past) {
		v.Past = evidenceOf(before)
	}
	return v
}

// ask asks a tuner about the incidents that decide, and about the others beside.
func (v *view) ask(tuner Tuner, o TuneOptions) (Suggestion, bool) {
	s, ok := tuner.suggest(v.Cell, o)
	if !ok {
		return s, false
	}
	s.Scope, s.Unit, s.Wrong = v.Scope, UnitOf(tuner.Knob), v.Wrong[tuner.Knob]
	if s.Wrong > 0 {
		s.Reason.EN += fmt.Sprintf(" Earlier predictions about it that did not come true: %d; what was counted is trusted less for that (%s).", s.Wrong, percent(trust(s.Wrong)))
		s.Reason.JA += fmt.Sprintf("過去の予測が%d回外れたため、件数を割り引いて（%s）判断しました。", s.Wrong, percent(trust(s.Wrong)))
	}
	if s.Knob == maxRetriesKnob && s.Current == nil && s.Suggested != nil {
		s.tellUntold(v.inForce())
	}
	if s.Pool != nil {
		s.tellPool()
	}
	if tuner.Knob == maxRetriesKnob {
		s.tellBeyond(&v.Cell, o)
	}
	if tuner.Beside && len(v.outages.chains()) > 0 {
		s.Outages = alternative(tuner, v.outages, len(v.outages.chains())-len(v.chains()), o)
		s.Reason.EN += fmt.Sprintf(" %d incidents of outages are left out; with them: %s.", s.Outages.Incidents, s.Outages.words(s.Knob).EN)
		s.Reason.JA += fmt.Sprintf("障害中の%d件は除外しました。含めた場合：%s。", s.Outages.Incidents, s.Outages.words(s.Knob).JA)
		s.tellInOutages(&v.outages, o)
	}
	if tuner.Beside && len(v.earlier.chains()) > 0 {
		s.Earlier = alternative(tuner, v.earlier, len(v.earlier.chains()), o)
		s.Reason.EN += fmt.Sprintf(" The limit changed from %d to %s within the period, and only what came after decides; from the %d incidents before: %s.", v.changed[0], retries(v.changed[1]).EN, s.Earlier.Incidents, s.Earlier.words(s.Knob).EN)
		s.Reason.JA += fmt.Sprintf("期間中に上限が%d回から%d回に変わったため、変更後の件だけで判断しました。変更前の%d件では：%s。", v.changed[0], v.changed[1], s.Earlier.Incidents, s.Earlier.words(s.Knob).JA)
	}
	return s, true
}

// tellUntold says that the limit which the reason speaks of is none that any incident
// told: it is the most that one of them made.
func (s *Suggestion) tellUntold(most int) {
	made := retries(most)
	s.Reason.EN += fmt.Sprintf(" No incident tells its limit: %s is the most that any made, and stands for it.", made.EN)
	s.Reason.JA += fmt.Sprintf("上限を示すインシデントはないため、実際の最多である%sを上限と見なしました。", made.JA)
}

func alternative(tuner Tuner, c Cell, incidents int, o TuneOptions) *Alternative {
	a := &Alternative{Incidents: incidents, Verdict: TooLittleData}
	if s, ok := tuner.suggest(c, o); ok {
		a.Current, a.Suggested, a.Verdict = s.Current, s.Suggested, s.Verdict
	}
	return a
}

// tellInOutages tells what a change comes to in the incidents of outages, as a
// replay of it does.
func (s *Suggestion) tellInOutages(with *Cell, o TuneOptions) {
	to := plan{cap: -1}
	switch {
	case !s.isChange():
		return
	case s.Knob == maxRetriesKnob:
		to.cap, to.allows = int(*s.Suggested), true
	case s.Knob == stopAfterName:
		to.cap = int(*s.Suggested) - 1
	case s.Knob == delaysKnob:
		to.delays = s.Values
	}
	hit := with.of(struck(with.chains()))
	t := replayPlans(&hit, with.inForce(), to, plan{cap: -1})
	e := t.effect()
	if e == (Effect{}) {
		return
	}
	s.Outages.Effect = &e
	told := []any{e.Resolved, e.Retries, e.WaitS}
	s.Reason.EN += fmt.Sprintf(" In them it comes to %+.3g resolved, %+.0f retries, %+.0f s, which its effect leaves out.", told...)
	s.Reason.JA += fmt.Sprintf("障害中の件では解決%+.3g件、リトライ%+.0f回、所要時間%+.0f秒の差となり、効果には含めていません。", told...)
	if gain, loss := s.gain(o), -e.Worth(o); loss > gain && !s.asked {
		s.Reason.EN += fmt.Sprintf(" That outweighs the gain: outages included, the change loses (%s lost there, %s gained else). Take it up only if such outages do not come again.", seconds(loss), seconds(gain))
		s.Reason.JA += fmt.Sprintf("これは効果を上回り、障害を含めると損になります（障害中の損失%s、それ以外の得%s）。同様の障害が再び起きない見込みのときだけ反映してください。", secondsJA(loss), secondsJA(gain))
	}
}

// words tell an alternative for a knob.
func (a *Alternative) words(knob string) Text {
	ja := map[Verdict]string{Raise: "引き上げ", Lower: "引き下げ", Keep: "維持", TooLittleData: "データ不足"}[a.Verdict]
	if a.Suggested == nil {
		return Text{EN: string(a.Verdict), JA: ja}
	}
	to := Quantity(knob, a.Suggested)
	if a.Verdict == Keep {
		return Text{EN: "keep " + to.EN, JA: to.JA + "のまま維持"}
	}
	if knob == delaysKnob { // what they would come down from is another value than today's
		return to
	}
	return Text{EN: fmt.Sprintf("%s to %s", a.Verdict, to.EN), JA: to.JA + "に" + ja}
}

// withhold turns the changes that chance could have made, among so many cells
// of one knob, back into keep, and returns how many those are.
func withhold(all []Suggestion) int {
	byKnob := map[string][]int{}
	for i, s := range all {
		if s.P != nil {
			byKnob[s.Knob] = append(byKnob[s.Knob], i)
		}
	}
	withheld := 0
	for _, of := range byKnob {
		p := make([]float64, len(of))
		for i, j := range of {
			p[i] = *all[j].P
		}
		for i, found := range discoveries(p, falseDiscoveries) {
			s := &all[of[i]]
			if found || s.Verdict != Raise && s.Verdict != Lower {
				continue
			}
			s.keep(len(of))
			withheld++
		}
	}
	return withheld
}

// isNone reports whether a value says that nothing is retried.
func (s *Suggestion) isNone(v *int64) bool { return s.Knob == maxRetriesKnob && v != nil && *v == 0 }

// inWords writes a value in a sentence.
func (s *Suggestion) inWords(v *int64) Text {
	if s.isNone(v) {
		return Text{EN: "not retrying", JA: "リトライなし"}
	}
	return Quantity(s.Knob, v)
}

// present names what is in force within a sentence; nobody may have told it.
func (s *Suggestion) present() Text {
	if s.Current == nil {
		return Text{EN: "what is in force", JA: "現在の設定"}
	}
	return s.inWords(s.Current)
}

// capital begins a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// keep withholds a change that was found, and says so. What nobody has set yet
// stays without a value.
func (s *Suggestion) keep(among int) {
	now := Text{EN: "what happens now", JA: "現状"}
	if s.Current != nil {
		now = s.inWords(s.Current)
	}
	better := s.inWords(s.Suggested)
	if !s.isNone(s.Suggested) {
		better = Text{EN: "A limit of " + better.EN, JA: "上限" + better.JA}
	}
	s.Reason = Text{
		EN: fmt.Sprintf("%s looks better than %s, but that may be chance (p = %.2g): among the %d cells looked at, some look better without being so.", capital(better.EN), now.EN, *s.P, among),
		JA: fmt.Sprintf("%sのほうが%sより良く見えますが、偶然かもしれません（p = %.2g）。調べた%d区分の中には、偶然良く見えるものもあるためです。", better.JA, now.JA, *s.P, among),
	}
	if s.Current != nil {
		stays := "The limit of " + now.EN
		if s.isNone(s.Current) {
			stays = "That"
		}
		s.Reason.EN += fmt.Sprintf(" %s stays until there is more data.", stays)
		s.Reason.JA += fmt.Sprintf("データが増えるまで%sのままとします。", now.JA)
	}
	s.tellMixKept()
	s.wanted = s.Suggested
	s.Verdict, s.Suggested, s.Values, s.Withheld, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, true, false, Effect{}, nil
}
