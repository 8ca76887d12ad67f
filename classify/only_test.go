package classify

import (
	"strings"
	"testing"
)

func TestOnly(t *testing.T) {
	set := newOnlySet([]string{"an", "a", "Error", "error occurred", "エラー", "が", "発生", "。", " "})
	for text, want := range map[string]bool{
		"":                             true,
		"An error occurred.":           true,
		"(error) -- a, an":             true,
		"errors":                       false,
		"an error occurred at once":    false,
		"エラーが発生。":                      true,
		"通信エラーが発生":                     false,
		strings.Repeat("a ", onlyText): false,
	} {
		if got := set.covers([]byte(text)); got != want {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}
