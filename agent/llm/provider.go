package llm

import (
	"slices"
	"strings"
)

// Generic is the provider for any base URL that speaks OpenAI's wire format.
const Generic = "generic"

// Baseline is the provider of models that are learned in the process.
const Baseline = "baseline"

// webSearch and Recall are what Providers without models serve: the web is searched,
// passages of documents are found.
const (
	webSearch = "search_engine"
	retrieval = "retrieval"
)

// Provider is what differs between services that speak the same wire format, or is
// told of a service that has no models.
type Provider struct {
	Name    string
	Service string // in place of models; "": it has models
	BaseURL string // with the version, without a slash at the end; empty for Generic, and for what everybody runs themselves
	KeyEnv  string // the environment variable that usually holds the key

	// ThinkingOff goes into JSON-mode requests: thinking models refuse JSON
	// mode, or spend the answer on thoughts. Its Key is empty where the
	// service has no such switch.
	ThinkingOff Extra

	UsageOnFinish    bool // a stream's usage comes unasked, on the chunk with finish_reason
	NeedsContent     bool // refuses a message without a content key, which is how go-openai sends empty text
	CompletionTokens bool // wants max_completion_tokens in place of max_tokens
	MaxInputs        int  // texts in one embeddings call

	final []string // codes of errors that look transient by their status and are not
}

// Extra is a top-level field of a request body that OpenAI's format does not
// have; Value is JSON.
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
		final: []string{"insufficient_quota", "insufficient_balance", "Arrearage", "QuotaExceeded", "AccountOverdueError"},
	},
}

// Providers lists all providers; a Config may name any of them.
func Providers() []Provider { return slices.Clone(providers[:]) }

// Lookup finds a provider by its name. The empty name is Generic's.
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

// IsFinal tells whether an error code, or type, means that no retry will help
// although the status says so: the money or the quota is used up.
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

// SplitModel reads NAME or PROVIDER:NAME, or the PROVIDER alone that has no models.
// What stands before a colon and is no provider's name is part of the model's.
func SplitModel(model string) (Provider, string) {
	provider, name, ok := strings.Cut(model, ":")
	if p, known := Lookup(provider); known && (ok || p.Service != "") {
		return p, name
	}
	p, _ := Lookup(Generic)
	return p, model
}
