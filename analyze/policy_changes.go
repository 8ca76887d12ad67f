package analyze

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hansei/queries"
)

// PoliciesOf returns policies that come from no file, of which each cell has one.
// They can be compared and asked, not written.
func PoliciesOf(entries []Policy) *Policies { return &Policies{entries: entries} }

// Entries returns the policies of the file, one for each cell that it names, in
// its order. Of two entries of one cell the later one's thresholds win.
func (p *Policies) Entries() []Policy {
	at := map[Scope]int{}
	var out []Policy
	for _, e := range p.entries {
		i, ok := at[e.cell()]
		if !ok {
			at[e.cell()] = len(out)
			out = append(out, e)
			continue
		}
		out[i].set(e)
	}
	return out
}

func (e Policy) cell() Scope {
	return Scope{Agent: e.Agent, Operation: e.Operation, Category: e.Category}
}

// settings are the thresholds that the entry sets, as a policy file writes them.
func (e Policy) settings() map[string]string {
	out := map[string]string{}
	for knob, v := range map[string]*int{"max_retries": e.MaxRetries, "stop_after": e.StopAfter, "call_depth": e.CallDepth, "retry_budget": e.RetryBudget} {
		if v != nil {
			out[knob] = strconv.Itoa(*v)
		}
	}
	for knob, v := range map[string]*float64{"score_bar": e.ScoreBar, "timeout": e.Timeout} {
		if v != nil {
			out[knob] = plainNumber(*v)
		}
	}
	if e.Delays != nil {
		var waits []string
		for _, v := range e.Delays {
			waits = append(waits, plainNumber(v))
		}
		out["delays"] = "[" + strings.Join(waits, ", ") + "]"
	}
	return out
}

// Beyond reports whether what the policies set for the cell of s is not what s
// starts from, and what that is: taking up a lower limit would raise one that is
// lower still, and a higher one would undo a limit that the record does not show.
func (p *Policies) Beyond(s *Suggestion) (setting string, beyond bool) {
	setting, set := p.Of(s.Scope).settings()[s.Knob]
	v, err := strconv.ParseFloat(setting, 64)
	if !set || err != nil || s.Suggested == nil { // waits have no order
		return "", false
	}
	to := float64(*s.Suggested)
	return setting, s.Verdict == Lower && v < to || s.Verdict == Raise && (v > to || s.Current != nil && v < float64(*s.Current))
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// ChangesBetween returns what differs between two policy files, by cell and
// threshold: Setting "" is a threshold that is no longer set. Who, why and when
// are the caller's to fill in.
func ChangesBetween(before, after *Policies) []queries.PolicyChange {
	type place struct {
		cell Scope
		knob string
	}
	was, is := map[place]string{}, map[place]string{}
	for _, side := range []struct {
		of   *Policies
		into map[place]string
	}{{before, was}, {after, is}} {
		for _, e := range side.of.Entries() {
			for knob, setting := range e.settings() {
				side.into[place{e.cell(), knob}] = setting
			}
		}
	}
	var out []queries.PolicyChange
	add := func(at place) {
		if was[at] != is[at] {
			value, _ := strconv.ParseFloat(is[at], 64) // of a list and of what is gone: 0
			out = append(out, queries.PolicyChange{Agent: at.cell.Agent, Operation: at.cell.Operation, Category: at.cell.Category,
				Knob: at.knob, Value: value, Setting: is[at], Previous: was[at]})
		}
	}
	for at := range is {
		add(at)
	}
	for at := range was {
		if _, still := is[at]; !still {
			add(at)
		}
	}
	slices.SortFunc(out, func(a, b queries.PolicyChange) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Knob, b.Knob))
	})
	return out
}
