package scholar

import (
	"cmp"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/search/web"
)

// newEngine is the engine that the request names, else the one that the operator has,
// else that of the settings. What the operator has of one engine, its key above all, is
// not used for another.
func (r *run) newEngine() (search.Engine, error) {
	to := r.Link("search")
	if !slices.Contains(engines(), to.Provider) {
		to.Provider = ""
	}
	cfg := web.Config{Engine: cmp.Or(r.engine, to.Provider, r.Engine), Node: searchNode, HTTP: to.HTTP, Timeout: searchTimeout, Seed: r.Seed}
	if to.Provider == "" || to.Provider == cfg.Engine {
		cfg.BaseURL, cfg.APIKey = to.BaseURL, to.APIKey
	}
	cfg.APIKey = cmp.Or(r.engineKey, cfg.APIKey)
	engine, err := web.New(cfg)
	if err != nil {
		return nil, &llm.Error{Kind: llm.KindAuth, Provider: cfg.Engine, Err: err}
	}
	return engine, nil
}
