package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strings"
)

// SecretKinds lists the kinds of secrets that Scrub finds.
func SecretKinds() []string {
	var kinds []string
	for i := range secrets {
		if kind := secrets[i].kind; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Scrub replaces the secrets in every text of e and returns how many it found.
// In the names that join events (id, incident, session, agent) a hash stands
// for a secret, so that what was one stays one and what was two stays two.
func (e *Event) Scrub() int { return e.ScrubInto(nil) }

// ScrubInto is Scrub, and adds what it found by kind to counts unless that is nil.
func (e *Event) ScrubInto(counts map[string]int) int {
	found, folder := 0, homeFolder(e.Operation)
	for _, text := range []*string{&e.Message, &e.Detail, &e.Operation, &e.Step, &e.Component, &e.ArgsHash, &e.Code, &e.Status, &e.Resolution, &e.ScoreName, &e.Provider, &e.Model, &e.TraceID, &e.Source} {
		found += scrub(text, counts, false)
	}
	if folder {
		e.Operation = strings.TrimPrefix(e.Operation, "/")
	}
	for _, name := range []*string{&e.ID, &e.Incident, &e.Session, &e.Agent} {
		found += scrub(name, counts, true)
	}
	for key, value := range e.Attrs {
		if hides(key, value) {
			value = "[password]"
			e.Attrs[key], found = value, found+1
			note(counts, "password")
		} else if n := scrub(&value, counts, false); n > 0 {
			e.Attrs[key], found = value, found+n
		}
		plain := key
		if n := scrub(&plain, counts, true); n > 0 {
			delete(e.Attrs, key)
			e.Attrs[plain], found = value, found+n
		}
	}
	return found
}

// homeFolder reports whether an operation is named by a path below a home
// folder: its leading slash is what tells.
func homeFolder(operation string) bool {
	return strings.HasPrefix(operation, "/home/") || strings.HasPrefix(operation, "/Users/")
}

func note(counts map[string]int, kind string) {
	if counts != nil {
		counts[kind]++
	}
}

// Scrub replaces the secrets in bad input, in its place and in the reason,
// which quotes it. Raw that is JSON stays JSON, so that it can be put in again.
func (r *Record) Scrub() { r.ScrubInto(nil) }

// ScrubInto is Scrub, and adds what it found by kind to counts unless that is nil.
func (r *Record) ScrubInto(counts map[string]int) {
	raw, reason := string(r.Raw), r.Err.Error()
	if plain, ok := scrubJSON(r.Raw, counts); ok {
		raw = plain
		scrubShown(&raw, hintsOf(raw), counts, false) // what two strings show together
	} else {
		scrub(&raw, counts, false)
	}
	scrub(&reason, nil, false) // the same ones again
	scrub(&r.Position, counts, false)
	r.Raw, r.Err = []byte(raw), errors.New(reason)
}

// ScrubText returns text with its secrets replaced.
func ScrubText(text string) string {
	scrub(&text, nil, false)
	return text
}

// scrub replaces the secrets in text; with hashed, by what tells them apart. A
// text in another notation becomes what it means if most of them show there.
func scrub(text *string, counts map[string]int, hashed bool) int {
	shown := hintsOf(*text)
	if shown == 0 {
		return 0 // most texts
	}
	if shown&hintDisguise == 0 {
		return scrubShown(text, shown, counts, hashed)
	}
	chosen, most, plain := "", 0, *text
	for layer := 0; ; layer++ {
		scrubbed := plain
		if n := scrubShown(&scrubbed, shown, nil, hashed); n > 0 && n >= most {
			chosen, most = plain, n
		}
		if layer == layers || shown&hintDisguise == 0 {
			break
		}
		plain = meaning(plain)
		shown = hintsOf(plain)
	}
	if most == 0 {
		return 0
	}
	*text = chosen
	return scrubShown(text, hintsOf(chosen), counts, hashed)
}

// scrubShown replaces the secrets of the kinds that text may hold.
func scrubShown(text *string, shown hint, counts map[string]int, hashed bool) int {
	found := 0
	if shown&^hintDisguise == 0 {
		return 0
	}
	for i := range secrets {
		s := &secrets[i]
		if shown&s.hint == 0 {
			continue
		}
		hide := func(secret, plain string) string {
			if isMark(secret, plain) {
				return secret // found before
			}
			found++
			note(counts, s.kind)
			if hashed {
				sum := sha256.Sum256([]byte(secret))
				plain = strings.Replace(plain, "]", "-"+hex.EncodeToString(sum[:8])+"]", 1)
			}
			return plain
		}
		*text = s.pattern.ReplaceAllStringFunc(*text, func(match string) string {
			if s.parts == nil {
				return hide(match, s.pattern.ReplaceAllString(match, s.replace))
			}
			plain, at := "", 0
			for _, part := range s.parts(match) {
				plain += match[at:part[0]] + hide(match[part[0]:part[1]], s.replace)
				at = part[1]
			}
			return plain + match[at:]
		})
	}
	return found
}

// hashMark is the hash in what stands for a secret.
var hashMark = regexp.MustCompile(`-[0-9a-f]{16}\]`)

// isMark reports whether text is what stands for a secret that was found.
func isMark(text, mark string) bool {
	return text == mark || len(text) == len(mark)+17 && hashMark.ReplaceAllString(text, "]") == mark
}
