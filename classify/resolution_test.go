package classify

import (
	"os"
	"strings"
	"testing"
)

func TestResolutionOf(t *testing.T) {
	for _, test := range []struct {
		text string
		want Resolution
	}{
		{"retried", Retried}, {" Human ", Human}, {"OPEN", Open},
		{"クエリ変更で成功", Retried}, {"手動で修正", Human}, {"代替パスで成功", Fallback}, {"スキップ", Skipped},
		{"使用缓存数据继续", Degraded}, {"retry succeeded after changing the query", Retried},
		{"gave up after 3 attempts", Abandoned}, {"リトライ上限到達", Abandoned},
		{"履歴を圧縮して再試行に成功", Compressed}, {"途中結果を保存して終了", Partial}, {"停止シグナルで中止", Stopped},
		{"process terminated by the watchdog", Terminated},
		{"Succeeded on the second attempt", Retried}, {"人手で対応し解決", Human}, {"切换备用模型后成功", Fallback},
		{"重试 3 次后成功", Retried}, {"フォールバックモデルで成功", Fallback}, {"一部データで続行（警告）", Degraded},
		{"ユーザーが停止", Stopped}, {"retry failed, then fixed manually", Human},
		{"not resolved", Open}, {"未解決", Open}, {"失敗のまま", Open}, {"尚未解决", Open}, {"still failing", Open},
		{"", ""}, {"  ", ""}, {"なんとなく", ""}, {"see ticket", ""}, {"n/a", ""}, {"12", ""},
	} {
		got, ok := ResolutionOf(test.text)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%q: %q, %v; want %q", test.text, got, ok, test.want)
		}
	}
}

// TestResolutionTable runs the examples of rules/resolution.yaml.
func TestResolutionTable(t *testing.T) {
	listed := map[Resolution]bool{}
	for _, row := range Resolutions {
		listed[row.Name] = true
		if row.Meaning == "" || row.MeaningJA == "" {
			t.Errorf("resolution %s: a text is missing", row.Name)
		}
	}
	for _, e := range resolutionTable() {
		if !listed[e.Resolution] || len(e.Examples) == 0 || len(e.Counterexamples) == 0 {
			t.Errorf("entry %s: not a listed tag, or without examples or counterexamples", e.Resolution)
		}
		for _, x := range e.Examples {
			if got, _ := ResolutionOf(x); got != e.Resolution {
				t.Errorf("%q: %q, want %q", x, got, e.Resolution)
			}
		}
		for _, x := range e.Counterexamples {
			if got, _ := ResolutionOf(x); got == e.Resolution {
				t.Errorf("%q: must not be %q", x, got)
			}
		}
	}
}

// TestResolutionNegated wants that no text with a negation counts as resolved.
func TestResolutionNegated(t *testing.T) {
	for _, text := range []string{
		"not resolved", "not fixed", "no retry succeeded", "retry did not succeed", "never recovered", "could not be resolved",
		"the fallback failed too", "manual fix failed", "unresolved after retry", "再試行しても成功せず", "手動でも解決できず",
		"代替パスも失敗", "解決していない", "未復旧", "リトライ失敗", "重试后仍未成功", "没有成功", "未能恢复", "备用模型也失败", "未解决",
		"no success", "retry pending", "フォールバックも失敗し断念",
	} {
		if got, _ := ResolutionOf(text); got.Row().Resolved {
			t.Errorf("%q counts as resolved: %q", text, got)
		}
	}
}

// TestResolutionTexts wants the tag of each line of testdata/resolutions.txt: a promise,
// a hope or a question is no outcome, in any language.
func TestResolutionTexts(t *testing.T) {
	file, err := os.ReadFile("testdata/resolutions.txt")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for line := range strings.Lines(string(file)) {
		want, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		read++
		if got, ok := ResolutionOf(text); ok != (want != "-") || ok && string(got) != want {
			t.Errorf("%q: %q, %v; want %q", text, got, ok, want)
		}
	}
	if read == 0 {
		t.Error("no texts")
	}
}
