package scholar

import (
	"errors"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/database"
	"evalctl/agent/recall"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/system"
)

// open loads the prompts and papers of a variant. All agents of the variant share one Redis client.
func open(o system.Options) (system.OpenVariant, error) {
	cfg, err := configOf(o)
	if err != nil {
		return system.OpenVariant{}, err
	}
	var closing func() error
	if cfg.Cache, closing, err = openRedis(o.Values["summary-cache"]); err != nil {
		return system.OpenVariant{}, err
	}
	closeSessions, err := cfg.openSessions(o.Values["store"])
	if err != nil {
		return system.OpenVariant{}, errors.Join(err, closing())
	}
	return system.OpenVariant{
		Close:             func() error { return errors.Join(closing(), closeSessions()) },
		Version:           cfg.Prompts.Hash() + cfg.Library.version,
		Prompts:           cfg.Prompts.texts(),
		EventOrderPattern: order,
		NewAgent: func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			return cfg.connect(seed, link)
		},
		NewGrader: func(seed uint64, link func(string) system.Endpoint) (system.Grader, error) {
			return newGrader(cfg.Prompts.Grade, seed, link("grader"))
		},
	}, nil
}

// Limit and identifier of a file with conversations.
const (
	maxStoredSessions = 100_000
	storeID           = 0x73636872
)

// openSessions opens the file with conversations. If path is "", each agent stores its conversations
// in memory.
func (cfg *config) openSessions(path string) (closing func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	records, err := database.OpenRecords(path, storeID, maxStoredSessions)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if cfg.Sessions, err = conversation.New(conversation.Config{File: records}); err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return records.Close, nil
}

// configOf returns the configuration that the settings describe.
func configOf(o system.Options) (cfg config, err error) {
	cfg = config{
		Context:      int(o.Number("max-context-tokens")),
		System:       int(o.Number("system-tokens")),
		Answer:       int(o.Number("reserved-answer-tokens")),
		Direct:       o.Number("direct-content-threshold"),
		Calls:        int(o.Number("max-concurrent-calls")),
		TotalCalls:   int(o.Number("max-concurrent-calls-total")),
		Retries:      int(o.Number("decision-retries")),
		Tools:        int(o.Number("tool-cache-size")),
		TopN:         int(o.Number("top-n")),
		Threshold:    new(o.Number("similarity-threshold")),
		Weight:       new(o.Number("vector-weight")),
		Engine:       o.Values["search-engine"],
		NoSearch:     !o.HasComponent("search"),
		DecisionOnly: o.DecisionOnly,
	}
	if cfg.Context <= cfg.System+cfg.Answer {
		return cfg, fmt.Errorf("max-context-tokens: %d tokens leave no room next to the prompts' %d (system-tokens) and the answer's %d (reserved-answer-tokens)", cfg.Context, cfg.System, cfg.Answer)
	}
	if cfg.Retries == 0 {
		cfg.Retries = -1
	}
	if o.Values["rerank"] == on {
		cfg.Rerank = recall.DefaultReranker
	}
	if cfg.Datasets, err = readNames(o.Values["retrieval-datasets"]); err != nil {
		return cfg, fmt.Errorf("datasets: %w", err)
	}
	if cfg.Bases, err = readBases(o.Values["allowed-base-urls"]); err != nil {
		return cfg, fmt.Errorf("bases: %w", err)
	}
	if cfg.Prompts, err = promptsOf(o.Values); err != nil {
		return cfg, err
	}
	if cfg.Library, err = openLibrary(o.Values["papers"]); err == nil && o.Warn != nil && cfg.Library.skipped != nil {
		o.Warn(cfg.Library.skippedNote("--papers: skipped: "))
	}
	return cfg, err
}

// connect creates a scholar with clients for its models and services.
func (cfg config) connect(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
	cfg.Link, cfg.Seed = link, seed
	for part := range nodeOf { // report errors at the start that would occur in every turn
		if _, err := (&run{config: &cfg}).client(part); err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
	}
	to := link("retrieval")
	client, err := recall.New(recall.Config{
		Node:    recallNode,
		BaseURL: to.BaseURL,
		APIKey:  to.APIKey,
		HTTP:    to.HTTP,
		Timeout: recallTimeout,
		Seed:    seed,
	})
	if err != nil {
		return nil, err
	}
	cfg.Recall = client
	if cfg.Cache == nil {
		if cfg.Cache, err = cache.NewMemory(cache.StoreConfig{Size: maxSummaries}); err != nil {
			return nil, err
		}
	}
	cfg.Cache = cache.Traced(cacheNode, link("cache").BeforeCall, cfg.Cache)
	return newScholar(cfg)
}
