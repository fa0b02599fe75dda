package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// Names of the engines.
const (
	Tavily = "tavily"
	Bocha  = "bocha"
)

// Engines lists the engines.
func Engines() []string { return []string{Tavily, Bocha} }

// engine describes the differences between engines.
type engine struct {
	name, path string
	maxResults int // maximal number of results per search
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

// Values of the engines' options.
var (
	depths    = []string{"basic", "advanced", "fast", "ultra-fast"}
	topics    = []string{"general", "news", "finance"}
	freshness = regexp.MustCompile(`^(noLimit|oneDay|oneWeek|oneMonth|oneYear|\d{4}-\d\d-\d\d(\.\.\d{4}-\d\d-\d\d)?)$`)
)

// checkOptions rejects unknown options and those of another engine.
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
