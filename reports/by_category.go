package reports

import "hansei/queries"

// byCategory says which categories are resolved and which are not.
var byCategory = Section{"categories", buildByCategory}

func buildByCategory(r *Report) *Block {
	b := r.breakdown(queries.ByCategory, groupTexts{
		name:    text{EN: "Categories", JA: "カテゴリ"},
		heading: text{EN: "Categories: which are resolved, and which are not", JA: "カテゴリ別：解決できるもの、できないもの"},
		key:     text{EN: "Category", JA: "カテゴリ"},
		finding: text{EN: "Categories: %s most often, %s", JA: "カテゴリ別：最多は%s、%s"},
	})
	if b == nil {
		return nil
	}
	b.Chart = categoryChart(r)
	if low, high, ok := extremes(r.Groups[queries.ByCategory]); ok {
		b.Heading = r.say(text{EN: "Categories: from %s resolved (%s) to %s (%s)", JA: "カテゴリ別：解決率は%s（%s）から%s（%s）まで"},
			percent(low.Resolved, low.Rated), r.name(queries.ByCategory, low.Key), percent(high.Resolved, high.Rated), r.name(queries.ByCategory, high.Key))
		b.Lead = append([]string{r.say(text{
			EN: "Of categories with %d incidents or more, %s is resolved least often, %s, and %s most often, %s.",
			JA: "%d件以上のカテゴリのうち、解決率が最も低いのは%sの%s、最も高いのは%sの%sです。",
		}, fewIncidents, r.name(queries.ByCategory, low.Key), r.rate(low.Resolved, low.Rated),
			r.name(queries.ByCategory, high.Key), r.rate(high.Resolved, high.Rated))}, b.Lead...)
	}
	return b
}

// extremes are the groups with the lowest and the highest resolution rate of
// those with enough incidents to speak of a rate, the more frequent of equals.
// Their rates must differ.
func extremes(groups []queries.Group) (low, high queries.Group, ok bool) {
	for _, g := range groups {
		if rated(g) < fewIncidents {
			continue
		}
		if !ok || g.Resolved*low.Rated < low.Resolved*g.Rated {
			low = g
		}
		if !ok || g.Resolved*high.Rated > high.Resolved*g.Rated {
			high = g
		}
		ok = true
	}
	return low, high, ok && low.Resolved*high.Rated < high.Resolved*low.Rated
}

// categoryChart shows the resolution rate of each category that has one. A
// rate of few incidents is drawn in grey.
func categoryChart(r *Report) *Chart {
	c := &Chart{
		ID:         "chart-categories",
		Caption:    r.say(text{EN: "Resolution rate by category; in brackets resolved / incidents", JA: "カテゴリ別の解決率（括弧内は解決数／件数）"}),
		Alt:        r.say(text{EN: "Horizontal bars: the resolution rate of each category. The table has every number.", JA: "横棒グラフ：カテゴリ別の解決率。数値はすべて表にあります。"}),
		Horizontal: true,
		Percent:    true,
	}
	many := Series{Name: r.say(text{EN: "n ≥ %d", JA: "%d件以上"}, fewIncidents), Colour: blue}
	few := Series{Name: r.say(text{EN: "n < %d", JA: "%d件未満"}, fewIncidents), Colour: grey}
	for _, g := range r.Groups[queries.ByCategory] {
		if !g.ResolutionRate.Valid {
			continue
		}
		name := r.name(queries.ByCategory, g.Key)
		rate := float64((200*g.Resolved + rated(g)) / (2 * rated(g)))
		c.Labels = append(c.Labels, axisLabel(name))
		c.Ends = append(c.Ends, percent(g.Resolved, rated(g))+" ("+group(g.Resolved)+"/"+group(rated(g))+")")
		c.Tips = append(c.Tips, r.groupTip(name, g))
		if rated(g) < fewIncidents {
			many.Values, few.Values = append(many.Values, 0), append(few.Values, rate)
		} else {
			many.Values, few.Values = append(many.Values, rate), append(few.Values, 0)
		}
	}
	if len(c.Labels) == 0 {
		return nil
	}
	c.Series = occurring(many, few)
	return c
}
