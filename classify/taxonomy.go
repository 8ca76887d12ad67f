package classify

// A Taxonomy says what kind of trouble a failure is, and who must act.
type Taxonomy string

// The taxonomies.
const (
	Execution       Taxonomy = "execution"
	Transient       Taxonomy = "transient"
	Fatal           Taxonomy = "fatal"
	UnknownTaxonomy Taxonomy = "unknown"
)

// A Category is the pattern that a failure matches. The list is closed, see
// [Categories]; the empty Category stands for an event that is no failure.
type Category string

// The categories.
const (
	RateLimit         Category = "rate_limit"
	Network           Category = "network"
	ServerError       Category = "server_error"
	Timeout           Category = "timeout"
	Auth              Category = "auth"
	Quota             Category = "quota"
	Permission        Category = "permission"
	MissingFile       Category = "missing_file"
	FileIO            Category = "file_io"
	MissingDependency Category = "missing_dependency"
	Font              Category = "font"
	Plot              Category = "plot"
	Validation        Category = "validation"
	MalformedOutput   Category = "malformed_output"
	ContextLength     Category = "context_length"
	ContentFilter     Category = "content_filter"
	QualityGate       Category = "quality_gate"
	CodeError         Category = "code_error"
	Resource          Category = "resource"
	Crash             Category = "crash"
	LoopLimit         Category = "loop_limit"
	Cancelled         Category = "cancelled"
	Unknown           Category = "unknown"
)

// A TaxonomyRow is an entry of [Taxonomies].
type TaxonomyRow struct {
	Name      Taxonomy
	Letter    string // one letter for narrow tables; "-" for unknown
	Meaning   string
	MeaningJA string
	Advice    string // what the agent's runtime should do
	AdviceJA  string
}

// Taxonomies is the closed list of taxonomies, in the order of reports.
var Taxonomies = []TaxonomyRow{
	{Execution, "A",
		"The action was wrong: the same call again fails again.", "操作そのものの誤り。同じ呼び出しは再び失敗する。",
		"Feed the error back to the model, or ask a human.", "エラーをモデルに返すか、人に確認する。"},
	{Transient, "B",
		"The environment was briefly unable: the same call may pass later.", "環境の一時的な不調。同じ呼び出しが後で通りうる。",
		"Retry with backoff.", "間隔を延ばしながら再試行する。"},
	{Fatal, "C",
		"The process or its safety limit gave way.", "プロセスまたは安全上の上限が破れた。",
		"Stop the run and raise the daemon's alarm.", "実行を止め、監視に警報を出す。"},
	{UnknownTaxonomy, "-",
		"No rule matched. Shown and counted, never hidden in another tag.", "一致する規則なし。隠さず数えて示す。",
		"Ask a human.", "人に確認する。"},
}

// advice returns what the runtime should do about a failure of t.
func (t Taxonomy) advice() Text {
	for _, row := range Taxonomies {
		if row.Name == t {
			return Text{row.Advice, row.AdviceJA}
		}
	}
	return Text{}
}

// A CategoryRow is an entry of [Categories].
type CategoryRow struct {
	Name      Category
	Taxonomy  Taxonomy
	Retryable bool // whether the same call, unchanged, may pass later
	Meaning   string
	MeaningJA string
}

// Categories is the closed list of categories, in the order of reports.
var Categories = []CategoryRow{
	{RateLimit, Transient, true, "too many requests or tokens in a short time; overloaded", "短時間の要求過多、過負荷"},
	{Network, Transient, true, "connection, DNS or TLS handshake failed or broke off", "接続・DNS・TLSの失敗や切断"},
	{ServerError, Transient, true, "the server answered with an error of its own (5xx)", "サーバー側のエラー応答（5xx）"},
	{Timeout, Transient, true, "a time budget ran out", "時間切れ"},
	{Auth, Execution, false, "key, token, login or certificate not accepted", "認証・認可の失敗、証明書の不備"},
	{Quota, Execution, false, "money or a long-window allowance used up", "残高や長期の利用枠の使い切り"},
	{Permission, Execution, false, "no right to a file, process, device or tool", "ファイル・プロセス・機器・ツールの権限なし"},
	{MissingFile, Execution, false, "a file or folder does not exist", "ファイルやフォルダーがない"},
	{FileIO, Execution, false, "a file exists but cannot be read or written", "ファイルの読み書きの失敗"},
	{MissingDependency, Execution, false, "a command, module, package, model or tool is not there", "コマンド・モジュール・モデル・ツールがない"},
	{Font, Execution, false, "a font or glyph is missing or cannot be loaded", "フォントや字形がない、読み込めない"},
	{Plot, Execution, false, "no display or drawing backend", "表示先や描画バックエンドがない"},
	{Validation, Execution, false, "parameters or data do not meet what is asked", "引数やデータが要件を満たさない"},
	{MalformedOutput, Execution, true, "the model's output is empty, cut or does not parse", "モデル出力が空・途中切れ・解析不能"},
	{ContextLength, Execution, false, "the request is too long for the model", "入力がモデルの上限長を超過"},
	{ContentFilter, Execution, false, "blocked by a safety or content policy", "安全・内容ポリシーによる遮断"},
	{QualityGate, Execution, true, "work fell short of a review, test or coverage bar", "審査・テスト・網羅率の基準に未達"},
	{CodeError, Execution, false, "an exception or compile error in the code that ran", "実行したコードの例外やコンパイルエラー"},
	{Resource, Fatal, false, "memory, disk or handles ran out", "メモリー・ディスク・ハンドルの枯渇"},
	{Crash, Fatal, false, "a process died", "プロセスの異常終了"},
	{LoopLimit, Fatal, false, "a limit of turns, calls, depth or cost of one run", "1回の実行の反復・深さ・費用の上限"},
	{Cancelled, Execution, false, "stopped by the user or client; outside every rate", "利用者やクライアントによる中止（率の対象外）"},
	{Unknown, UnknownTaxonomy, false, "no rule matched", "一致する規則なし"},
}

// Row returns the entry of [Categories] for c; a name that is not in the list
// gets the row of [Unknown].
func (c Category) Row() CategoryRow {
	for i := range Categories {
		if Categories[i].Name == c {
			return Categories[i]
		}
	}
	return Categories[len(Categories)-1]
}

// known says whether c is in the closed list.
func (c Category) known() bool { return c == Unknown || c.Row().Name == c }
