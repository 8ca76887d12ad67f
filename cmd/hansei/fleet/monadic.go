package fleet

import "time"

// monadicDelays double from a second, with Monadic's five retries.
var monadicDelays = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}

// toolDelay is the pause before the model has written its next call.
var toolDelay = []time.Duration{500 * time.Millisecond}

// chatEnds is how a chat turn ends when retries ran out: mostly the user asks
// again later, which is another turn.
var chatEnds = []outcome{{60, abandoned}, {15, fellBack}, {10, silence}, {15, byHuman}}

// toolEnds is how a tool's turn ends: the model answers without the tool.
var toolEnds = []outcome{{50, abandoned}, {22, degraded}, {12, byHuman}, {8, partial}, {8, silence}}

// monadic is a chat system whose models call tools in a container. It retries
// everything five times, which is right for the API and wrong for two tools.
var monadic = agent{
	name:      "monadic",
	session:   "conv",
	component: "vendor-helper",
	version:   "2.4.0",
	rhythm:    &office,
	models:    []model{gptMini, flash, sonnet, gpt41, mistral},
	wraps: []string{
		"Error: [API Error] - {{said}} (Code: {{code}})",
		"[{{vendor}}] API Error: {{said}}",
		"Error: [API Error] - {{vendor}}: {{said}}",
	},
	passes: []pass{
		{"run_code", 160, 3 * time.Second, 1900},
		{"fetch_web_content", 120, 1800 * time.Millisecond, 0},
		{"generate_image", 40, 14 * time.Second, 800},
		{"chat", 90, 7 * time.Second, 3100},
	},
	cells: []Cell{
		{
			Operation: "chat", Category: rateLimit, Outage: true,
			MaxRetries: 5, Waits: monadicDelays, Took: 2 * time.Second, Hazards: []float64{0.30, 0.32, 0.28, 0.22, 0.12},
			perMonth: 156, tokens: 3100, ends: chatEnds, texts: saysRateLimit,
		},
		{
			Operation: "chat", Category: serverError, Outage: true,
			MaxRetries: 5, Waits: monadicDelays, Took: 3 * time.Second, Hazards: []float64{0.50, 0.42, 0.30, 0.20, 0.10},
			perMonth: 122, tokens: 3100, ends: chatEnds, texts: saysServerError,
		},
		{
			Operation: "chat", Category: network,
			MaxRetries: 5, Waits: monadicDelays, Took: 2 * time.Second, Hazards: []float64{0.55, 0.45, 0.30, 0.15, 0.08},
			perMonth: 68, tokens: 3100, ends: chatEnds, texts: saysNetwork,
		},
		{ // older turns are dropped, then the call is made again
			Operation: "chat", Category: contextLength, won: "compressed",
			MaxRetries: 1, Waits: toolDelay, Took: 4 * time.Second, Hazards: []float64{0.88},
			perMonth: 68, tokens: 88000, ends: chatEnds, texts: saysContextLength,
		},
		{
			Operation: "run_code", Category: codeError,
			MaxRetries: 3, Waits: toolDelay, Took: 6 * time.Second, Hazards: []float64{0.52, 0.40, 0.16},
			perMonth: 272, tokens: 2400, ends: toolEnds, texts: monadicCode,
		},
		{
			Operation: "run_code", Category: missingDependency,
			MaxRetries: 3, Waits: toolDelay, Took: 5 * time.Second, Hazards: []float64{0.35, 0.30, 0.12},
			perMonth: 68, tokens: 2100, ends: toolEnds, texts: pythonModules,
		},
		{
			Operation: "run_code", Category: timeout,
			MaxRetries: 1, Waits: toolDelay, Took: 120 * time.Second, Hazards: []float64{0.18},
			perMonth: 41, tokens: 2100, ends: toolEnds,
			texts: []text{
				{msg: "Error: [Tool Error] - Code execution timed out after {{took}} seconds."},
				{msg: "Error occurred: script did not finish within the time limit of {{took}}s and was stopped (timeout)"},
				{msg: "subprocess.TimeoutExpired: Command 'python {{py}}' timed out after {{took}} seconds"},
			},
		},
		{
			Operation: "run_code", Category: plot,
			MaxRetries: 3, Waits: toolDelay, Took: 6 * time.Second, Hazards: []float64{0.45, 0.30, 0.12},
			perMonth: 37, tokens: 2100, ends: toolEnds, texts: plotTexts,
		},
		{
			Operation: "run_code", Category: font,
			MaxRetries: 2, Waits: toolDelay, Took: 6 * time.Second, Hazards: []float64{0.28, 0.12},
			perMonth: 31, tokens: 2100, ends: toolEnds, texts: fontTexts,
		},
		{
			Operation: "fetch_web_content", Category: network,
			MaxRetries: 3, Waits: monadicDelays, Took: 9 * time.Second, Hazards: []float64{0.48, 0.30, 0.12},
			perMonth: 95, ends: toolEnds,
			texts: []text{
				{msg: "Error: [Network Error] - could not fetch https://{{host}}{{page}}: net::ERR_CONNECTION_RESET"},
				{msg: "Failed to open TCP connection to {{host}}:443 (getaddrinfo: Name or service not known)"},
				{msg: "SSL_connect SYSCALL returned=5 errno=0 state=SSLv3/TLS write client hello: connection reset by peer ({{host}})"},
				{msg: "Errno::ECONNREFUSED: Connection refused - connect(2) for {{host}}:443"},
			},
		},
		{
			Operation: "fetch_web_content", Category: auth,
			MaxRetries: 1, Waits: monadicDelays, Took: 2 * time.Second, Hazards: []float64{0},
			perMonth: 54, ends: []outcome{{40, skipped}, {35, fellBack}, {25, abandoned}},
			texts: []text{
				{code: "403", status: "Forbidden", msg: "Error: [API Error] - HTTP 403 Forbidden for https://{{host}}{{page}}"},
				{code: "401", status: "Unauthorized", msg: "HTTP 401 Unauthorized: https://{{host}}{{page}} wants a login"},
			},
		},
		{ // a size that the API does not know is not known five times over
			Operation: "generate_image", Category: validation, Role: Wasteful,
			MaxRetries: 5, Waits: monadicDelays, Took: 3 * time.Second, Hazards: []float64{0, 0, 0, 0, 0},
			perMonth: 61, tokens: 800, ends: []outcome{{75, abandoned}, {15, byHuman}, {10, silence}},
			texts: []text{
				{code: "400", status: "invalid_request_error", msg: "Error: [Invalid Input] - Invalid value: '{{size}}'. Supported values are: '1024x1024', '1024x1536', '1536x1024' and 'auto'. (Code: 400)"},
				{code: "422", status: "Unprocessable Entity", msg: "422 Unprocessable Entity: field required: prompt"},
				{code: "400", status: "invalid_request_error", msg: "Error: [Invalid Input] - Missing required parameter: 'prompt'."},
				{code: "400", status: "invalid_request_error", msg: "パラメータ size の値 '{{size}}' は無効です"},
			},
		},
		{ // the key of the speech service has run out of its time
			Operation: "text_to_speech", Category: auth, Role: Wasteful,
			MaxRetries: 5, Waits: monadicDelays, Took: time.Second, Hazards: []float64{0, 0, 0, 0, 0},
			perMonth: 34, tokens: 400, ends: []outcome{{70, abandoned}, {20, byHuman}, {10, silence}},
			texts: saysAuth,
		},
		{
			Operation: "generate_image", Category: contentFilter,
			Took: 11 * time.Second, perMonth: 48, tokens: 800, texts: saysContentFilter,
			ends: []outcome{{45, skipped}, {40, byHuman}, {15, silence}},
		},
		{
			Operation: "chat", Category: malformedOutput,
			MaxRetries: 3, Waits: toolDelay, Took: 8 * time.Second, Hazards: []float64{0.62, 0.45, 0.15},
			perMonth: 88, tokens: 3100, ends: chatEnds, texts: saysMalformed,
		},
		{
			Operation: "run_code", Category: resource,
			Took: 70 * time.Second, perMonth: 14, tokens: 2100,
			ends: []outcome{{70, terminated}, {30, silence}},
			texts: []text{
				{code: "137", msg: "Container monadic-chat-python-container was OOM-killed (exit code 137)"},
				{msg: "MemoryError: Unable to allocate {{int 9 64}}.{{int 1 9}} GiB for an array with shape ({{int 40000 90000}}, {{int 40000 90000}}) and data type float64"},
				{msg: "OSError: [Errno 28] No space left on device: '{{dir}}/{{out}}'"},
			},
		},
		{
			Operation: "chat", Category: loopLimit,
			Took: 95 * time.Second, perMonth: 24, tokens: 26000, ends: []outcome{{55, partial}, {30, byHuman}, {15, silence}},
			texts: []text{
				{code: "MAX_FUNC_CALLS", msg: "Maximum function call depth exceeded: 20 calls in one turn"},
				{code: "STOP_RETRYING", msg: "Repeated errors detected: 3 similar errors of the last 10, retries stopped. Maximum function call attempts reached."},
				{code: "MAX_FUNC_CALLS", msg: "関数呼び出しの上限 (20回) に達しました: maximum function calls reached"},
			},
		},
		{
			Operation: "chat", Category: cancelled,
			Took: 6 * time.Second, perMonth: 41, tokens: 1500, ends: []outcome{{70, stopped}, {30, silence}},
			texts: []text{
				{code: "CANCEL", msg: "Response generation was cancelled by the user"},
				{code: "499", msg: "Client closed request (499)"},
				{code: "CANCEL", msg: "ユーザーがキャンセルしました"},
			},
		},
		{
			Operation: "chat", Category: quota,
			Took: time.Second, perMonth: 14, tokens: 3100, texts: saysQuota,
			ends: []outcome{{40, byHuman}, {30, fellBack}, {30, silence}},
		},
		{
			Operation: "run_code", Category: permission,
			MaxRetries: 1, Waits: toolDelay, Took: 3 * time.Second, Hazards: []float64{0.05},
			perMonth: 24, tokens: 2100, ends: toolEnds,
			texts: []text{
				{code: "EACCES", msg: "PermissionError: [Errno 13] Permission denied: '/monadic/data/{{out}}'"},
				{msg: "bash: {{dir}}/run.sh: Permission denied"},
				{code: "EPERM", msg: "Operation not permitted: chmod on {{dir}}/{{data}}"},
			},
		},
		{
			Operation: "search_library", Category: missingFile,
			MaxRetries: 1, Waits: toolDelay, Took: time.Second, Hazards: []float64{0.30},
			perMonth: 27, ends: toolEnds,
			texts: []text{
				{code: "ENOENT", msg: "Error: [File Error] - File not found: /monadic/data/{{data}}"},
				{code: "ENOENT", msg: "No such file or directory @ rb_sysopen - /monadic/data/{{out}}"},
			},
		},
		{
			Operation: "chat", Category: unknown,
			Took: 4 * time.Second, perMonth: 19, tokens: 3100, ends: []outcome{{50, byHuman}, {50, silence}},
			texts: []text{
				{msg: "Error: [Other] - Please try again. (Code: {{int 100 199}})"},
				{msg: "An unexpected problem occurred"},
				{msg: "処理を続けられませんでした"},
			},
		},
	},
}

// monadicCode is the code that models write in Monadic's container.
var monadicCode = []text{
	{msg: "NameError: name '{{name}}' is not defined", detail: "Traceback (most recent call last):\n  File \"/monadic/data/{{py}}\", line {{int 3 180}}, in <module>\nNameError: name '{{name}}' is not defined"},
	{msg: "KeyError: '{{key}}'", detail: "Traceback (most recent call last):\n  File \"/monadic/data/{{py}}\", line {{int 3 180}}, in {{func}}\n    return {{name}}['{{key}}']\nKeyError: '{{key}}'"},
	{msg: "SyntaxError: invalid syntax ({{py}}, line {{int 3 180}})"},
	{msg: "TypeError: {{func}}() missing 1 required positional argument: '{{name}}'"},
	{msg: "Error occurred: ValueError: could not convert string to float: 'n/a' in {{py}} line {{int 3 180}}"},
	{msg: "IndentationError: unexpected indent ({{py}}, line {{int 3 180}})"},
	{msg: "undefined method `{{func}}' for nil:NilClass (NoMethodError)"},
	{msg: "AttributeError: 'NoneType' object has no attribute '{{name}}'"},
}
