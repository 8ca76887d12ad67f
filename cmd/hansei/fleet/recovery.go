package fleet

import "time"

// recoveryDelays are long: its jobs run unattended, so it can wait.
var recoveryDelays = []time.Duration{20 * time.Second, 60 * time.Second}

// repairDelay is the time to write the repaired step.
var repairDelay = []time.Duration{3 * time.Second}

// recoveryEnds is how a stage ends after its two retries: the pipeline goes on
// with what it has wherever it can.
var recoveryEnds = []outcome{{30, fellBack}, {25, degraded}, {20, abandoned}, {12, partial}, {8, byHuman}, {5, silence}}

// recovery runs analysis pipelines through the night and repairs their stages
// itself: two retries, then a fallback. Its coverage gate asks for 70 %.
var recovery = agent{
	name:      "recovery-agent",
	session:   "job",
	component: "stage-runner",
	version:   "0.9.5",
	rhythm:    &batch,
	models:    []model{flash, haiku, gptMini},
	traced:    true,
	wraps: []string{
		"LLM call failed in stage {{op}}: {{said}}",
		"{{vendor}}Error: {{said}}",
		"retry {{attempt}}/{{tries}}: {{said}}",
	},
	passes: []pass{
		{"analyze", 110, 25 * time.Second, 4100},
		{"extract", 110, 8 * time.Second, 2600},
	},
	cells: []Cell{
		{
			Operation: "llm.complete", Category: rateLimit, Outage: true,
			MaxRetries: 2, Waits: recoveryDelays, Took: 3 * time.Second, Hazards: []float64{0.55, 0.45, 0.30},
			perMonth: 116, tokens: 3800, ends: recoveryEnds, texts: saysRateLimit,
		},
		{
			Operation: "llm.complete", Category: serverError, Outage: true,
			MaxRetries: 2, Waits: recoveryDelays, Took: 5 * time.Second, Hazards: []float64{0.52, 0.30, 0.15},
			perMonth: 88, tokens: 3800, ends: recoveryEnds, texts: saysServerError,
		},
		{
			Operation: "llm.complete", Category: timeout,
			MaxRetries: 2, Waits: recoveryDelays, Took: 90 * time.Second, Hazards: []float64{0.34, 0.15, 0.05},
			perMonth: 54, tokens: 3800, ends: recoveryEnds,
			texts: []text{
				{code: "DEADLINE_EXCEEDED", msg: "504 DEADLINE_EXCEEDED: Deadline expired before operation could complete."},
				{msg: "openai.APITimeoutError: Request timed out."},
				{msg: "LLM call exceeded its time budget of {{took}}s"},
				{code: "408", msg: "408 Request Timeout after {{took}}s"},
			},
		},
		{ // the stage before may still be writing the artefact
			Operation: "extract", Category: missingFile,
			MaxRetries: 2, Waits: recoveryDelays, Took: time.Second, Hazards: []float64{0.38, 0.20, 0.08},
			perMonth: 54, ends: recoveryEnds,
			texts: []text{
				{msg: "FileNotFoundError: [Errno 2] No such file or directory: '{{dir}}/{{data}}'"},
				{msg: "required artefact {{out}} not found, stage before has not generated it yet"},
				{msg: "path does not exist: {{dir}}/{{data}}"},
			},
		},
		{
			Operation: "analyze", Category: codeError,
			MaxRetries: 2, Waits: repairDelay, Took: 15 * time.Second, Hazards: []float64{0.55, 0.33, 0.15},
			perMonth: 156, tokens: 4100, ends: recoveryEnds, texts: recoveryCode,
		},
		{
			Operation: "analyze", Category: missingDependency,
			MaxRetries: 2, Waits: repairDelay, Took: 4 * time.Second, Hazards: []float64{0.04, 0.02},
			perMonth: 48, ends: recoveryEnds, texts: pythonModules,
		},
		{
			Operation: "plot", Category: plot,
			MaxRetries: 2, Waits: repairDelay, Took: 7 * time.Second, Hazards: []float64{0.40, 0.12},
			perMonth: 54, tokens: 1800, ends: recoveryEnds, texts: plotTexts,
		},
		{
			Operation: "plot", Category: font,
			MaxRetries: 2, Waits: repairDelay, Took: 6 * time.Second, Hazards: []float64{0.06, 0.03},
			perMonth: 34, ends: recoveryEnds, texts: fontTexts,
		},
		{
			Operation: "coverage_gate", Category: qualityGate, gate: &recoveryCoverage,
			MaxRetries: 2, Waits: repairDelay, Took: 80 * time.Second, Hazards: []float64{0.45, 0.28, 0.10},
			perMonth: 75, tokens: 7600, ends: recoveryEnds,
			texts: []text{
				{code: "COVERAGE_LOW", msg: "coverage {{score}}% is below the required {{bar}}% (attempt {{attempt}} of {{tries}})"},
				{code: "COVERAGE_LOW", msg: "Quality gate failed: source coverage {{score}} < {{bar}}, {{int 2 14}} sections have no evidence"},
			},
		},
		{
			Operation: "export", Category: fileIO,
			MaxRetries: 2, Waits: recoveryDelays, Took: 2 * time.Second, Hazards: []float64{0.55, 0.30, 0.15},
			perMonth: 48, ends: recoveryEnds,
			texts: []text{
				{code: "SQLITE_BUSY", msg: "sqlite3.OperationalError: database is locked"},
				{msg: "OSError: [Errno 26] Text file busy: '{{dir}}/{{out}}'"},
				{msg: "The process cannot access the file '{{out}}' because it is being used by another process"},
				{code: "EROFS", msg: "OSError: [Errno 30] Read-only file system: '{{dir}}/{{out}}'"},
			},
		},
		{ // rights do not change within a minute
			Operation: "export", Category: permission,
			MaxRetries: 2, Waits: recoveryDelays, Took: time.Second, Hazards: []float64{0, 0},
			perMonth: 27, ends: []outcome{{45, byHuman}, {40, abandoned}, {15, silence}},
			texts: []text{
				{code: "EACCES", msg: "PermissionError: [Errno 13] Permission denied: '/mnt/share/{{out}}'"},
				{code: "EPERM", msg: "rsync: chown \"/mnt/share/{{out}}\" failed: Operation not permitted (1)"},
			},
		},
		{
			Operation: "analyze", Category: resource,
			Took: 140 * time.Second, perMonth: 16, ends: []outcome{{80, terminated}, {20, silence}},
			texts: []text{
				{code: "137", msg: "stage process was Killed (exit code 137)"},
				{msg: "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {{int 2 18}}.{{int 10 99}} GiB"},
				{msg: "OSError: [Errno 24] Too many open files: '{{data}}'"},
			},
		},
		{
			Operation: "analyze", Category: crash,
			Took: 50 * time.Second, perMonth: 11, ends: []outcome{{80, terminated}, {20, silence}},
			texts: []text{
				{code: "139", msg: "Segmentation fault (core dumped) in python {{py}}"},
				{code: "134", msg: "worker {{int 1 8}} died with SIGABRT: free(): invalid pointer"},
				{msg: "Fatal Python error: Segmentation fault"},
			},
		},
		{
			Operation: "llm.complete", Category: malformedOutput,
			MaxRetries: 2, Waits: repairDelay, Took: 9 * time.Second, Hazards: []float64{0.60, 0.35, 0.15},
			perMonth: 61, tokens: 3800, ends: recoveryEnds, texts: saysMalformed,
		},
		{
			Operation: "extract", Category: validation,
			MaxRetries: 2, Waits: repairDelay, Took: 4 * time.Second, Hazards: []float64{0.30, 0.10},
			perMonth: 48, tokens: 2600, ends: recoveryEnds,
			texts: []text{
				{code: "VALIDATION_ERROR", msg: "1 validation error for ExtractParams: {{key}}: Field required [type=missing]"},
				{code: "VALIDATION_ERROR", msg: "jsonschema.exceptions.ValidationError: {{int -9 -1}} is less than the minimum of 0 ('{{key}}')"},
				{code: "400", status: "Bad Request", msg: "400 Bad Request: parameter 'page_size' must be between 1 and 100, got {{int 101 900}}"},
			},
		},
		{
			Operation: "llm.complete", Category: contextLength, won: "compressed",
			MaxRetries: 1, Waits: repairDelay, Took: 5 * time.Second, Hazards: []float64{0.80},
			perMonth: 41, tokens: 90000, ends: recoveryEnds, texts: saysContextLength,
		},
		{
			Operation: "extract", Category: network,
			MaxRetries: 2, Waits: recoveryDelays, Took: 10 * time.Second, Hazards: []float64{0.60, 0.35, 0.15},
			perMonth: 61, ends: recoveryEnds, texts: saysNetwork,
		},
	},
}

// recoveryCoverage is the bar of the recovery agent: 70 % of what is claimed
// must have a source.
var recoveryCoverage = gate{name: "coverage", bar: 70, scores: []float64{54, 61, 64}}

var recoveryCode = []text{
	{msg: "KeyError: \"['{{key}}'] not in index\"", detail: "Traceback (most recent call last):\n  File \"{{dir}}/{{py}}\", line {{int 10 320}}, in {{func}}\n    frame = frame[cols]\nKeyError: \"['{{key}}'] not in index\""},
	{msg: "TypeError: unsupported operand type(s) for +: 'int' and 'str'", detail: "Traceback (most recent call last):\n  File \"{{dir}}/{{py}}\", line {{int 10 320}}, in {{func}}\nTypeError: unsupported operand type(s) for +: 'int' and 'str'"},
	{msg: "ValueError: Length of values ({{int 10 900}}) does not match length of index ({{int 901 4000}})"},
	{msg: "pandas.errors.MergeError: No common columns to perform merge on in {{func}}"},
	{msg: "ZeroDivisionError: division by zero in {{py}} line {{int 10 320}}"},
	{msg: "psycopg2.errors.UndefinedColumn: column \"{{key}}\" does not exist"},
	{msg: "IndexError: list index out of range ({{py}}:{{int 10 320}})"},
}

// pythonModules, plotTexts and fontTexts are what Python says anywhere.
var (
	pythonModules = []text{
		{msg: "ModuleNotFoundError: No module named '{{module}}'"},
		{msg: "ImportError: {{lib}}: cannot open shared object file: No such file or directory"},
		{msg: "ERROR: No matching distribution found for {{module}}=={{int 1 9}}.{{int 0 30}}"},
		{msg: "/bin/sh: 1: {{cmd}}: command not found"},
	}
	plotTexts = []text{
		{msg: "_tkinter.TclError: no display name and no $DISPLAY environment variable"},
		{msg: "ImportError: Cannot load backend 'TkAgg' which requires the 'tk' interactive framework, as 'headless' is currently running"},
		{msg: "qt.qpa.xcb: could not connect to display, matplotlib backend Qt5Agg failed"},
		{msg: "matplotlib: failed to create figure {{int 1 12}} with the cairo backend"},
	}
	fontTexts = []text{
		{msg: "findfont: Font family '{{font}}' not found."},
		{msg: "findfont: Generic family 'sans-serif' not found because none of the following families were found: {{font}}"},
		{msg: "OSError: cannot load font '{{font}}'"},
		{msg: "RuntimeWarning: Glyph {{int 12354 40869}} missing from current font ({{font}})"},
	}
)
