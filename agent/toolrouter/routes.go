package toolrouter

import "evalctl/agent/toolrouter/intent"

// The routes, as a reply names them.
const (
	ImageGen  = "image_gen"
	WebSearch = "web_search"
	TimeQuery = "time_query"
	Chat      = "chat"
	Invalid   = "invalid" // the model's whole answer names none, and no rules stand behind it
)

// Routes lists the four.
func Routes() []string { return []string{ImageGen, WebSearch, TimeQuery, Chat} }

// bits are the routes' places in a set; chat is always open and has none.
func bits(route string) intent.Routes {
	switch route {
	case ImageGen:
		return intent.ImageGen
	case WebSearch:
		return intent.WebSearch
	case TimeQuery:
		return intent.TimeQuery
	default:
		return 0
	}
}

func name(route intent.Routes) string {
	switch route {
	case intent.ImageGen:
		return ImageGen
	case intent.WebSearch:
		return WebSearch
	case intent.TimeQuery:
		return TimeQuery
	default:
		return Chat
	}
}
