package llm

import (
	"slices"
	"strings"
)

// GenericProvider is the name of the provider for any base URL with OpenAI's wire format.
const GenericProvider = "generic"

// BaselineProvider is the provider name of baseline models, which run inside evalctl.
const BaselineProvider = "baseline"

// Values of Provider.ServiceKind, for providers without models.
const (
	webSearch = "search_engine"
	retrieval = "retrieval"
)

// Provider describes a service: its address, and how it differs from OpenAI's wire format. Some
// providers offer a web search or retrieval and have no models.
type Provider struct {
	Name        string // identifier in settings and spans, such as "deepseek"
	ServiceKind string // kind of service other than models, such as web search; "": models
	BaseURL     string // API base URL with version, without trailing slash; "": the user must set one
	KeyEnv      string // the usual environment variable of the API key

	// DisableThinking is a field that switches reasoning off. It is added to JSON-mode requests,
	// because reasoning models refuse JSON mode or spend the answer on reasoning. An empty Key
	// means that the service has no such switch.
	DisableThinking ExtraField

	StreamsUsageByDefault   bool // streams report their usage unasked, in the chunk with finish_reason
	RequiresContent         bool // refuses a message without the field content, which go-openai omits for empty text
	UsesMaxCompletionTokens bool // requires max_completion_tokens in place of max_tokens
	MaxEmbeddingInputs      int  // largest number of texts in one embeddings call

	permanentCodes []string // error codes that are permanent although their HTTP status suggests a retry
}

// ExtraField is an additional field of a request body that OpenAI's format lacks. Value is JSON.
type ExtraField struct{ Key, Value string }

var providers = [...]Provider{
	{
		Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY",
		UsesMaxCompletionTokens: true, MaxEmbeddingInputs: 2048,
		permanentCodes: []string{"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"},
	},
	{
		Name: "deepseek", BaseURL: "https://api.deepseek.com", KeyEnv: "DEEPSEEK_API_KEY",
		DisableThinking:       ExtraField{"thinking", `{"type":"disabled"}`},
		StreamsUsageByDefault: true, RequiresContent: true, MaxEmbeddingInputs: 2048,
		permanentCodes: []string{"insufficient_balance"},
	},
	{
		Name: "dashscope", BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", KeyEnv: "DASHSCOPE_API_KEY",
		DisableThinking: ExtraField{"enable_thinking", `false`},
		RequiresContent: true, MaxEmbeddingInputs: 10,
		permanentCodes: []string{"insufficient_quota", "Arrearage", "CommodityNotPurchased", "PrepaidBillOverdue",
			"PostpaidBillOverdue", "BudgetLimitExceeded"},
	},
	{
		Name: "ark", BaseURL: "https://ark.cn-beijing.volces.com/api/v3", KeyEnv: "ARK_API_KEY",
		DisableThinking: ExtraField{"thinking", `{"type":"disabled"}`},
		RequiresContent: true, MaxEmbeddingInputs: 256,
		permanentCodes: []string{"QuotaExceeded", "SetLimitExceeded", "AccountOverdueError"},
	},
	{
		Name: "tavily", ServiceKind: webSearch, BaseURL: "https://api.tavily.com", KeyEnv: "TAVILY_API_KEY",
	},
	{
		Name: "bocha", ServiceKind: webSearch, BaseURL: "https://api.bochaai.com/v1", KeyEnv: "BOCHA_API_KEY",
		permanentCodes: []string{"403"},
	},
	{
		Name: "ragflow", ServiceKind: retrieval, KeyEnv: "RAGFLOW_API_KEY",
	},
	{
		Name: BaselineProvider, RequiresContent: true, MaxEmbeddingInputs: 1,
	},
	{
		Name: GenericProvider, RequiresContent: true, MaxEmbeddingInputs: 256,
		permanentCodes: []string{"insufficient_quota", "insufficient_balance", "Arrearage", "QuotaExceeded",
			"AccountOverdueError"},
	},
}

// Providers returns all providers.
func Providers() []Provider { return slices.Clone(providers[:]) }

// LookupProvider finds a provider by name; "" means "generic". The result is false for an unknown
// name.
func LookupProvider(name string) (Provider, bool) {
	if name == "" {
		name = GenericProvider
	}
	for i := range providers {
		if providers[i].Name == name {
			return providers[i], true
		}
	}
	return Provider{}, false
}

// IsPermanentError reports whether an error code or type is permanent, such as an exhausted quota,
// although the HTTP status suggests a retry.
func (p Provider) IsPermanentError(codes ...string) bool {
	for _, code := range codes {
		for _, f := range p.permanentCodes {
			if strings.EqualFold(code, f) {
				return true
			}
		}
	}
	return false
}

// ParseModel splits the model specification PROVIDER:NAME. NAME alone means the provider "generic".
// PROVIDER alone is accepted for a service without models. A prefix that is not a provider's name
// is part of the model's name.
func ParseModel(model string) (Provider, string) {
	provider, name, ok := strings.Cut(model, ":")
	if p, known := LookupProvider(provider); known && (ok || p.ServiceKind != "") {
		return p, name
	}
	p, _ := LookupProvider(GenericProvider)
	return p, model
}
