package wire

import "strings"

// returnsReasoning reports whether the requested model thinks and returns its reasoning.
func (c *Call) returnsReasoning(b *ChatBody) bool {
	switch c.Route.Dialect {
	case DeepSeek:
		if b.Thinking.Type != "" {
			return b.Thinking.Type == "enabled"
		}
		return b.Model != "deepseek-chat" && b.Model != ""
	case DashScope, DashScopeNative:
		return b.EnableThinking != nil && *b.EnableThinking
	case Ark:
		if b.Thinking.Type != "" {
			return b.Thinking.Type == "enabled"
		}
		return strings.HasPrefix(b.Model, "doubao-seed-")
	}
	return false
}
