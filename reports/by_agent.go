package reports

import "hansei/queries"

// byAgent says whose agents report the incidents.
var byAgent = Section{"agents", buildByAgent}

func buildByAgent(r *Report) *Block {
	return r.breakdown(queries.ByAgent, groupTexts{
		name:    text{EN: "Agents", JA: "エージェント"},
		heading: text{EN: "Agents: where the incidents come from", JA: "エージェント別：どこで起きたか"},
		key:     text{EN: "Agent", JA: "エージェント"},
		finding: text{EN: "Agents: most incidents came from %s, %s", JA: "エージェント別：最多は%s、%s"},
	})
}
