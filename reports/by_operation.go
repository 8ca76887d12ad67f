package reports

import "hansei/queries"

// byOperation says what was tried when it failed, and by whom.
var byOperation = Section{"operations", buildByOperation}

func buildByOperation(r *Report) *Block {
	return r.breakdown(queries.ByOperation, groupTexts{
		name:    text{EN: "Operations", JA: "操作"},
		heading: text{EN: "Operations: what was tried when it failed", JA: "操作別：何をして失敗したか"},
		key:     text{EN: "Operation", JA: "操作"},
		finding: text{EN: "Operations: most incidents in %s, %s", JA: "操作別：最多は%s、%s"},
	})
}
