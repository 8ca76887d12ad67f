package fleet

import "time"

// mateDelays suit a command line client that has its own short retries inside.
var mateDelays = []time.Duration{30 * time.Second, 120 * time.Second}

// matePoll is the time until a terminal is read again.
var matePoll = []time.Duration{5 * time.Second}

// mateEnds is how a session's step ends: a person looks at the terminal.
var mateEnds = []outcome{{40, byHuman}, {30, abandoned}, {8, stopped}, {22, silence}}

// commandMate drives coding clients in terminals and finds their errors in the
// last 20 lines on the screen. It gives up early, and once too early.
var commandMate = agent{
	name:      "commandmate",
	session:   "tmux",
	component: "session-manager",
	version:   "0.7.3",
	rhythm:    &office,
	models:    []model{sonnet, gpt41, pro},
	wraps: []string{
		"API Error: {{said}}",
		"⎿ API Error ({{code}} {{said}})",
		"✕ [API Error: {{said}}]",
		"stream error: {{said}}; retrying {{attempt}}/{{tries}}",
	},
	passes: []pass{
		{"send_prompt", 80, 50 * time.Second, 6800},
		{"git_worktree", 60, 700 * time.Millisecond, 0},
	},
	cells: []Cell{
		{ // the terminal is up a few seconds later, and nobody asks a second time
			Operation: "start_session", Category: network, Role: TooFew,
			MaxRetries: 1, Waits: matePoll, Took: 3 * time.Second, Hazards: []float64{0.70, 0.62, 0.50},
			perMonth: 129, ends: mateEnds,
			texts: []text{
				{code: "ECONNREFUSED", msg: "connect ECONNREFUSED 127.0.0.1:{{int 3000 3999}}"},
				{msg: "dial unix /tmp/tmux-1000/default: connect: connection refused"},
				{code: "ECONNRESET", msg: "WebSocket closed: read ECONNRESET (session {{branch}})"},
				{msg: "セッションに接続できません: connect ECONNREFUSED 127.0.0.1:{{int 3000 3999}}"},
			},
		},
		{
			Operation: "send_prompt", Category: rateLimit, Outage: true,
			MaxRetries: 2, Waits: mateDelays, Took: 8 * time.Second, Hazards: []float64{0.32, 0.42, 0.35},
			perMonth: 116, tokens: 6800, ends: mateEnds, texts: saysRateLimit,
		},
		{
			Operation: "send_prompt", Category: serverError, Outage: true,
			MaxRetries: 2, Waits: mateDelays, Took: 10 * time.Second, Hazards: []float64{0.56, 0.30, 0.12},
			perMonth: 95, tokens: 6800, ends: mateEnds, texts: saysServerError,
		},
		{ // hours, not minutes: it waits for a person or for the clock
			Operation: "send_prompt", Category: quota,
			Took: 2 * time.Second, perMonth: 41, tokens: 6800, ends: []outcome{{50, byHuman}, {10, fellBack}, {40, silence}},
			texts: []text{
				{code: "USAGE_LIMIT", msg: "usage limit reached. Your limit will reset at {{clock}} (Asia/Tokyo)."},
				{code: "USAGE_LIMIT", msg: "You've hit your usage limit. Upgrade your plan or try again in {{int 2 5}} hours {{int 1 59}} minutes."},
				{code: "USAGE_LIMIT", msg: "5-hour limit reached ∙ resets {{clock}}"},
			},
		},
		{
			Operation: "send_prompt", Category: auth,
			MaxRetries: 2, Waits: mateDelays, Took: 2 * time.Second, Hazards: []float64{0, 0},
			perMonth: 30, tokens: 6800, ends: mateEnds, texts: saysAuth,
		},
		{
			Operation: "poll_session", Category: timeout,
			MaxRetries: 2, Waits: matePoll, Took: 30 * time.Second, Hazards: []float64{0.42, 0.22, 0.10},
			perMonth: 95, ends: mateEnds,
			texts: []text{
				{code: "POLL_TIMEOUT", msg: "no new output for {{took}}s, poll timed out (session {{branch}})"},
				{code: "POLL_TIMEOUT", msg: "Timed out waiting for the prompt after {{took}} seconds"},
				{code: "POLL_TIMEOUT", msg: "応答待ちがタイムアウトしました ({{took}}秒): {{branch}}"},
			},
		},
		{
			Operation: "git_worktree", Category: codeError,
			MaxRetries: 1, Waits: matePoll, Took: 2 * time.Second, Hazards: []float64{0.12},
			perMonth: 61, ends: mateEnds,
			texts: []text{
				{code: "1", msg: "CONFLICT (content): Merge conflict in {{ts}}"},
				{code: "1", msg: "error: Your local changes to the following files would be overwritten by checkout: {{ts}}"},
				{code: "1", msg: "Automatic merge failed; fix conflicts and then commit the result. (merge conflict in {{int 1 9}} files)"},
			},
		},
		{
			Operation: "git_worktree", Category: missingFile,
			MaxRetries: 1, Waits: matePoll, Took: time.Second, Hazards: []float64{0.10},
			perMonth: 41, ends: mateEnds,
			texts: []text{
				{code: "128", msg: "fatal: not a git repository (or any of the parent directories): .git"},
				{code: "1", msg: "error: pathspec '{{branch}}' did not match any file(s) known to git"},
				{code: "ENOENT", msg: "ENOENT: no such file or directory, chdir '{{dir}}' -> '{{dir}}/{{branch}}'"},
			},
		},
		{
			Operation: "start_session", Category: missingDependency,
			MaxRetries: 1, Waits: matePoll, Took: 400 * time.Millisecond, Hazards: []float64{0},
			perMonth: 27, ends: mateEnds,
			texts: []text{
				{code: "127", msg: "zsh: command not found: {{cmd}}"},
				{code: "127", msg: "bash: {{cmd}}: command not found"},
				{code: "404", msg: "model_not_found: The model `{{model}}-preview` does not exist or you do not have access to it."},
			},
		},
		{
			Operation: "poll_session", Category: crash,
			Took: 5 * time.Second, perMonth: 10, ends: []outcome{{85, terminated}, {15, silence}},
			texts: []text{
				{code: "139", msg: "[server exited unexpectedly] Segmentation fault: 11"},
				{code: "134", msg: "terminal process died: Abort trap: 6 (SIGABRT)"},
			},
		},
		{
			Operation: "send_prompt", Category: contextLength, won: "compressed",
			MaxRetries: 1, Waits: matePoll, Took: 15 * time.Second, Hazards: []float64{0.82},
			perMonth: 44, tokens: 120000, ends: mateEnds, texts: saysContextLength,
		},
		{
			Operation: "send_prompt", Category: cancelled,
			Took: 20 * time.Second, perMonth: 54, tokens: 3000, ends: []outcome{{60, stopped}, {40, silence}},
			texts: []text{
				{code: "INTERRUPTED", msg: "Interrupted by user"},
				{code: "INTERRUPTED", msg: "Request was aborted."},
				{code: "INTERRUPTED", msg: "ユーザーにより中断されました (Esc)"},
			},
		},
		{ // the other process is done within seconds
			Operation: "git_worktree", Category: fileIO,
			MaxRetries: 2, Waits: matePoll, Took: time.Second, Hazards: []float64{0.70, 0.50, 0.30},
			perMonth: 41, ends: mateEnds,
			texts: []text{
				{code: "128", msg: "fatal: Unable to create '{{dir}}/.git/index.lock': File exists. Another git process seems to be running in this repository"},
				{code: "SQLITE_BUSY", msg: "SqliteError: database is locked"},
			},
		},
		{
			Operation: "poll_session", Category: unknown,
			Took: 3 * time.Second, perMonth: 24, ends: []outcome{{40, byHuman}, {60, silence}},
			texts: []text{
				{msg: "画面の状態を判定できませんでした ({{branch}})"},
				{msg: "unrecognized screen state in pane {{int 0 9}}"},
				{msg: "no matching pattern in the last 20 lines"},
			},
		},
		{
			Operation: "run_tests", Category: qualityGate,
			MaxRetries: 3, Waits: matePoll, Took: 70 * time.Second, Hazards: []float64{0.50, 0.35, 0.14},
			perMonth: 88, tokens: 8200, ends: mateEnds,
			texts: []text{
				{code: "1", msg: "Quality gate failed: {{int 1 12}} of {{int 120 480}} tests failed in {{branch}}"},
				{code: "1", msg: "Tests: {{int 1 12}} failed, {{int 120 480}} passed, the test gate of {{branch}} is not reached"},
				{code: "1", msg: "lint gate failed: {{int 1 40}} problems ({{int 1 20}} errors, {{int 1 20}} warnings)"},
			},
		},
		{
			Operation: "start_session", Category: permission,
			Took: 300 * time.Millisecond, perMonth: 20, ends: mateEnds,
			texts: []text{
				{code: "EACCES", msg: "spawn {{dir}}/bin/{{cmd}} EACCES: permission denied"},
				{code: "EPERM", msg: "The user doesn't want to proceed with this tool use. The tool use was rejected (permission denied)."},
			},
		},
		{
			Operation: "start_session", Category: resource,
			Took: time.Second, perMonth: 8, ends: []outcome{{60, terminated}, {40, silence}},
			texts: []text{
				{code: "ENOSPC", msg: "ENOSPC: no space left on device, write '{{dir}}/{{out}}'"},
				{code: "ENOMEM", msg: "fork failed: Cannot allocate memory (ENOMEM)"},
				{code: "134", msg: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"},
			},
		},
	},
}
