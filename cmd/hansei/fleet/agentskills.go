package fleet

import "time"

// The delays of AgentSkills' own document: three retries, 5, 15 and 30 s.
var skillDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second}

// skillEnds is how its API calls end when retries ran out: other search words,
// another source or a person serve seven in ten of them.
var skillEnds = []outcome{{44, fellBack}, {14, degraded}, {12, byHuman}, {20, abandoned}, {6, partial}, {4, silence}}

// agentSkills researches companies and writes reports, in Japanese. Its skills
// retry by its document, and its error log keeps what was no matter of retries.
var agentSkills = agent{
	name:      "agentskills",
	session:   "run",
	component: "skill-runner",
	version:   "1.8.2",
	rhythm:    &office,
	models:    []model{sonnet, gpt41, pro},
	wraps: []string{
		"API呼び出しに失敗しました: {{said}}",
		"{{vendor}} APIがエラーを返しました ({{attempt}}回目): {{said}}",
		"外部APIエラー [{{code}}] {{said}}",
		"API request failed: {{said}}",
	},
	passes: []pass{
		{"company-research", 90, 14 * time.Second, 5200},
		{"report-writer", 60, 40 * time.Second, 9000},
		{"data-loader", 40, 900 * time.Millisecond, 0},
	},
	cells: []Cell{
		{ // a policy to keep: retry 1 and 2 pay, the third just about
			Operation: "company-research", Category: rateLimit, Role: Good, Outage: true, code: "API_FAILURE",
			MaxRetries: 3, Waits: skillDelays, Took: 4 * time.Second, Hazards: []float64{0.62, 0.34, 0.10, 0.03},
			perMonth: 163, tokens: 5200, ends: skillEnds, texts: saysRateLimit,
		},
		{
			Operation: "company-research", Category: serverError, Outage: true, code: "API_FAILURE",
			MaxRetries: 3, Waits: skillDelays, Took: 6 * time.Second, Hazards: []float64{0.42, 0.44, 0.44, 0.40},
			perMonth: 102, tokens: 5200, won: "リトライで成功", ends: skillEnds, texts: saysServerError,
		},
		{
			Operation: "company-research", Category: network, code: "API_FAILURE",
			MaxRetries: 3, Waits: skillDelays, Took: 3 * time.Second, Hazards: []float64{0.44, 0.45, 0.35, 0.25},
			perMonth: 75, tokens: 5200, ends: skillEnds, texts: skillNetwork,
		},
		{ // a limit of a minute: only the delays together outlast it
			Operation: "market-analysis", Category: rateLimit, code: "API_FAILURE",
			MaxRetries: 3, Waits: skillDelays, Took: 5 * time.Second, Hazards: []float64{0.30, 0.42, 0.50, 0.45},
			perMonth: 68, tokens: 7400, ends: skillEnds, texts: saysRateLimit,
		},
		{
			Operation: "company-research", Category: timeout, code: "TIMEOUT",
			MaxRetries: 3, Waits: skillDelays, Took: 60 * time.Second, Hazards: []float64{0.45, 0.32, 0.15, 0.08},
			perMonth: 61, tokens: 5200, ends: skillEnds, texts: skillTimeout,
		},
		{
			Operation: "report-writer", Category: missingFile, Log: true, code: "FILE_NOT_FOUND",
			perMonth: 51, ends: skillFileEnds, texts: skillFiles,
		},
		{
			Operation: "data-loader", Category: missingFile, Log: true, code: "FILE_NOT_FOUND",
			perMonth: 34, ends: skillFileEnds, texts: skillFiles,
		},
		{
			Operation: "company-research", Category: validation, Log: true, code: "VALIDATION_ERROR",
			perMonth: 41, texts: skillCompleteness,
			ends: []outcome{{66, says("クエリ変更で成功")}, {14, says("一部データで続行")}, {8, says("手動でデータを補完")}, {8, says("スキップ")}, {4, silence}},
		},
		{ // three iterations towards 70 points
			Operation: "review", Category: qualityGate, code: "REVIEW_SCORE_LOW", gate: &skillReview,
			MaxRetries: 2, Waits: []time.Duration{time.Second}, Took: 45 * time.Second, Hazards: []float64{0.48, 0.36, 0.15},
			perMonth: 95, tokens: 11000, texts: skillScores,
			ends: []outcome{{50, byHuman}, {35, abandoned}, {15, silence}},
		},
		{
			Operation: "report-writer", Category: qualityGate, Log: true, code: "REVIEW_FAILURE_MAX_RETRIES", gate: &skillReview,
			perMonth: 16, texts: skillReviewFailed,
			ends: []outcome{{55, says("人間のレビューで承認")}, {25, says("リトライ上限に達したため断念")}, {20, silence}},
		},
		{
			Operation: "replan", Category: timeout, Log: true, code: "REPLAN_TIMEOUT", perMonth: 12,
			ends: []outcome{{45, says("人間の判断で続行")}, {35, says("スキップ")}, {20, silence}},
			texts: []text{
				{msg: "再計画が制限時間 {{int 60 180}} 秒以内に完了しませんでした"},
				{msg: "Replanning timed out after {{int 60 180}}s ({{int 2 5}} alternatives considered)"},
			},
		},
		{
			Operation: "report-writer", Category: unknown, Log: true, code: "UNKNOWN", perMonth: 18,
			ends: []outcome{{60, says("再実行で成功")}, {15, says("スキップ")}, {25, silence}},
			texts: []text{
				{msg: "予期しない問題が発生しました (ステップ{{int 2 9}})"},
				{msg: "原因不明のエラー"},
				{msg: "Something went wrong in step {{int 2 9}}"},
			},
		},
		{
			Operation: "slide-generator", Category: font, Log: true, perMonth: 16,
			ends: []outcome{{80, says("代替フォントで出力")}, {20, says("スキップ")}},
			texts: []text{
				{msg: "findfont: Font family '{{font}}' not found."},
				{msg: "フォント '{{font}}' が見つかりません。スライド {{int 1 24}} の文字が豆腐になります"},
				{msg: "UserWarning: Glyph {{int 12354 40869}} (\\N{CJK UNIFIED IDEOGRAPH}) missing from font(s) {{font}}."},
			},
		},
		{
			Operation: "report-writer", Category: malformedOutput, code: "MALFORMED_FUNCTION_CALL",
			MaxRetries: 3, Waits: []time.Duration{time.Second}, Took: 12 * time.Second, Hazards: []float64{0.68, 0.45, 0.14, 0.05},
			perMonth: 48, tokens: 9000, ends: skillEnds, texts: saysMalformed,
		},
		{
			Operation: "data-loader", Category: fileIO, Log: true, perMonth: 18,
			ends: []outcome{{60, says("エンコーディングを変更して再試行し成功")}, {25, says("手動で修正")}, {15, says("スキップ")}},
			texts: []text{
				{msg: "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x{{hex 2}} in position {{int 0 9000}}: invalid start byte ({{data}})"},
				{msg: "ファイルを読み込めません (文字コードが不正です): {{data}}"},
				{msg: "zipfile.BadZipFile: File is not a zip file: {{data}}"},
			},
		},
		{
			Operation: "company-research", Category: quota, code: "QUOTA_EXCEEDED",
			Took: 2 * time.Second, perMonth: 11, tokens: 5200, texts: saysQuota,
			ends: []outcome{{50, fellBack}, {30, byHuman}, {20, silence}},
		},
		{
			Operation: "company-research", Category: cancelled, code: "CANCELLED",
			Took: 9 * time.Second, perMonth: 16, ends: []outcome{{80, stopped}, {20, silence}},
			texts: []text{
				{msg: "ユーザーによって中断されました"},
				{msg: "処理がユーザーの操作でキャンセルされました ({{company}})"},
				{msg: "Operation aborted by user"},
			},
		},
	},
}

// skillReview is the bar and the typical scores of AgentSkills' review.
var skillReview = gate{name: "review", bar: 70, scores: []float64{56, 62, 65}}

// skillFileEnds resolves 95 in 100, as the error log it is modelled on.
var skillFileEnds = []outcome{
	{45, says("パスを修正して再試行で成功")}, {25, says("クエリ変更で成功")}, {15, says("代替ファイルを使用")},
	{10, says("手動でファイルを配置")}, {3, says("スキップ")}, {2, silence},
}

var (
	skillNetwork = []text{
		{msg: "ネットワークエラー: {{host}} に接続できません (ECONNREFUSED {{ip}}:443)"},
		{msg: "API request failed: HTTPSConnectionPool(host='{{host}}', port=443): Max retries exceeded with url: {{page}} (Caused by NewConnectionError: [Errno 111] Connection refused)"},
		{msg: "API呼び出しに失敗しました: getaddrinfo ENOTFOUND {{host}}"},
		{msg: "接続が途中で切断されました: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))"},
		{msg: "名前解決に失敗しました: EAI_AGAIN {{host}}"},
	}
	skillTimeout = []text{
		{msg: "スキル {{op}} がタイムアウトしました ({{took}}秒)"},
		{msg: "Skill timed out after {{took}}s: {{company}} / {{topic}}"},
		{msg: "検索APIの応答がタイムアウトしました (上限 {{took}} 秒, {{company}})"},
		{msg: "Read timed out. (read timeout={{took}})"},
	}
	skillFiles = []text{
		{msg: "ファイルが見つかりません: {{out}}"},
		{msg: "必須ファイル {{data}} がまだ生成されていません"},
		{msg: "[Errno 2] No such file or directory: '{{dir}}/{{out}}'"},
		{msg: "前のスキルの成果物が存在しません: {{dir}}/{{topic}}.yaml"},
		{msg: "FileNotFoundError: {{data}}"},
	}
	skillCompleteness = []text{
		{msg: "データ完全性 {{int 41 79}}% が基準 80% を下回っています ({{company}}: {{field}} が不足)"},
		{msg: "必須フィールド '{{field}}' がありません: {{company}}"},
		{msg: "Validation failed: completeness {{int 41 79}}% is below the required 80% ({{int 2 9}} of {{int 10 24}} fields missing)"},
		{msg: "入力パラメータが不正です: depth={{int 6 99}} (1〜5 の範囲で指定してください)"},
	}
	skillScores = []text{
		{msg: "レビュースコア {{score}} 点が合格ライン {{bar}} 点に達していません ({{attempt}}/{{tries}} 回目)", detail: "指摘: 出典が不足 {{int 1 6}} 件, 数値の根拠なし {{int 1 4}} 件, 要約が長い"},
		{msg: "Review score {{score}} is below the bar of {{bar}} (iteration {{attempt}} of {{tries}})", detail: "findings: {{int 1 6}} claims without source, {{int 1 4}} stale figures"},
		{msg: "品質レビュー不合格: スコア {{score}}/100 (基準 {{bar}})"},
	}
	skillReviewFailed = []text{
		{msg: "レビューが 3 回とも不合格でした (最終スコア {{score}}, 基準 {{bar}})"},
		{msg: "Review failed after 3 iterations: 56, 62, {{score}} (threshold {{bar}})"},
	}
)
