package analyze

import (
	"testing"
	"time"

	"hansei/queries"
)

// An id that another event has, stored or of the same batch, is told; an event
// that is sent again is not, nor one that an adapter read on two ways.
func TestClash(t *testing.T) {
	s := openStore(t, "")
	of := func(sequence uint64, id, agent, source string, at time.Time) Row {
		r := row(sequence, id)
		r.Event.Agent, r.Event.Source, r.Event.Time = agent, source, at
		return r
	}
	later := noon.Add(time.Hour)
	keep(t, s, upTo(2, of(1, "1", "a", "hansei", noon), of(2, "2", "a", "otel", noon)), queries.Kept{Stored: 2})
	keep(t, s, upTo(4, of(3, "1", "a", "hansei", noon), of(4, "2", "a", "otel", later)), queries.Kept{Deduplicated: 2})
	keep(t, s, upTo(6, of(5, "1", "b", "hansei", noon), of(6, "1", "a", "hansei", later)), queries.Kept{Deduplicated: 2, Clash: queries.Clash{ID: "1", Agent: "b", First: "a", Events: 2}})
	keep(t, s, upTo(9, of(7, "3", "a", "hansei", noon), of(8, "3", "a", "hansei", noon), of(9, "3", "c", "hansei", noon)),
		queries.Kept{Stored: 1, Deduplicated: 2, Clash: queries.Clash{ID: "3", Agent: "c", First: "a", Events: 1}})
}
