package scholar

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/search/web"
	"evalctl/agent/system"
)

// newEngine creates the client of the web search engine. If search is simulated, a request may
// select another engine.
func (r *run) newEngine() (search.Engine, error) {
	to := r.EndpointOf("search")
	cfg := web.Config{
		Engine:  cmp.Or(r.engine, r.configuredEngine(to)),
		Node:    searchNode,
		HTTP:    to.HTTP,
		Timeout: searchTimeout,
		Seed:    r.Seed,
		BaseURL: to.BaseURL,
		APIKey:  cmp.Or(r.engineKey, to.APIKey),
	}
	engine, err := web.New(cfg)
	if err != nil {
		return nil, &llm.Error{Kind: llm.KindAuth, Provider: cfg.Engine, Err: err}
	}
	return engine, nil
}

// configuredEngine returns the search engine that the operator configured: that of a real endpoint,
// or else that of the setting.
func (r *run) configuredEngine(to system.Endpoint) string {
	if slices.Contains(engines(), to.Provider) {
		return to.Provider
	}
	return r.Engine
}

// checkEngine returns a rejection if a request selects another search engine than the configured
// real one. Otherwise a request could cause calls to hosts that the operator has not configured.
func (r *run) checkEngine() error {
	if r.engine == "" || r.NoSearch {
		return nil
	}
	to := r.EndpointOf("search")
	simulated := to.BaseURL == "" && !slices.Contains(engines(), to.Provider)
	if have := r.configuredEngine(to); !simulated && r.engine != have {
		return newRejection(badOptions, fmt.Sprintf("参数有误：search_engine 只能是已配置的 %s，不能是 %s。", have, r.engine),
			fmt.Sprintf("An option is wrong: search_engine can only be %s, which is configured, and not %s.",
				have, r.engine))
	}
	return nil
}
