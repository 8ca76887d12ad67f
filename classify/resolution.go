package classify

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A Resolution says how an incident ended. The list is closed, see
// [Resolutions]; the empty Resolution means that nothing was said.
type Resolution string

// The resolutions.
const (
	Retried    Resolution = "retried"
	Fallback   Resolution = "fallback"
	Degraded   Resolution = "degraded"
	Compressed Resolution = "compressed"
	Human      Resolution = "human"
	Skipped    Resolution = "skipped"
	Partial    Resolution = "partial"
	Abandoned  Resolution = "abandoned"
	Stopped    Resolution = "stopped"
	Terminated Resolution = "terminated"
	Open       Resolution = "open"
)

// A ResolutionRow is an entry of [Resolutions].
type ResolutionRow struct {
	Name      Resolution
	Resolved  bool // whether the incident counts as resolved
	Meaning   string
	MeaningJA string
}

// Resolutions is the closed list of resolutions, in the order of reports.
var Resolutions = []ResolutionRow{
	{Retried, true, "a retry passed, same or changed query", "再試行で成功（同じ問い、または変えた問い）"},
	{Fallback, true, "a fallback path, file, model or provider served", "代替の経路・ファイル・モデル・提供元で成功"},
	{Degraded, true, "went on with partial data, with a warning", "一部のデータで警告付きで続行"},
	{Compressed, true, "history was compressed, then the retry passed", "履歴を圧縮して再試行に成功"},
	{Human, true, "a human decided or repaired", "人が判断または修復"},
	{Skipped, false, "the step was skipped", "その手順を飛ばした"},
	{Partial, false, "ended with a part of the result saved", "結果の一部を保存して終了"},
	{Abandoned, false, "retries ran out, or the agent gave up", "再試行が尽きた、または断念"},
	{Stopped, false, "a stop signal ended the retries", "停止の合図で再試行を終了"},
	{Terminated, false, "the process ended", "プロセスが終了"},
	{Open, false, "no outcome seen yet", "結果がまだ分からない"},
}

// A resolutionEntry is an entry of rules/resolution.yaml.
type resolutionEntry struct {
	Resolution      Resolution `yaml:"resolution"`
	Phrases         []string   `yaml:"phrases"`
	With            []string   `yaml:"with"`
	Unless          []string   `yaml:"unless"`
	Examples        []string   `yaml:"examples"`
	Counterexamples []string   `yaml:"counterexamples"`
}

// resolutionTable reads the phrase table once, in the order in which its
// entries are tried. As with the rules, an error is a mistake in the program.
var resolutionTable = sync.OnceValue(func() []resolutionEntry {
	text, err := fs.ReadFile(rulesFS, "rules/"+resolutionFile)
	if err != nil {
		panic(err)
	}
	var table []resolutionEntry
	if err := yaml.Unmarshal(text, &table); err != nil {
		panic(fmt.Errorf("%s: %v", resolutionFile, err))
	}
	return table
})

// ResolutionOf returns the resolution that text speaks of: the tag itself, or
// free text in English, Japanese or Chinese. It reports false for a text that
// says nothing about how the incident ended, such as a question; it never guesses.
func ResolutionOf(text string) (Resolution, bool) {
	tag := Resolution(strings.ToLower(strings.TrimSpace(text)))
	if tag == "" {
		return "", false
	}
	for i := range Resolutions {
		if Resolutions[i].Name == tag {
			return tag, true
		}
	}
	plain := string(fold(nil, text))
	plain = strings.TrimSpace(strings.ToLower(strings.ReplaceAll(plain, "\n", " ")))
	switch {
	case plain == "true": // a flag in the place of a text, as the attribute "resolved" is
		return Retried, true
	case plain == "false":
		return Open, true
	case asks(plain):
		return "", false
	}
	for _, e := range resolutionTable() {
		if holds(plain, e.Phrases) && (len(e.With) == 0 || holds(plain, e.With)) && !holds(plain, e.Unless) {
			return e.Resolution, true
		}
	}
	return "", false
}

// questions are the ends of texts that ask whether it is over, and do not say so.
var questions = []string{"?", "ましたか", "したか", "ですか", "ますか", "吗"}

// asks says whether text is a question.
func asks(text string) bool {
	text = strings.TrimRight(text, " .!。")
	return slices.ContainsFunc(questions, func(end string) bool { return strings.HasSuffix(text, end) })
}

// holds says whether one of phrases stands in text. A phrase of ASCII letters
// stands only as whole words; '*' at an end opens that border.
func holds(text string, phrases []string) bool {
	for _, p := range phrases {
		p, openL := strings.CutPrefix(p, "*")
		p, openR := strings.CutSuffix(p, "*")
		for from := 0; ; {
			at := strings.Index(text[from:], p)
			if at < 0 {
				break
			}
			at += from
			end := at + len(p)
			if (openL || at == 0 || !word[p[0]] || !word[text[at-1]]) &&
				(openR || end == len(text) || !word[p[len(p)-1]] || !word[text[end]]) {
				return true
			}
			from = at + 1
		}
	}
	return false
}
