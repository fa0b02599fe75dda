package toolrouter

import "evalctl/agent/toolrouter/intent"

// The routes of a message. They are the labels in replies and cases.
const (
	RouteImageGen  = "image_gen"  // generate an image
	RouteWebSearch = "web_search" // search the web and answer with the facts
	RouteTimeQuery = "time_query" // answer with the local time, without a model
	// not a route: the model's answer contains no valid route, and mode ModeLLM has no fallback
	RouteChat = "chat"
	// not a route: the model's answer contains no valid one, and mode ModeLLM has no fallback
	RouteInvalid = "invalid"
)

// Routes returns the four valid routes, with the fallback label RouteChat last.
func Routes() []string { return []string{RouteImageGen, RouteWebSearch, RouteTimeQuery, RouteChat} }

const allRoutes = intent.RouteImageGen | intent.RouteTimeQuery | intent.RouteWebSearch

// routeSet returns the route as a set for package intent. RouteChat is the empty set, because it is
// always available.
func routeSet(route string) intent.RouteSet {
	switch route {
	case RouteImageGen:
		return intent.RouteImageGen
	case RouteWebSearch:
		return intent.RouteWebSearch
	case RouteTimeQuery:
		return intent.RouteTimeQuery
	default:
		return 0
	}
}

func routeName(route intent.RouteSet) string {
	switch route {
	case intent.RouteImageGen:
		return RouteImageGen
	case intent.RouteWebSearch:
		return RouteWebSearch
	case intent.RouteTimeQuery:
		return RouteTimeQuery
	default:
		return RouteChat
	}
}
