package toolrouter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/toolrouter/intent"
)

// DisabledFeatures lists the features that are switched off. With the zero value, all features are
// on.
type DisabledFeatures struct {
	Routing   bool // no routing: every message goes to chat
	ImageGen  bool // no image generation
	WebSearch bool // no web search
	DashScope bool // the DashScope key is missing: no image generation and no web search
}

// withOptions returns the features that are off in a turn: those of g, and those that the options
// of the turn switch off.
func (g DisabledFeatures) withOptions(options map[string]json.RawMessage) (DisabledFeatures, error) {
	if len(options) == 0 {
		return g, nil
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		var on *bool
		if err := json.Unmarshal(options[name], &on); err != nil || on == nil {
			return g, fmt.Errorf("option %s: %s is neither true nor false", name, options[name])
		}
		switch name {
		case "agent":
			g.Routing = g.Routing || !*on
		case "image_gen":
			g.ImageGen = g.ImageGen || !*on
		case "web_search":
			g.WebSearch = g.WebSearch || !*on
		case "dashscope_key":
			g.DashScope = g.DashScope || !*on
		default:
			return g, fmt.Errorf("option %s: unknown", name)
		}
	}
	return g, nil
}

// openRoutes returns the routes that are available. The clock is always available, because it
// requires no key.
func (g DisabledFeatures) openRoutes() (routes intent.RouteSet) {
	if g.Routing {
		return 0
	}
	routes = intent.RouteTimeQuery
	if !g.ImageGen && !g.DashScope {
		routes |= intent.RouteImageGen
	}
	if !g.WebSearch && !g.DashScope {
		routes |= intent.RouteWebSearch
	}
	return routes
}
