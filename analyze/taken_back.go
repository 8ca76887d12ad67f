package analyze

import (
	"fmt"
	"slices"
	"time"

	"hansei/queries"
)

// A TakenBack tells that a change that was applied is not in force any more.
type TakenBack struct {
	Who    string    `json:"who"`
	Reason string    `json:"reason"`
	Made   time.Time `json:"made"`
}

// Rollback stands in the place of a suggestion's id in what hansei tune rollback
// changes.
const Rollback = "rollback"

// noteTakenBack notes of decisions whether what was applied was taken out again,
// by changes of policies that come by time. Where it was put in force once more, or
// another suggestion took its place, it was not.
func noteTakenBack(decisions []decided, changes []queries.PolicyChange) {
	for i := range decisions {
		d := &decisions[i]
		applied := ""
		for _, c := range changes {
			scope := Scope{Agent: c.Agent, Operation: c.Operation, Category: c.Category}
			if c.Knob != d.suggestion.Knob || scope != d.suggestion.Scope {
				continue
			}
			switch {
			case c.Suggestion == d.ID:
				applied, d.back = c.Setting, nil
			case applied == "":
			case c.Suggestion == Rollback && c.Setting != applied && c.Previous == applied && c.Since.After(d.Made):
				d.back = &TakenBack{c.Who, c.Reason, c.Since}
			default:
				d.back = nil
			}
		}
	}
}

// heedTakenBack treats a change that was taken back as one that was dismissed.
func (s *Suggestion) heedTakenBack(d *decided, is *Deciding) {
	by, on := d.back.Who, d.back.Made.UTC().Format(time.DateOnly)
	if s.differs(&d.suggestion) {
		s.Reason.EN += fmt.Sprintf(" It was %s before, and %s took it back on %s (%s); what the retries achieve has changed since.", is.Decision, by, on, d.back.Reason)
		s.Reason.JA += fmt.Sprintf("以前適用されましたが、%sに%sが元に戻しました（%s）。その後リトライの成果が変わりました。", on, by, d.back.Reason)
		return
	}
	is.Decision, is.Who, is.Reason, is.Made = RolledBack, by, d.back.Reason, d.back.Made
	s.Decided = is
	from, to := Quantity(s.Knob, s.Current), Quantity(s.Knob, s.Suggested)
	s.Reason = Text{
		EN: fmt.Sprintf("%s instead of %s was applied by %s on %s, and taken back by %s on %s: %s. It is suggested again once its evidence has changed.", to.EN, from.EN, d.Who, d.Made.UTC().Format(time.DateOnly), by, on, is.Reason),
		JA: fmt.Sprintf("%sから%sへの変更は%sに%sが適用しましたが、%sに%sが元に戻しました：%s。根拠が変われば再び提案します。", from.JA, to.JA, d.Made.UTC().Format(time.DateOnly), d.Who, on, by, is.Reason),
	}
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}

// under are the incidents that opened while a decision may have been in force.
func (o *Outcome) under(opened time.Time) bool {
	return !opened.Before(o.Made) && (o.Back == nil || opened.Before(o.Back.Made))
}

// trafficUnder are the hours in which it may have been in force.
func (o *Outcome) trafficUnder(hours []TrafficHour) []TrafficHour {
	return slices.DeleteFunc(slices.Clone(hours), func(h TrafficHour) bool { return !o.under(h.At) })
}
