package llm

import (
	"slices"
	"strings"
)

// Generic is the provider for any base URL with OpenAI's wire format.
const Generic = "generic"

// Baseline is the provider of baseline models, which are trained in the process.
const Baseline = "baseline"

// Services of providers without models: web search and retrieval of passages.
const (
	webSearch = "search_engine"
	retrieval = "retrieval"
)

// Provider describes the differences between services with the same wire format, or a service
// without models.
type Provider struct {
	Name    string
	Service string // service other than models; "": models
	BaseURL string // with version, without trailing slash; "" for Generic and for self-hosted services
	KeyEnv  string // the usual environment variable of the key

	// ThinkingOff is added to JSON-mode requests. Reasoning models refuse JSON mode or spend the
	// answer on reasoning. An empty Key means that the service has no such switch.
	ThinkingOff Extra

	UsageOnFinish    bool // a stream's usage arrives without a request, in the chunk with finish_reason
	NeedsContent     bool // refuses a message without a content key; go-openai omits it for empty text
	CompletionTokens bool // requires max_completion_tokens in place of max_tokens
	MaxInputs        int  // maximal number of texts in an embeddings call

	final []string // codes of permanent errors with a status that suggests a retry
}

// Extra is a top-level field of a request body that OpenAI's format lacks. Value is JSON.
type Extra struct{ Key, Value string }

var providers = [...]Provider{
	{
		Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY",
		CompletionTokens: true, MaxInputs: 2048,
		final: []string{"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"},
	},
	{
		Name: "deepseek", BaseURL: "https://api.deepseek.com", KeyEnv: "DEEPSEEK_API_KEY",
		ThinkingOff:   Extra{"thinking", `{"type":"disabled"}`},
		UsageOnFinish: true, NeedsContent: true, MaxInputs: 2048,
		final: []string{"insufficient_balance"},
	},
	{
		Name: "dashscope", BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", KeyEnv: "DASHSCOPE_API_KEY",
		ThinkingOff:  Extra{"enable_thinking", `false`},
		NeedsContent: true, MaxInputs: 10,
		final: []string{"insufficient_quota", "Arrearage", "CommodityNotPurchased", "PrepaidBillOverdue",
			"PostpaidBillOverdue", "BudgetLimitExceeded"},
	},
	{
		Name: "ark", BaseURL: "https://ark.cn-beijing.volces.com/api/v3", KeyEnv: "ARK_API_KEY",
		ThinkingOff:  Extra{"thinking", `{"type":"disabled"}`},
		NeedsContent: true, MaxInputs: 256,
		final: []string{"QuotaExceeded", "SetLimitExceeded", "AccountOverdueError"},
	},
	{
		Name: "tavily", Service: webSearch, BaseURL: "https://api.tavily.com", KeyEnv: "TAVILY_API_KEY",
	},
	{
		Name: "bocha", Service: webSearch, BaseURL: "https://api.bochaai.com/v1", KeyEnv: "BOCHA_API_KEY",
		final: []string{"403"},
	},
	{
		Name: "ragflow", Service: retrieval, KeyEnv: "RAGFLOW_API_KEY",
	},
	{
		Name: Baseline, NeedsContent: true, MaxInputs: 1,
	},
	{
		Name: Generic, NeedsContent: true, MaxInputs: 256,
		final: []string{"insufficient_quota", "insufficient_balance", "Arrearage", "QuotaExceeded",
			"AccountOverdueError"},
	},
}

// Providers returns all providers.
func Providers() []Provider { return slices.Clone(providers[:]) }

// Lookup finds a provider by name. The empty name is Generic.
func Lookup(name string) (Provider, bool) {
	if name == "" {
		name = Generic
	}
	for i := range providers {
		if providers[i].Name == name {
			return providers[i], true
		}
	}
	return Provider{}, false
}

// IsFinal reports whether an error code or type rules out a retry although the status suggests one:
// balance or quota is used up.
func (p Provider) IsFinal(codes ...string) bool {
	for _, code := range codes {
		for _, f := range p.final {
			if strings.EqualFold(code, f) {
				return true
			}
		}
	}
	return false
}

// SplitModel splits PROVIDER:NAME. It also accepts NAME alone, or PROVIDER alone for a service
// without models. A prefix that is not a provider's name is part of the model's name.
func SplitModel(model string) (Provider, string) {
	provider, name, ok := strings.Cut(model, ":")
	if p, known := Lookup(provider); known && (ok || p.Service != "") {
		return p, name
	}
	p, _ := Lookup(Generic)
	return p, model
}
