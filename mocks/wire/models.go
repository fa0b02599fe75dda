package wire

import (
	"slices"

	"evalctl/mocks/jsontext"
)

const deepSeekNames = "deepseek-flash, deepseek-v4-flash and deepseek-v4-pro"

// deepSeekModels returns the model names that DeepSeek accepts. If strict is false, they include
// deprecated ones.
func deepSeekModels(strict bool) []string {
	list := []string{"deepseek-flash", "deepseek-v4-flash", "deepseek-v4-pro"}
	if !strict {
		list = append(list, "deepseek-chat", "deepseek-reasoner")
	}
	return list
}

// models returns the models that the provider lists, and their owner.
func (c *Call) models() (list []string, owner string) {
	switch c.Route.Dialect {
	case DeepSeek:
		return deepSeekModels(c.Strict), "deepseek"
	case DashScope, DashScopeNative:
		return []string{"qwen-plus", "qwen-max", "qwen-turbo", "qwen-vl-plus", "qwen-vl-max", "text-embedding-v3",
			"text-embedding-v4"}, "system"
	case Ark:
		return []string{"doubao-seed-1-6-lite-251015", "doubao-1-5-pro-32k-250115"}, "system"
	}
	return []string{"gpt-4o", "gpt-4o-mini", "text-embedding-3-small", "text-embedding-3-large",
		"text-embedding-ada-002"}, "system"
}

// isModel reports whether the provider accepts a model name. Without Strict, any name is accepted.
// For Ark every name is, because users name their own endpoints.
func (c *Call) isModel(model string) bool {
	if !c.Strict || c.Route.Dialect == Ark {
		return true
	}
	list, _ := c.models()
	return slices.Contains(list, model)
}

// AppendModels appends the answer to a request for the list of models.
func (c *Call) AppendModels(b []byte) []byte {
	list, owner := c.models()
	b = append(b, `{"object":"list","data":[`...)
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendStringField(append(b, '{'), "id", m)
		b = append(b, `,"object":"model"`...)
		if c.Route.Dialect != DeepSeek {
			b = append(b, `,"created":1700000000`...)
		}
		b = append(jsontext.AppendStringField(append(b, ','), "owned_by", owner), '}')
	}
	return append(b, ']', '}')
}
