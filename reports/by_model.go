package reports

import "hansei/queries"

// byModel says which models were called. Incidents that tell none are left out.
var byModel = Section{"models", buildByModel}

func buildByModel(r *Report) *Block {
	return r.breakdown(queries.ByModel, groupTexts{
		name:    text{EN: "Models", JA: "モデル"},
		heading: text{EN: "Models: which models were called", JA: "モデル別：どのモデルの呼び出しか"},
		key:     text{EN: "Model", JA: "モデル"},
		lead:    text{EN: "Most incidents: %s, %s.", JA: "最も多いのは%s：%s。"},
	})
}
