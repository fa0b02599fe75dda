package suite

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// Routers names the ways in which the tool router may decide.
func Routers() []string { return []string{"rules", "llm", "llm-first"} }

func toolRouter() system {
	return system{
		name:       "toolrouter",
		components: []string{"router", "chat", "vision", "search", "image"},
		settings:   []string{"router", "threshold"},
		plain:      Variant{Name: "llm-first", Router: "llm-first"},
		check:      checkToolRouter,
		reaches:    func(v Variant, component string) bool { return component != "router" || v.Router != "rules" },
		talks:      func(_ Variant, component string) bool { return component == "router" || component == "chat" },
		open:       openToolRouter,
	}
}

func checkToolRouter(v Variant) error {
	if !slices.Contains(Routers(), v.Router) {
		return fmt.Errorf("router: unknown %q (known: %s)", v.Router, strings.Join(Routers(), ", "))
	}
	return nil
}

// openToolRouter reads a variant's prompts: its own router prompt beside the
// shipped.
func openToolRouter(s Suite, v Variant, _ func(string) Link) (opened, error) {
	prompts, err := toolrouter.ShippedPrompts()
	if err == nil && v.Prompt != "" {
		prompts.Router, err = llm.LoadPromptFile(s.Path(v.Prompt))
	}
	if err != nil {
		return opened{}, fmt.Errorf("prompt: %w", err)
	}
	looks, err := search.ShippedPrompts()
	if err != nil {
		return opened{}, err
	}
	version := prompts.Hash()
	for _, l := range looks {
		version += l.Hash
	}
	return opened{
		version: version,
		agent: func(noise uint64, link func(string) Link) (agent.Agent, error) {
			return s.router(noise, v, prompts, link)
		},
		scorers: func(fault string) []eval.Scorer {
			return []eval.Scorer{scorer.Route{Field: "route"}, scorer.Fallback{Fault: fault}}
		},
	}, nil
}

// router is a whole tool router: every client is its own.
func (s Suite) router(noise uint64, v Variant, prompts toolrouter.Prompts, link func(string) Link) (agent.Agent, error) {
	cfg := toolrouter.Config{Mode: toolrouter.Mode(v.Router), Threshold: v.Threshold, Prompts: prompts}
	// Nobody waits a minute to learn who will answer.
	quick, patient := llm.Config{Timeout: toolrouter.DecisionTimeout}, llm.Config{}
	var err error
	for _, node := range []struct {
		name, component string
		cfg             llm.Config
		at              **llm.Client
	}{
		{"router", "router", quick, &cfg.Router},
		{"chat", "chat", patient, &cfg.Chat},
		{"improve", "chat", quick, &cfg.Improve},
		{"vision", "vision", patient, &cfg.Vision},
	} {
		node.cfg.Node, node.cfg.Seed = node.name, noise
		if *node.at, err = link(node.component).client(node.cfg); err != nil {
			return nil, err
		}
	}
	found := link("search")
	cfg.Search, err = search.New(search.Config{Provider: found.Provider, Model: found.Model,
		BaseURL: found.BaseURL, APIKey: found.APIKey, HTTP: found.HTTP, Seed: noise, Timeout: toolrouter.SearchTimeout})
	if err != nil {
		return nil, err
	}
	drawn := link("image")
	cfg.Image, err = imagegen.New(imagegen.Config{Model: drawn.Model, BaseURL: drawn.BaseURL,
		APIKey: drawn.APIKey, HTTP: drawn.HTTP, Seed: noise, Async: s.Models["image"].Task > 0})
	if err != nil {
		return nil, err
	}
	return toolrouter.New(cfg)
}
