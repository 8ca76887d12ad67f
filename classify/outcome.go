package classify

import "hansei/ingest"

// outcome is how e says that its incident ended: what its resolution text
// speaks of, unless its attribute "resolved" says the contrary. Error logs
// carry such a flag beside free text; the flag is what somebody set on purpose.
func outcome(e *ingest.Event) Resolution {
	tag, _ := ResolutionOf(e.Resolution)
	switch e.Attrs["resolved"] {
	case "true":
		if !tag.Row().Resolved {
			return Retried // a log of retried operations that does not say how
		}
	case "false":
		if tag.Row().Resolved {
			return Open
		}
	}
	return tag
}

// Row returns the entry of [Resolutions] for r; a name that is not in the list
// gets the row of [Open].
func (r Resolution) Row() ResolutionRow {
	for i := range Resolutions {
		if Resolutions[i].Name == r {
			return Resolutions[i]
		}
	}
	return Resolutions[len(Resolutions)-1]
}
