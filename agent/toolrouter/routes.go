package toolrouter

import "evalctl/agent/toolrouter/intent"

// The routes, as a reply names them.
const (
	ImageGen  = "image_gen"
	WebSearch = "web_search"
	TimeQuery = "time_query"
	Chat      = "chat"
	Invalid   = "invalid" // the model's complete answer names no route, and there is no fallback to the rules
)

// Routes lists the four valid routes.
func Routes() []string { return []string{ImageGen, WebSearch, TimeQuery, Chat} }

// bits returns the set with one route; it is empty for chat, which is always open.
func bits(route string) intent.RouteSet {
	switch route {
	case ImageGen:
		return intent.BitImageGen
	case WebSearch:
		return intent.BitWebSearch
	case TimeQuery:
		return intent.BitTimeQuery
	default:
		return 0
	}
}

func name(route intent.RouteSet) string {
	switch route {
	case intent.BitImageGen:
		return ImageGen
	case intent.BitWebSearch:
		return WebSearch
	case intent.BitTimeQuery:
		return TimeQuery
	default:
		return Chat
	}
}
