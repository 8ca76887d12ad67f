package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hansei/classify"
)

// A ruleSet is the classifier in force: the built-in rules and those of a
// user's folder, which is read again when it changes. A broken folder is
// refused whole, and the rules before it stay in force.
type ruleSet struct {
	dir string // empty: only the built-in rules
	log *slog.Logger

	mu         sync.Mutex
	classifier *classify.Classifier
	state      string    // what the folder looked like when it was read
	looked     time.Time // when that was
}

// lookAgain is how often a folder of rules is looked at: soon enough for a
// person who has just saved a file, and nothing for the disk.
const lookAgain = 2 * time.Second

// openRules reads the rules; at the start a broken folder is an error.
func openRules(dir string, log *slog.Logger) (*ruleSet, error) {
	r := &ruleSet{dir: dir, log: log, looked: time.Now()}
	var err error
	if r.state, err = folderState(dir); err != nil {
		return nil, err
	}
	r.classifier, err = newClassifier(dir)
	return r, err
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

// now returns the classifier in force, after looking for changed files.
func (r *ruleSet) now() *classify.Classifier {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dir == "" || time.Since(r.looked) < lookAgain {
		return r.classifier
	}
	r.looked = time.Now()
	state, err := folderState(r.dir)
	if err == nil && state == r.state {
		return r.classifier
	}
	r.state = state
	var changed *classify.Classifier
	if err == nil {
		changed, err = newClassifier(r.dir)
	}
	if err != nil {
		r.log.Error("changed rules refused, the rules before stay in force", "err", err)
		return r.classifier
	}
	r.log.Info("changed rules in force", "rules", r.dir)
	r.classifier = changed
	return changed
}

// folderState tells whether a folder's files changed, by name, size and time.
func folderState(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("rules: %w; --rules names a folder of files <category>.yaml", err)
	}
	var b strings.Builder
	for _, entry := range entries {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed at this moment
		}
		if err != nil {
			return "", fmt.Errorf("rules: %w", err)
		}
		fmt.Fprintf(&b, "%s %d %d\n", filepath.Base(entry.Name()), info.Size(), info.ModTime().UnixNano())
	}
	return b.String(), nil
}
