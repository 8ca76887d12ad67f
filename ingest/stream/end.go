package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"hansei/ingest"
)

// endsFile tells which streams the embedded server had, the latest last, and how
// far they reached when they were closed. It lies beside the stream's folder, so
// that who deletes or puts back that folder does not make anybody guess what was lost.
const endsFile = "stream.ends"

// mostEnds is how many streams it knows: each was deleted by a person.
const mostEnds = 16

// An end is an entry of that file.
type end struct {
	ingest.Position
	Open bool `json:",omitempty"` // after a kill nobody knows how far it reached
}

func readEnds(dir string) (ends []end) {
	text, err := os.ReadFile(filepath.Join(dir, endsFile))
	if err != nil || json.Unmarshal(text, &ends) != nil {
		return nil // nobody knows
	}
	return ends
}

// setEnd puts an entry in the place of that of the same stream.
func setEnd(dir string, e end) error {
	ends := slices.DeleteFunc(readEnds(dir), func(other end) bool { return other.Created.Equal(e.Created) })
	ends = append(ends, e)
	text, err := json.Marshal(ends[max(len(ends)-mostEnds, 0):])
	if err == nil {
		err = replaceFile(filepath.Join(dir, endsFile), text)
	}
	if err != nil {
		return fmt.Errorf("keep how far the stream reached: %w", err)
	}
	return nil
}

// replaceFile writes a file whole, or leaves it as it was.
func replaceFile(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// had tells of the streams that the embedded server had.
func had(dir string) (ours []time.Time, ended []ingest.Position) {
	ours = []time.Time{}
	for _, e := range readEnds(dir) {
		ours = append(ours, e.Created)
		if !e.Open {
			ended = append(ended, e.Position)
		}
	}
	return ours, ended
}

// Told forgets what the first who asked for the state was told, once that is kept:
// how far the stream that is open now reached before, and what was damaged of it.
// Until then it stands in files, for whoever comes after a kill.
func (c *Client) Told(of ingest.Position) error {
	if c.server == nil {
		return nil
	}
	return errors.Join(setEnd(c.asked.Dir, end{of, true}), forgetDamage(c.asked.Dir))
}

// closeEnds notes how far the stream that is closed reaches, unless it reached
// farther before and nobody was told. That it cannot is no error: then nobody knows.
func (c *Client) closeEnds(tip ingest.Position) {
	_, ended := had(c.asked.Dir)
	untold := slices.ContainsFunc(ended, func(p ingest.Position) bool {
		return p.Created.Equal(tip.Created) && p.Sequence >= tip.Sequence
	})
	if !untold && !tip.Created.IsZero() {
		_ = setEnd(c.asked.Dir, end{tip, false})
	}
}
