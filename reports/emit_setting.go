package reports

import (
	"fmt"
	"slices"
	"strings"

	"hansei/analyze"
)

// A demand is what the cells that a setting holds for want of it.
type demand struct {
	now, want  int      // the largest in force, and the largest that is needed; -1: unknown
	ids        []string // of the changes
	more, less []string // that want more than the largest in force; that want less than now
	stay, thin []string // cells that need what they have; of which too little is known
}

// demandOf gathers what the cells of a setting want.
func (set *setting) demandOf(of []analyze.Suggestion) demand {
	d := demand{now: -1, want: -1}
	for i := range of {
		s := &of[i]
		if !set.serves(s) {
			continue
		}
		if s.Current != nil {
			d.now = max(d.now, int(*s.Current))
		}
		if s.Suggested == nil {
			d.thin = append(d.thin, cellWords(s))
			continue
		}
		d.want = max(d.want, int(*s.Suggested))
		switch told := fmt.Sprintf("%s %d (%s)", s.ID, int(*s.Suggested)+set.plus, cellWords(s)); {
		case !s.Changes():
			d.stay = append(d.stay, cellWords(s))
			continue
		case s.Verdict == analyze.Lower:
			d.less = append(d.less, told)
		default:
			d.more = append(d.more, told)
		}
		d.ids = append(d.ids, s.ID)
	}
	return d
}

// serves reports whether the setting holds for the cell of s, and is its threshold.
func (set *setting) serves(s *analyze.Suggestion) bool {
	return s.Knob == set.knob && (len(set.categories) == 0 || slices.Contains(set.categories, s.Scope.Category))
}

// cellWords names the cell of a suggestion, but for its agent.
func cellWords(s *analyze.Suggestion) string {
	return strings.Join(strings.Fields(s.Scope.Operation+" "+s.Scope.Category), " × ")
}

// emitSetting writes one setting, when its cells want another value. Where some
// want more than all have now and others less, no one value serves them, and it
// stays.
func (e *Emitter) emitSetting(b *strings.Builder, set *setting, of []analyze.Suggestion, said map[string]bool) {
	d := set.demandOf(of)
	if len(d.ids) == 0 {
		return
	}
	for _, id := range d.ids {
		said[id] = true
	}
	if d.now < 0 {
		d.now = set.usual - set.plus
	}
	value := min(max(d.want+set.plus, set.low), set.high)
	switch {
	case d.now == d.want:
		e.note(b, "unchanged by %s, since another cell of this setting still needs %d: %s", strings.Join(d.ids, ", "), value, fmt.Sprintf(set.line, value))
		return
	case d.want > d.now && len(d.less) > 0:
		e.note(b, "unchanged, since this one setting holds for cells that want more and for cells that want less: %s; %s", some(d.more), some(d.less))
		return
	}
	also := ""
	if d.want > d.now && len(d.stay) > 0 {
		also += "; it allows as many to " + some(d.stay) + ", which need no more than now"
	}
	if len(d.thin) > 0 {
		also += "; it holds too for " + some(d.thin) + ", of which too little is known"
	}
	e.note(b, "%s, published default %d, range %s; from %s; way back: %s%s", set.now(d.now+set.plus), set.usual, set.span(), strings.Join(d.ids, ", "), set.back(d.now+set.plus), also)
	fmt.Fprintf(b, set.line+"\n", value)
}

// mostNamed is how many are named in a line of a comment.
const mostNamed = 3

// some names a few, and how many more there are.
func some(of []string) string {
	if more := len(of) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(of[:mostNamed], ", "), more)
	}
	return strings.Join(of, ", ")
}
