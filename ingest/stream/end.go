package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"hansei/ingest"
)

// endsFile tells how far the streams of the embedded server reached when they were
// closed, the latest last. It lies beside the stream's folder, so that who deletes
// or puts back that folder does not make anybody guess what was lost. A stream that
// is open has no entry, once that was told: after a kill nobody knows.
const endsFile = "stream.ends"

// mostEnds is how many streams it knows: each was deleted by a person.
const mostEnds = 16

func readEnds(dir string) (ends []ingest.Position) {
	text, err := os.ReadFile(filepath.Join(dir, endsFile))
	if err != nil || json.Unmarshal(text, &ends) != nil {
		return nil // nobody knows
	}
	return ends
}

func writeEnds(dir string, ends []ingest.Position) error {
	path := filepath.Join(dir, endsFile)
	if len(ends) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.Marshal(ends[max(len(ends)-mostEnds, 0):])
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// Told forgets what the first who asked for the state was told, once that is kept:
// how far the stream that is open now reached before, and what was damaged of it.
// Until then it stands in files, for whoever comes after a kill.
func (c *Client) Told(of ingest.Position) error {
	if c.server == nil {
		return nil
	}
	all := readEnds(c.asked.Dir)
	others := slices.DeleteFunc(slices.Clone(all), func(p ingest.Position) bool { return p.Created.Equal(of.Created) })
	if len(others) < len(all) {
		if err := writeEnds(c.asked.Dir, others); err != nil {
			return fmt.Errorf("how far the stream reached before: %w", err)
		}
	}
	return forgetDamage(c.asked.Dir)
}

// closeEnds adds the stream that is closed, unless it reached farther before and
// nobody was told. That it cannot is no error: then nobody knows.
func (c *Client) closeEnds(tip ingest.Position) {
	if tip.Created.IsZero() {
		return
	}
	ends := readEnds(c.asked.Dir)
	i := slices.IndexFunc(ends, func(p ingest.Position) bool { return p.Created.Equal(tip.Created) })
	if i < 0 {
		_ = writeEnds(c.asked.Dir, append(ends, tip))
	} else if ends[i].Sequence < tip.Sequence {
		ends[i] = tip
		_ = writeEnds(c.asked.Dir, ends)
	}
}
