package stream

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A damage is what was wrong with the files of [Events] when they were opened.
type damage struct {
	Lost  uint64 // bytes that the server could not read
	Held  uint64 // the last message that stood in the files; 0: nobody knows
	Aside string // folder that has what was taken out; empty: none
}

// damageFile tells of damage until the store has noticed what was lost by it: once
// the server has cut the files they look sound, and a kill would leave nobody who knows.
const damageFile = "stream.damage"

func readDamage(dir string) (d damage) {
	text, err := os.ReadFile(filepath.Join(dir, damageFile))
	if err != nil || json.Unmarshal(text, &d) != nil {
		return damage{}
	}
	return d
}

// keep writes it down, with what was found before and not told. That it cannot, as
// on a full disk, is no error: then it is known for as long as this process lives.
func (d *damage) keep(dir string) {
	before := readDamage(dir)
	d.Lost, d.Held, d.Aside = max(d.Lost, before.Lost), max(d.Held, before.Held), cmp.Or(d.Aside, before.Aside)
	if text, err := json.Marshal(d); err == nil {
		_ = replaceFile(filepath.Join(dir, damageFile), text)
	}
}

func forgetDamage(dir string) error {
	if err := os.Remove(filepath.Join(dir, damageFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
