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
func open(o system.Options) (system.LoadedVariant, error) {
	cfg, err := configOf(o)
	if err != nil {
		return system.LoadedVariant{}, err
	}
	var closing func() error
	if cfg.Cache, closing, err = openRedis(o.SettingValues["summary-cache"]); err != nil {
		return system.LoadedVariant{}, err
	}
	closeSessions, err := cfg.openSessions(o.SettingValues["store"])
	if err != nil {
		return system.LoadedVariant{}, errors.Join(err, closing())
	}
	return system.LoadedVariant{
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
	records, err := database.OpenRecordStore(path, storeID, maxStoredSessions)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if cfg.Sessions, err = conversation.New(conversation.Config{Records: records}); err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return records.Close, nil
}

// configOf returns the configuration that the settings describe.
func configOf(o system.Options) (cfg config, err error) {
	cfg = config{
		ContextTokens: int(o.Number("max-context-tokens")),
		SystemTokens:  int(o.Number("system-tokens")),
		AnswerTokens:  int(o.Number("reserved-answer-tokens")),
		FullTextShare: o.Number("direct-content-threshold"),
		MaxCalls:      int(o.Number("max-concurrent-calls")),
		MaxTotalCalls: int(o.Number("max-concurrent-calls-total")),
		Retries:       int(o.Number("decision-retries")),
		MaxSearchers:  int(o.Number("tool-cache-size")),
		TopN:          int(o.Number("top-n")),
		Threshold:     new(o.Number("similarity-threshold")),
		VectorWeight:  new(o.Number("vector-weight")),
		Engine:        o.SettingValues["search-engine"],
		NoSearch:      !o.HasComponent("search"),
		DecisionOnly:  o.DecisionOnly,
	}
	if cfg.ContextTokens <= cfg.SystemTokens+cfg.AnswerTokens {
		return cfg, fmt.Errorf("max-context-tokens: %d tokens leave no room next to the prompts' %d (system-tokens) and the answer's %d (reserved-answer-tokens)", cfg.ContextTokens, cfg.SystemTokens, cfg.AnswerTokens)
	}
	if cfg.Retries == 0 {
		cfg.Retries = -1
	}
	if o.SettingValues["rerank"] == on {
		cfg.Rerank = recall.DefaultReranker
	}
	if cfg.Datasets, err = readNames(o.SettingValues["retrieval-datasets"]); err != nil {
		return cfg, fmt.Errorf("datasets: %w", err)
	}
	if cfg.AllowedBaseURLs, err = readBases(o.SettingValues["allowed-base-urls"]); err != nil {
		return cfg, fmt.Errorf("bases: %w", err)
	}
	if cfg.Prompts, err = promptsOf(o.SettingValues); err != nil {
		return cfg, err
	}
	if cfg.Library, err = openLibrary(o.SettingValues["papers"]); err == nil && o.Warn != nil &&
		cfg.Library.skipped != nil {
		o.Warn(cfg.Library.skippedNote("--papers: skipped: "))
	}
	return cfg, err
}

// connect creates a scholar with clients for its models and services.
func (cfg config) connect(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
	cfg.EndpointOf, cfg.Seed = link, seed
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
		if cfg.Cache, err = cache.NewMemory(cache.StoreConfig{MaxEntries: maxSummaries}); err != nil {
			return nil, err
		}
	}
	cfg.Cache = cache.NewTracedStore(cacheNode, link("cache").BeforeCall, cfg.Cache)
	return newScholar(cfg)
}
