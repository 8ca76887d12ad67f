package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hansei/classify"
	"hansei/dashboard"
)

// A ruleSet is the classifier in force: the built-in rules and those of a
// user's folder, which is read again when it changes. A broken folder is
// refused whole, and the rules before it stay in force.
type ruleSet struct {
	dir  string // empty: only the built-in rules
	log  *slog.Logger
	seen string // what the folder held at the last look, see [folderState]

	mu         sync.Mutex
	classifier *classify.Classifier
	folder     dashboard.RuleFolder
}

// lookAgain is how often a folder of rules is looked at: soon enough for a
// person who has just saved a file, and little for its few KiB.
const lookAgain = time.Second

// openRules reads the rules; at the start a broken folder is an error.
func openRules(dir string, log *slog.Logger) (*ruleSet, error) {
	r := &ruleSet{dir: dir, log: log, folder: dashboard.RuleFolder{Path: dir, Read: time.Now()}}
	var err error
	if r.seen, err = folderState(dir); err != nil {
		return nil, err
	}
	if r.classifier, err = newClassifier(dir); err != nil {
		return r, err
	}
	r.folder.Failing = r.failing(r.classifier)
	return r, nil
}

// failing returns the examples of the folder that do not hold, and logs them.
// The rules are in force all the same: an example may also fail because a newer
// built-in rule knows better, and a start must not hang on that.
func (r *ruleSet) failing(c *classify.Classifier) []classify.Mismatch {
	list := c.Check(classify.Own(c.Rules()))
	for _, m := range list {
		r.log.Warn("an example of a rule does not hold; see hansei rules test", "rules", r.dir, "file", m.File, "rule", m.Rule, "example", shortLine(m.Example), "reason", m.Reason)
	}
	return list
}

// newClassifier returns a classifier of the built-in rules and those of dir.
func newClassifier(dir string) (*classify.Classifier, error) {
	if dir == "" {
		return classify.New(classify.Builtin())
	}
	rules, err := loadRules(dir)
	if err != nil {
		return nil, err
	}
	return classify.New(rules)
}

// loadRules returns the built-in rules with those of a folder.
func loadRules(dir string) ([]classify.Rule, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("rules: %w; a folder of files <category>.yaml is wanted", err)
	}
	rules, err := classify.Load(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", dir, err)
	}
	return rules, nil
}

// now returns the classifier in force.
func (r *ruleSet) now() *classify.Classifier {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.classifier
}

// state tells of the folder.
func (r *ruleSet) state() dashboard.RuleFolder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folder
}

// watch follows the folder until ctx ends, whether events come or not.
func (r *ruleSet) watch(ctx context.Context) {
	if r.dir == "" {
		return
	}
	ticks := time.NewTicker(lookAgain)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticks.C:
			r.look(now)
		}
	}
}

// look puts changed rules in force, or tells why it refuses them.
func (r *ruleSet) look(now time.Time) {
	seen, err := folderState(r.dir) // first: what changes while the rules are read is read again
	if err != nil {
		seen = err.Error()
	}
	if seen == r.seen {
		return
	}
	r.seen = seen
	var changed *classify.Classifier
	if err == nil {
		changed, err = newClassifier(r.dir)
	}
	var failing []classify.Mismatch
	if err == nil {
		failing = r.failing(changed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		if r.folder.Refused == nil {
			r.folder.Since = now
		}
		r.folder.Refused = err
		r.log.Error("changed rules refused, the rules before stay in force", "err", err)
		return
	}
	r.classifier = changed
	r.folder = dashboard.RuleFolder{Path: r.dir, Read: now, Failing: failing}
	r.log.Info("changed rules in force", "rules", r.dir)
}

// folderState tells what a folder's rules are: their names and a hash of what
// they hold. Sizes and times would not do: an editor may keep both, and those
// of a link say nothing of its file.
func folderState(dir string) (string, error) {
	paths, err := ruleFiles(dir)
	if err != nil {
		return "", err
	}
	var state strings.Builder
	for _, path := range paths {
		hash := sha256.New()
		f, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("rules: %w", err)
		}
		_, err = io.Copy(hash, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("rules: %w", err)
		}
		fmt.Fprintf(&state, "%s %x\n", filepath.Base(path), hash.Sum(nil))
	}
	return state.String(), nil
}

// ruleFiles lists the files of a folder that hold rules, as [classify.Load]
// does: hidden ones are the work of an editor.
func ruleFiles(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("rules: %w; --rules names a folder of files <category>.yaml", err)
	}
	var paths []string
	for _, entry := range entries {
		if matched, _ := filepath.Match("*.[yY]*[mM][lL]", entry.Name()); matched && entry.Name()[0] != '.' {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths, nil
}
