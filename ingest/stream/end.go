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
// is open has no entry: after a kill nobody knows.
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

// openEnds takes the entry of the stream that is open now out of the file, and
// keeps all of them for the first who asks.
func (c *Client) openEnds(tip ingest.Position) error {
	c.ends.all = readEnds(c.asked.Dir)
	others := slices.DeleteFunc(slices.Clone(c.ends.all), func(p ingest.Position) bool { return p.Created.Equal(tip.Created) })
	if len(others) == len(c.ends.all) {
		return nil
	}
	if err := writeEnds(c.asked.Dir, others); err != nil {
		return fmt.Errorf("how far the stream reached before: %w", err)
	}
	return nil
}

// closeEnds adds the stream that is closed. That it cannot is no error: then
// nobody knows.
func (c *Client) closeEnds(tip ingest.Position) {
	if !tip.Created.IsZero() {
		_ = writeEnds(c.asked.Dir, append(readEnds(c.asked.Dir), tip))
	}
}

// takeEnds returns the ends, once.
func (c *Client) takeEnds() (ends []ingest.Position) {
	c.ends.Lock()
	defer c.ends.Unlock()
	ends, c.ends.all = c.ends.all, nil
	return ends
}
