package reports

import (
	"cmp"
	"slices"

	"hansei/queries"
)

// mostToDo is how many things to do the first screen names: more are not done.
const mostToDo = 3

// toDo are the things to do, the most pressing first: what no longer reports,
// the tuner's first change, then whatever touched most incidents or retries.
func (r *Report) toDo() []Point {
	points := r.silent()
	if p, ok := r.firstChange(); ok {
		points = append(points, p)
	}
	type task struct {
		weight int64
		Point
	}
	tasks := []task{}
	add := func(weight int64, command string, t text, args ...any) {
		if weight > 0 {
			tasks = append(tasks, task{weight, Point{Text: r.say(t, args...), Command: command}})
		}
	}
	if g, left := r.leastResolved(); left > 0 {
		add(left, "", text{EN: "Look into %s: %s were not resolved, more than of any other code.", JA: "%sの原因を調べる：%sが未解決で、コード別で最多です。"},
			r.name(queries.ByCode, g.Key), r.ratio(left, g.Rated))
	}
	if g := r.mostVain(); g != nil {
		add(g.Retries, "", text{EN: "Stop retrying %s in %s: %s resolved %s incidents.", JA: "%[2]sでの「%[1]s」のリトライを止める：リトライ%[3]sで解決したのは%[4]s。"},
			r.name(queries.ByCategory, g.Category), r.name(queries.ByOperation, g.Operation), r.count(g.Retries, retryNoun), r.helped(g))
	}
	for _, g := range r.Groups[queries.ByCategory] {
		if g.Key == "unknown" {
			add(g.Incidents, "hansei rules suggest", text{EN: "Write rules for what none matches: %s. See groups of them with", JA: "どのルールにも一致しない%sのルールを書く。候補の表示："}, r.count(g.Incidents, incidentNoun))
		}
	}
	add(r.Totals.Human, "", text{EN: "See what needed a human: %s resolved by hand.", JA: "人手で解決した%sの自動化を検討する。"}, r.count(r.Totals.Human, incidentNoun))
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(b.weight, a.weight) })
	for _, t := range tasks {
		points = append(points, t.Point)
	}
	return points[:min(len(points), mostToDo)]
}

// silent names the sources that had enough incidents before to be missed, and
// none now.
func (r *Report) silent() []Point {
	here := map[string]bool{}
	for _, c := range r.Coverage {
		here[c.Source] = true
	}
	var points []Point
	for _, c := range r.Before.Coverage {
		if c.Incidents >= fewIncidents && !here[c.Source] {
			points = append(points, Point{
				Text: r.say(text{
					EN: "Find out why the source %s fell silent: %s in %s, none in %s. See what arrived with",
					JA: "情報源%sが途絶えた原因を調べる：%[3]sは%[2]s、%[4]sは0件。受信状況の確認：",
				}, clean(c.Source), r.count(c.Incidents, incidentNoun), r.Before.period, r.period()),
				Command: "hansei doctor sources",
			})
		}
	}
	return points
}

// firstChange is the first change that the tuner suggests.
func (r *Report) firstChange() (Point, bool) {
	for _, s := range r.Suggestions {
		if isChange(s) {
			if stop := r.stopBelow(s.Knob, s.Values); stop != "" {
				return Point{Text: r.say(text{
					EN: "Let %s iterate no further from low scores, %s: %s.",
					JA: "%[1]sの反復を低い点数では打ち切る（%[2]s）：%[3]s。",
				}, r.scope(s.Scope), stop, r.promise(s.Effect))}, true
			}
			before, to := r.fromTo(s.Knob, s.Current, s.Suggested)
			if s.Current == nil { // nobody has told it
				return Point{Text: r.say(text{
					EN: "Set %s of %s to %s: %s.",
					JA: "%[2]sの%[1]sを%[3]sに設定する：%[4]s。",
				}, clean(s.Knob), r.scope(s.Scope), to, r.promise(s.Effect))}, true
			}
			return Point{Text: r.say(text{
				EN: "Change %s of %s from %s to %s: %s.",
				JA: "%[2]sの%[1]sを%[3]sから%[4]sに変更する：%[5]s。",
			}, clean(s.Knob), r.scope(s.Scope), before, to, r.promise(s.Effect))}, true
		}
	}
	return Point{}, false
}

// leastResolved is the code with most incidents that were not resolved, the
// more frequent of equals.
func (r *Report) leastResolved() (out queries.Group, left int64) {
	for _, g := range r.Groups[queries.ByCode] {
		if n := g.Rated - g.Resolved; n > left && g.Key != "" {
			out, left = g, n
		}
	}
	return out, left
}
