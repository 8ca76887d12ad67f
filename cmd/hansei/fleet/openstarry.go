package fleet

import "time"

// starryDelays double from two seconds.
var starryDelays = []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}

// starryThought is the model's next step: it has read the error and tries again.
var starryThought = []time.Duration{1500 * time.Millisecond}

// starryEnds is how a task ends when the safety monitor lets no more tries: it
// asks its user, or lets it be.
var starryEnds = []outcome{{38, abandoned}, {26, byHuman}, {14, skipped}, {10, stopped}, {12, silence}}

// openStarry is a kernel for agents. Errors go back to the model as something
// to learn from, at most five in a row; some of its users write Chinese.
var openStarry = agent{
	name:      "openstarry",
	session:   "sess",
	component: "execution-loop",
	version:   "0.4.0-alpha",
	rhythm:    &office,
	models:    []model{pro, sonnet, gptMini},
	traced:    true,
	wraps: []string{
		"[ProviderError] {{said}}",
		"provider {{vendor}} rejected the request: {{said}}",
		"模型服务返回错误 ({{code}}): {{said}}",
		"[ProviderError] chat with {{model}} failed: {{said}}",
	},
	passes: []pass{
		{"fs.read", 90, 40 * time.Millisecond, 0},
		{"shell.exec", 120, 4 * time.Second, 0},
		{"provider.chat", 60, 6 * time.Second, 4400},
	},
	cells: []Cell{
		{
			Operation: "provider.chat", Category: rateLimit, Outage: true,
			MaxRetries: 4, Waits: starryDelays, Took: 2 * time.Second, Hazards: []float64{0.25, 0.33, 0.35, 0.20},
			perMonth: 129, tokens: 4400, ends: starryEnds, texts: saysRateLimit,
		},
		{
			Operation: "provider.chat", Category: serverError, Outage: true,
			MaxRetries: 4, Waits: starryDelays, Took: 4 * time.Second, Hazards: []float64{0.45, 0.38, 0.24, 0.10},
			perMonth: 102, tokens: 4400, ends: starryEnds, texts: saysServerError,
		},
		{
			Operation: "provider.chat", Category: network,
			MaxRetries: 4, Waits: starryDelays, Took: 3 * time.Second, Hazards: []float64{0.50, 0.35, 0.20, 0.10},
			perMonth: 54, tokens: 4400, ends: starryEnds, texts: saysNetwork,
		},
		{
			Operation: "shell.exec", Category: codeError,
			MaxRetries: 4, Waits: starryThought, Took: 8 * time.Second, Hazards: []float64{0.46, 0.35, 0.24, 0.12},
			perMonth: 204, tokens: 3600, ends: starryEnds, texts: starryCode,
		},
		{
			Operation: "shell.exec", Category: timeout,
			MaxRetries: 2, Waits: starryThought, Took: 60 * time.Second, Hazards: []float64{0.16, 0.06},
			perMonth: 54, tokens: 3600, ends: starryEnds,
			texts: []text{
				{code: "TOOL_TIMEOUT", msg: "Tool shell.exec timed out after {{took}}000ms"},
				{code: "TOOL_TIMEOUT", msg: "Command timed out: npm test (limit {{took}}s)"},
				{code: "TOOL_TIMEOUT", msg: "命令执行超时 ({{took}} 秒)"},
			},
		},
		{ // the model corrects the path
			Operation: "fs.read", Category: missingFile,
			MaxRetries: 4, Waits: starryThought, Took: 200 * time.Millisecond, Hazards: []float64{0.62, 0.45, 0.28, 0.10},
			perMonth: 109, tokens: 2900, ends: starryEnds,
			texts: []text{
				{code: "ENOENT", msg: "ENOENT: no such file or directory, open '{{dir}}/{{ts}}'"},
				{code: "ENOENT", msg: "ENOENT: no such file or directory, scandir '{{dir}}/{{branch}}'"},
				{code: "ENOENT", msg: "文件不存在: {{dir}}/{{ts}}"},
			},
		},
		{
			Operation: "fs.write", Category: permission,
			MaxRetries: 2, Waits: starryThought, Took: 150 * time.Millisecond, Hazards: []float64{0, 0},
			perMonth: 54, tokens: 2900, ends: starryEnds,
			texts: []text{
				{code: "EACCES", msg: "EACCES: permission denied, open '/etc/{{npm}}.conf'"},
				{code: "EPERM", msg: "EPERM: operation not permitted, unlink '{{dir}}/{{ts}}'"},
				{code: "SANDBOX_DENIED", msg: "[SecurityError] tool call fs.write was denied by the sandbox: path {{dir}} is outside of the allowed roots"},
			},
		},
		{
			Operation: "fs.write", Category: fileIO,
			MaxRetries: 2, Waits: starryThought, Took: 150 * time.Millisecond, Hazards: []float64{0.32, 0.15},
			perMonth: 34, tokens: 2900, ends: starryEnds,
			texts: []text{
				{code: "EISDIR", msg: "EISDIR: illegal operation on a directory, open '{{dir}}'"},
				{code: "EBUSY", msg: "EBUSY: resource busy or locked, rename '{{dir}}/{{out}}.tmp'"},
				{code: "EEXIST", msg: "EEXIST: file already exists, mkdir '{{dir}}/output'"},
			},
		},
		{
			Operation: "tool.call", Category: validation,
			MaxRetries: 4, Waits: starryThought, Took: 300 * time.Millisecond, Hazards: []float64{0.66, 0.42, 0.25, 0.08},
			perMonth: 136, tokens: 2900, ends: starryEnds,
			texts: []text{
				{code: "INVALID_ARGUMENTS", msg: "Invalid arguments for tool {{tool}}: required property '{{key}}' is missing"},
				{code: "INVALID_ARGUMENTS", msg: "ZodError: [{\"code\":\"invalid_type\",\"expected\":\"string\",\"received\":\"undefined\",\"path\":[\"{{key}}\"],\"message\":\"Required\"}]"},
				{code: "EDIT_NO_MATCH", msg: "old string not found in {{ts}}, the edit was not applied"},
				{code: "INVALID_ARGUMENTS", msg: "参数校验失败: '{{key}}' 必须是整数"},
			},
		},
		{
			Operation: "tool.call", Category: missingDependency,
			MaxRetries: 4, Waits: starryThought, Took: 100 * time.Millisecond, Hazards: []float64{0.55, 0.30, 0.10, 0.05},
			perMonth: 48, tokens: 2900, ends: starryEnds,
			texts: []text{
				{code: "TOOL_NOT_FOUND", msg: "Tool \"{{tool}}\" not found in the registry"},
				{code: "MODULE_NOT_FOUND", msg: "Error: Cannot find module '{{npm}}'"},
				{code: "ERR_MODULE_NOT_FOUND", msg: "Cannot find package '{{npm}}' imported from {{dir}}/{{ts}}"},
			},
		},
		{
			Operation: "agent.loop", Category: loopLimit,
			Took: 150 * time.Second, perMonth: 30, tokens: 31000, ends: []outcome{{60, byHuman}, {25, stopped}, {15, silence}},
			texts: []text{
				{code: "FRUSTRATION", msg: "SafetyMonitor: circuit breaker open, frustration 5 of 5 after consecutive failures"},
				{code: "REPEATED_CALL", msg: "SafetyMonitor: repeated tool call cycle, {{tool}} with identical arguments 3 times"},
				{code: "LOOP_CAP", msg: "Maximum loop ticks reached (50) for this task"},
				{code: "TOKEN_BUDGET", msg: "Token budget of the run exceeded: {{int 100001 140000}} of 100000"},
			},
		},
		{
			Operation: "agent.loop", Category: crash,
			Took: 30 * time.Second, perMonth: 8, ends: []outcome{{85, terminated}, {15, silence}},
			texts: []text{
				{code: "139", msg: "worker process {{int 1000 32000}} died: SIGSEGV"},
				{msg: "# Fatal error in , line 0: Check failed: node->IsInUse(). core dumped"},
			},
		},
		{ // rare: nobody can say yet how it recovers
			Operation: "mcp.connect", Category: network, Role: Thin,
			MaxRetries: 3, Waits: starryDelays, Took: 5 * time.Second, Hazards: []float64{0.50, 0.40, 0.30},
			perMonth: 2, ends: starryEnds,
			texts: []text{
				{code: "ECONNREFUSED", msg: "MCP server {{npm}}: connect ECONNREFUSED 127.0.0.1:{{int 3000 9000}}"},
				{code: "-32000", msg: "MCP error -32000: Connection closed"},
			},
		},
		{
			Operation: "provider.chat", Category: contextLength, won: "compressed",
			MaxRetries: 2, Waits: starryThought, Took: 5 * time.Second, Hazards: []float64{0.75, 0.50},
			perMonth: 48, tokens: 96000, ends: starryEnds, texts: saysContextLength,
		},
		{
			Operation: "provider.chat", Category: contentFilter,
			Took: 6 * time.Second, perMonth: 20, tokens: 4400, texts: saysContentFilter,
			ends: []outcome{{50, skipped}, {30, byHuman}, {20, silence}},
		},
		{
			Operation: "provider.chat", Category: auth,
			Took: 700 * time.Millisecond, perMonth: 20, tokens: 4400, texts: saysAuth,
			ends: []outcome{{70, byHuman}, {30, silence}},
		},
		{
			Operation: "provider.chat", Category: malformedOutput,
			MaxRetries: 3, Waits: starryThought, Took: 7 * time.Second, Hazards: []float64{0.55, 0.35, 0.14},
			perMonth: 61, tokens: 4400, ends: starryEnds, texts: saysMalformed,
		},
		{
			Operation: "agent.loop", Category: cancelled,
			Took: 12 * time.Second, perMonth: 30, tokens: 2000, ends: []outcome{{75, stopped}, {25, silence}},
			texts: []text{
				{code: "ABORT_ERR", msg: "AbortError: This operation was aborted"},
				{code: "SIGINT", msg: "Interrupted by user (SIGINT)"},
				{code: "ABORT_ERR", msg: "用户已取消任务"},
			},
		},
		{
			Operation: "agent.loop", Category: unknown,
			Took: 10 * time.Second, perMonth: 15, tokens: 4400, ends: []outcome{{40, byHuman}, {60, silence}},
			texts: []text{
				{msg: "plugin {{npm}} reported a problem without details"},
				{msg: "未知状态, 请联系管理员"},
				{msg: "Pain level {{int 1 9}} from an unnamed source"},
			},
		},
	},
}

var starryCode = []text{
	{code: "1", msg: "TypeError: Cannot read properties of undefined (reading '{{name}}')", detail: "    at {{func}} ({{dir}}/{{ts}}:{{int 3 280}}:{{int 3 60}})\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)"},
	{code: "2", msg: "{{ts}}({{int 3 280}},{{int 1 60}}): error TS2339: Property '{{name}}' does not exist on type 'Session'."},
	{code: "1", msg: "ReferenceError: {{name}} is not defined"},
	{code: "1", msg: "SyntaxError: Unexpected token '}' in {{ts}}:{{int 3 280}}"},
	{code: "1", msg: "Command failed with exit code 1: npm run build", detail: "{{ts}}:{{int 3 280}}: error TS2304: Cannot find name '{{name}}'.\nBuild failed with {{int 1 7}} errors."},
	{code: "101", msg: "error[E0425]: cannot find value `{{name}}` in this scope"},
}
