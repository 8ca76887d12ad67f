package analyze

import (
	"fmt"
	"slices"

	"hansei/ingest"
)

// Halve splits b between two messages, so that the halves can be kept one
// after the other; false when it holds one message only.
func (b Batch) Halve() (first, second Batch, ok bool) {
	var sequences []uint64
	for _, f := range b.frames() {
		for i := f.from; i < f.to; i++ {
			sequences = append(sequences, f.columns[sequenceColumn].wordAt(i))
		}
	}
	for i := range b.Bad {
		sequences = append(sequences, b.Bad[i].Sequence)
	}
	slices.Sort(sequences)
	sequences = slices.Compact(sequences)
	if len(sequences) < 2 {
		return b, b, false
	}
	last := sequences[len(sequences)/2-1] // of the first half
	first, second = b, b
	first.Position.Sequence, second.behind = last, last
	bad := badBehind(b.Bad, last)
	first.Bad, second.Bad = b.Bad[:bad:bad], b.Bad[bad:]
	second.Missing = 0
	return first, second, true
}

// Refused turns the events of b, which hold one message, into bad input: the
// store takes them under no circumstances, for the cause given.
func (b Batch) Refused(cause error) Batch {
	replaces := map[uint64]string{}
	for _, p := range b.Parts {
		for _, r := range p.replaces {
			replaces[r.sequence] = r.id
		}
	}
	for r := range b.Rows() {
		event := r.AppendEvent(nil)
		if resolution := r.Resolution(); resolution != "" {
			event = ingest.AppendQuote(append(event[:len(event)-1], `,"resolution":`...), resolution)
			event = append(event, '}')
		}
		b.Bad = append(b.Bad, Bad{
			Sequence: r.sequence(), Replaces: replaces[r.sequence()], Arrived: r.Time(), Source: r.Text("source"),
			Record: ingest.Record{Err: fmt.Errorf("the store refused it: %v", cause), Raw: event},
		})
	}
	b.Parts = nil
	return b
}
