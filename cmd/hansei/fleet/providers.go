package fleet

import "math/rand/v2"

// The categories that the fleet's errors are meant to have.
const (
	rateLimit         = "rate_limit"
	network           = "network"
	serverError       = "server_error"
	timeout           = "timeout"
	auth              = "auth"
	quota             = "quota"
	permission        = "permission"
	missingFile       = "missing_file"
	fileIO            = "file_io"
	missingDependency = "missing_dependency"
	font              = "font"
	plot              = "plot"
	validation        = "validation"
	malformedOutput   = "malformed_output"
	contextLength     = "context_length"
	contentFilter     = "content_filter"
	qualityGate       = "quality_gate"
	codeError         = "code_error"
	resource          = "resource"
	crash             = "crash"
	loopLimit         = "loop_limit"
	cancelled         = "cancelled"
	unknown           = "unknown"
)

// A model is one that agents call.
type model struct {
	provider, vendor, name string
	// price is in US dollars per million tokens, three parts of input and one of
	// output, near the list prices of 2025.
	price float64
}

// The models of the fleet.
var (
	sonnet  = model{"anthropic", "Claude", "claude-sonnet-4-5", 6}
	haiku   = model{"anthropic", "Claude", "claude-haiku-4-5", 2}
	gpt41   = model{"openai", "OpenAI", "gpt-4.1", 3.5}
	gptMini = model{"openai", "OpenAI", "gpt-5-mini", 0.7}
	pro     = model{"google", "Gemini", "gemini-2.5-pro", 3.4}
	flash   = model{"google", "Gemini", "gemini-2.5-flash", 0.9}
	mistral = model{"mistral", "Mistral", "mistral-large-latest", 3}
)

// pick draws the model of a call; in an outage, one of the provider that fails.
func (a *agent) pick(r *rand.Rand, outage *Outage) *model {
	var weights []float64
	for i, m := range a.models {
		w := 1 / float64(i+2) // the first is called most, the last still seen
		if outage != nil && m.provider != outage.Provider {
			w = 0
		}
		weights = append(weights, w)
	}
	return &a.models[weighted(r, weights)]
}

// What providers say, in their own words. Each list has words of all four.
var (
	saysRateLimit = []text{
		{of: "anthropic", code: "429", status: "rate_limit_error", msg: `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of {{comma 40 400}},000 input tokens per minute. Reduce the prompt length or try again later."},"request_id":"{{req}}"}`},
		{of: "anthropic", code: "429", status: "rate_limit_error", msg: "Number of requests has exceeded your per-minute rate limit of {{int 50 1000}} for {{model}}"},
		{of: "anthropic", code: "529", status: "overloaded_error", msg: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"{{req}}"}`},
		{of: "openai", code: "429", status: "rate_limit_exceeded", msg: "Rate limit reached for {{model}} in organization org-{{hex 8}} on tokens per min (TPM): Limit {{int 200000 450000}}, Used {{int 180000 199999}}, Requested {{int 4000 26000}}. Please try again in {{int 1 9}}.{{int 100 999}}s."},
		{of: "openai", code: "429", status: "rate_limit_exceeded", msg: "Rate limit reached for {{model}} on requests per min (RPM): Limit {{int 60 500}}, Used {{int 60 500}}, Requested 1. Please try again in {{int 120 980}}ms."},
		{of: "openai", code: "429", status: "Too Many Requests", msg: "429 Too Many Requests (request id {{req}})"},
		{of: "google", code: "429", status: "RESOURCE_EXHAUSTED", msg: "Resource exhausted: requests per minute for {{model}} over the limit of {{int 10 360}}. Please retry in {{int 4 58}}.{{int 1 9}}s."},
		{of: "google", code: "429", status: "RESOURCE_EXHAUSTED", msg: "Quota exceeded for metric generate_content_requests, limit GenerateRequestsPerMinutePerProjectPerModel, model {{model}}, retryDelay {{int 6 55}}s"},
		{of: "google", code: "503", status: "UNAVAILABLE", msg: "The model is overloaded. Please try again later."},
		{of: "mistral", code: "429", status: "Too Many Requests", msg: `{"message":"Requests rate limit exceeded","request_id":"{{req}}"}`},
	}
	saysServerError = []text{
		{of: "anthropic", code: "500", status: "api_error", msg: `{"type":"error","error":{"type":"api_error","message":"Internal server error"},"request_id":"{{req}}"}`},
		{of: "anthropic", code: "502", status: "Bad Gateway", msg: "502 Bad Gateway: the upstream of {{model}} gave no valid response"},
		{of: "openai", code: "500", status: "server_error", msg: "The server had an error processing your request. Sorry about that! You can retry your request (request ID {{req}})."},
		{of: "openai", code: "503", status: "Service Unavailable", msg: "503 Service Unavailable while calling {{model}}"},
		{of: "openai", code: "520", status: "", msg: "HTTP 520: web server returned an unknown error (cf-ray {{hex 16}}-NRT)"},
		{of: "google", code: "500", status: "INTERNAL", msg: "500 INTERNAL. An internal error has occurred. Please retry."},
		{of: "google", code: "503", status: "UNAVAILABLE", msg: "503 UNAVAILABLE. The service is currently unavailable."},
		{of: "google", code: "504", status: "", msg: "504 Gateway Time-out from generativelanguage.googleapis.com"},
		{of: "mistral", code: "500", status: "internal_server_error", msg: `{"object":"error","message":"Internal server error","type":"internal_server_error","code":"{{int 1000 3999}}"}`},
	}
	saysContextLength = []text{
		{of: "anthropic", code: "400", status: "invalid_request_error", msg: "prompt is too long: {{int 200100 264000}} tokens > 200000 maximum"},
		{of: "anthropic", code: "400", status: "invalid_request_error", msg: "input length and max_tokens exceed context limit: {{int 188000 199000}} + 16384 > 200000, decrease input length or max_tokens and try again"},
		{of: "openai", code: "context_length_exceeded", status: "400", msg: "This model's maximum context length is 128000 tokens. However, your messages resulted in {{int 128100 171000}} tokens. Please reduce the length of the messages."},
		{of: "google", code: "400", status: "INVALID_ARGUMENT", msg: "The input token count ({{int 1048600 1390000}}) exceeds the maximum number of tokens allowed (1048576)."},
		{of: "mistral", code: "400", status: "invalid_request_error", msg: "Prompt contains {{int 131100 150000}} tokens, too large for model with 131072 maximum context length"},
	}
	saysQuota = []text{
		{of: "anthropic", code: "400", status: "invalid_request_error", msg: "Your credit balance is too low to access the API. Please go to Plans & Billing to purchase credits."},
		{of: "openai", code: "insufficient_quota", status: "429", msg: "You exceeded your current quota, please check your plan and billing details."},
		{of: "google", code: "429", status: "RESOURCE_EXHAUSTED", msg: "Quota exceeded: GenerateRequestsPerDayPerProjectPerModel, limit {{int 50 1500}} for {{model}}. Check your plan and billing details."},
		{of: "mistral", code: "402", status: "Payment Required", msg: "402 Payment Required: the monthly budget of this workspace is used up"},
	}
	saysAuth = []text{
		{of: "anthropic", code: "401", status: "authentication_error", msg: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"{{req}}"}`},
		{of: "openai", code: "invalid_api_key", status: "401", msg: "Incorrect API key provided: sk-****{{hex 4}}. Check the key in the settings of your account."},
		{of: "openai", code: "401", status: "Unauthorized", msg: "401 Unauthorized: your authentication token has expired, please sign in again"},
		{of: "google", code: "400", status: "API_KEY_INVALID", msg: "API key not valid. Please pass a valid API key."},
		{of: "mistral", code: "401", status: "Unauthorized", msg: `{"detail":"Unauthorized: invalid API key"}`},
	}
	saysContentFilter = []text{
		{of: "anthropic", code: "400", status: "invalid_request_error", msg: "Output blocked by content filtering policy"},
		{of: "openai", code: "content_policy_violation", status: "400", msg: "Your request was rejected as a result of our safety system. Your prompt may contain text that is not allowed by our content policy."},
		{of: "google", code: "SAFETY", status: "", msg: "Response was blocked: finishReason SAFETY, category HARM_CATEGORY_DANGEROUS_CONTENT, probability MEDIUM"},
		{of: "google", code: "RECITATION", status: "", msg: "Candidate was blocked due to RECITATION"},
		{of: "mistral", code: "400", status: "", msg: "finish_reason: content_filter, no text was returned"},
	}
	saysMalformed = []text{
		{of: "google", code: "MALFORMED_FUNCTION_CALL", msg: "finishReason MALFORMED_FUNCTION_CALL: the model's call of {{op}} does not parse"},
		{of: "google", code: "MALFORMED_FUNCTION_CALL", msg: "Malformed function call: print(default_api.{{func}}({{name}}=["},
		{code: "TOOL_CALL_PARSE", msg: "Failed to parse tool call arguments as JSON: Unexpected end of JSON input (position {{int 40 3900}})"},
		{code: "TOOL_CALL_PARSE", msg: "Invalid JSON in tool call arguments of the model: Expecting ',' delimiter: line 1 column {{int 20 900}} (char {{int 20 900}})"},
		{code: "EMPTY_RESPONSE", msg: "Model {{model}} returned an empty response"},
		{code: "TRUNCATED", msg: "Response of the model was truncated: finish_reason=length after {{int 1024 2048}} output tokens"},
	}
)

// What the way to a provider says: the same for all of them.
var saysNetwork = []text{
	{code: "ECONNREFUSED", msg: "connect ECONNREFUSED {{ip}}:{{int 3000 9000}}"},
	{code: "ECONNRESET", msg: "read ECONNRESET while reading from {{host}}"},
	{code: "ENOTFOUND", msg: "getaddrinfo ENOTFOUND {{host}}"},
	{code: "EAI_AGAIN", msg: "getaddrinfo EAI_AGAIN {{host}}"},
	{code: "ETIMEDOUT", msg: "connect ETIMEDOUT {{ip}}:443"},
	{code: "UND_ERR_SOCKET", msg: "TypeError: fetch failed (cause: SocketError: other side closed)"},
	{code: "ECONNRESET", msg: "socket hang up"},
	{msg: "Post \"https://{{host}}/v1/chat\": net/http: TLS handshake timeout"},
	{msg: "peer closed connection without sending complete message body (incomplete chunked read)"},
}
