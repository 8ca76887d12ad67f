package reports

import "hansei/queries"

// byTaxonomy says what kind of trouble it was.
var byTaxonomy = Section{"taxonomies", buildByTaxonomy}

func buildByTaxonomy(r *Report) *Block {
	b := r.breakdown(queries.ByTaxonomy, groupTexts{
		name:    text{EN: "Taxonomies", JA: "分類"},
		heading: text{EN: "Taxonomies: what kind of trouble it was", JA: "分類別：どの種類の問題か"},
		key:     text{EN: "Taxonomy", JA: "分類"},
		finding: text{EN: "Taxonomies: most were %s, %s", JA: "分類別：最多は%s、%s"},
	})
	if b == nil {
		return nil
	}
	for _, g := range r.Groups[queries.ByTaxonomy] {
		if meaning := r.say(taxonomyOf(g.Key).meaning); meaning != "" {
			b.Notes = append(b.Notes, r.say(text{EN: "%s: %s.", JA: "%s：%s。"}, r.name(queries.ByTaxonomy, g.Key), meaning))
		}
	}
	return b
}
