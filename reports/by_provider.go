package reports

import "hansei/queries"

// byProvider says whose services were called. Incidents that tell none are left out.
var byProvider = Section{"providers", buildByProvider}

func buildByProvider(r *Report) *Block {
	return r.breakdown(queries.ByProvider, groupTexts{
		name:    text{EN: "Providers", JA: "プロバイダー"},
		heading: text{EN: "Providers: whose services were called", JA: "プロバイダー別：どのサービスの呼び出しか"},
		key:     text{EN: "Provider", JA: "プロバイダー"},
		finding: text{EN: "Providers: most incidents with %s, %s", JA: "プロバイダー別：最多は%s、%s"},
	})
}
