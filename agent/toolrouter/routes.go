package toolrouter

import "evalctl/agent/toolrouter/intent"

// The routes of a message. They are the labels in replies and cases.
const (
	ImageGen  = "image_gen"  // generate an image
	WebSearch = "web_search" // search the web and answer with the facts
	TimeQuery = "time_query" // answer with the local time, without a model
	Chat      = "chat"       // answer with the chat model
	Invalid   = "invalid"    // not a route: the model's answer contains no valid one, and mode LLM has no fallback
)

// Routes returns the four valid routes, with the fallback label Chat last.
func Routes() []string { return []string{ImageGen, WebSearch, TimeQuery, Chat} }

// bits returns the route as a set for package intent. Chat is the empty set, because it is always
// available.
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
