package reports

import (
	"encoding/json"
	"io"
	"strconv"

	"hansei/analyze"
	"hansei/queries"
)

// ParseTuningFormat reads the name of a format for [RenderTuning].
func ParseTuningFormat(name string) (Format, error) {
	return parse("format", name, []Format{Markdown, JSON})
}

// RenderTuning writes the tuner's suggestions, as Markdown in lang or as JSON.
// The Markdown is the report's own section, which names the cells that it cut.
func RenderTuning(w io.Writer, t *analyze.Tuning, format Format, lang Lang) error {
	if format == JSON {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(t)
	}
	span := queries.Span{From: t.From, To: t.To, Location: t.From.Location()}
	r := &Report{Options: Options{Span: span, Lang: lang, Suggestions: t.Suggestions}}
	b := suggestions.Build(r)
	b.Heading = r.say(text{EN: "Retry thresholds, from what happened %s", JA: "記録から見たリトライのしきい値　%s"}, r.period())
	b.Notes = append(b.Notes, r.say(text{
		EN: "A resolution is taken to be worth %s s (--worth), a thousand tokens %s s.",
		JA: "解決の価値は%s秒（--worth）、トークン1000個は%s秒として計算。",
	}, plain(t.Worth), plain(1000*t.TokenPrice)))
	var m mdWriter
	m.block(r, b)
	_, err := io.WriteString(w, m.String())
	return err
}

func plain(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
