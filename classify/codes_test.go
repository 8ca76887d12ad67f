package classify

import "testing"

func TestCodeWords(t *testing.T) {
	for code, want := range map[string]string{
		"kQuotaExceeded":         "k Quota Exceeded",
		"ERR_FOO_NOT_FOUND":      "ERR FOO NOT FOUND",
		"XMLParseError":          "XML Parse Error",
		"auth.token-expired":     "auth token expired",
		"acme:Deploy/TimedOut":   "acme Deploy Timed Out",
		"HTTP2StreamReset":       "HTTP2Stream Reset",
		"接続エラー":                  "接続エラー",
		"plain":                  "plain",
		"OperationTimedOutError": "Operation Timed Out Error",
	} {
		if got := string(codeWords(nil, code)); got != want {
			t.Errorf("codeWords(%q) = %q, want %q", code, got, want)
		}
	}
}
