package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// Names of the search engines, for Config.Engine.
const (
	Tavily = "tavily"
	Bocha  = "bocha"
)

// Engines returns the names of the supported search engines.
func Engines() []string { return []string{Tavily, Bocha} }

// engine describes how a search engine differs from the others: path, request and response.
type engine struct {
	name, path string
	maxResults int // highest number of results that one search can request
	ask        func(cfg Config, query string, most int) any
	read       func(raw []byte, p llm.Provider) (search.Results, error)
}

func find(name string) (engine, error) {
	switch name {
	case Tavily:
		return engine{
			name:       Tavily,
			path:       "/search",
			maxResults: 20,
			ask:        askTavily,
			read:       readTavily,
		}, nil
	case Bocha:
		return engine{
			name:       Bocha,
			path:       "/web-search",
			maxResults: 50,
			ask:        askBocha,
			read:       readBocha,
		}, nil
	}
	return engine{}, fmt.Errorf("web.Config.Engine: unknown %q (known: %s)", name, strings.Join(Engines(), ", "))
}

// Valid values of the options Depth, Topic and Freshness.
var (
	depths    = []string{"basic", "advanced", "fast", "ultra-fast"}
	topics    = []string{"general", "news", "finance"}
	freshness = regexp.MustCompile(`^(noLimit|oneDay|oneWeek|oneMonth|oneYear|\d{4}-\d\d-\d\d(\.\.\d{4}-\d\d-\d\d)?)$`)
)

// checkOptions returns an error for an invalid option, and for an option that the engine e does not
// support.
func (cfg Config) checkOptions(e engine) error {
	for _, o := range []struct {
		field, value, of string
		ok               bool
	}{
		{"Depth", cfg.Depth, Tavily, slices.Contains(depths, cfg.Depth)},
		{"Topic", cfg.Topic, Tavily, slices.Contains(topics, cfg.Topic)},
		{"Freshness", cfg.Freshness, Bocha, freshness.MatchString(cfg.Freshness)},
	} {
		switch {
		case o.value == "":
		case o.of != e.name:
			return fmt.Errorf("web.Config.%s: is %s's, not %s's", o.field, o.of, e.name)
		case !o.ok:
			return fmt.Errorf("web.Config.%s: unknown %q", o.field, o.value)
		}
	}
	return nil
}
