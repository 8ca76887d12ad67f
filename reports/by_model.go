package reports

import "hansei/queries"

// byModel says which models were called. Incidents that tell none are left out.
var byModel = Section{"models", buildByModel}

func buildByModel(r *Report) *Block {
	return r.breakdown(queries.ByModel, groupTexts{
		name:    text{EN: "Models", JA: "モデル"},
		heading: text{EN: "Models: which models were called", JA: "モデル別：どのモデルの呼び出しか"},
		key:     text{EN: "Model", JA: "モデル"},
		finding: text{EN: "Models: most incidents with %s, %s", JA: "モデル別：最多は%s、%s"},
	})
}
