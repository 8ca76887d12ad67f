package reports

import (
	"hansei/analyze"
	"hansei/queries"
)

// Colours of Okabe and Ito, "Color Universal Design" (2008): told apart with
// every common kind of colour blindness. Sky blue and orange are darker than
// theirs (#56B4E9, #E69F00), for a contrast of 3 with white too. The grey is
// ours, for what is not known or does not count.
const (
	blue      = "#0072B2"
	skyBlue   = "#3C97CF"
	orange    = "#C97F00"
	vermilion = "#D55E00"
	grey      = "#8A8F98"
)

// A taxonomyLabel is how a taxonomy is shown.
type taxonomyLabel struct {
	key     string
	ja      string
	colour  string
	meaning text
}

// taxonomies are in the order of the legend: what to repair first stands last.
var taxonomies = []taxonomyLabel{
	{"execution", "実行エラー", blue, text{
		EN: "the action itself was wrong; the same call fails again",
		JA: "操作そのものの誤り。同じ呼び出しは再び失敗する"}},
	{"transient", "一時的エラー", skyBlue, text{
		EN: "the environment was briefly unable; a retry may pass",
		JA: "環境の一時的な不調。リトライで成功しうる"}},
	{"fatal", "致命的エラー", vermilion, text{
		EN: "the process or its safety limit gave way",
		JA: "プロセスの停止または安全上限への到達"}},
	{"unknown", "不明", grey, text{
		EN: "no rule matched",
		JA: "どのルールにも一致しない"}},
}

// taxonomyOf returns how key is shown. An unknown key stands for itself.
func taxonomyOf(key string) taxonomyLabel {
	for _, t := range taxonomies {
		if t.key == key {
			return t
		}
	}
	return taxonomyLabel{key: key, colour: orange}
}

// categoriesJA are the categories' names in Japanese; in English the tag is
// the name.
var categoriesJA = map[string]string{
	"rate_limit":         "レート制限",
	"network":            "ネットワーク",
	"server_error":       "サーバーエラー",
	"timeout":            "タイムアウト",
	"auth":               "認証",
	"quota":              "利用枠の超過",
	"permission":         "権限",
	"missing_file":       "ファイルなし",
	"file_io":            "ファイル入出力",
	"missing_dependency": "依存関係の不足",
	"font":               "フォント",
	"plot":               "描画",
	"validation":         "入力検証",
	"malformed_output":   "出力形式の崩れ",
	"context_length":     "文脈長の超過",
	"content_filter":     "コンテンツフィルター",
	"quality_gate":       "品質ゲート",
	"code_error":         "コードエラー",
	"resource":           "リソース不足",
	"crash":              "クラッシュ",
	"loop_limit":         "ループ上限",
	"cancelled":          "キャンセル",
	"unknown":            "不明",
}

var verdictsJA = map[analyze.Verdict]string{
	analyze.Raise:         "引き上げ",
	analyze.Lower:         "引き下げ",
	analyze.Keep:          "維持",
	analyze.TooLittleData: "データ不足",
}

// name is what a key of a dimension is called in charts and sentences.
func (r *Report) name(d queries.Dimension, key string) string {
	if key == "" {
		return r.say(text{EN: "(none)", JA: "（なし）"})
	}
	if r.Lang == JA {
		if ja := jaName(d, key); ja != "" {
			return ja
		}
	}
	return clean(key)
}

// label is what a key of a dimension is called in tables, where a tag stands
// beside its Japanese name, because rules and queries know it by the tag.
func (r *Report) label(d queries.Dimension, key string) string {
	if name := r.name(d, key); r.Lang == JA && jaName(d, key) != "" {
		return name + "（" + key + "）"
	}
	return r.name(d, key)
}

func jaName(d queries.Dimension, key string) string {
	switch d {
	case queries.ByTaxonomy:
		return taxonomyOf(key).ja
	case queries.ByCategory:
		return categoriesJA[key]
	}
	return ""
}

func (r *Report) verdict(v analyze.Verdict) string {
	if ja, ok := verdictsJA[v]; ok && r.Lang == JA {
		return ja
	}
	return string(v)
}
