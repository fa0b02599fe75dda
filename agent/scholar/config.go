package scholar

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/recall"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/search/web"
	"evalctl/agent/system"
)

// Defaults of the configuration. Context, system and answer sizes are in tokens.
const (
	defaultContext      = 65536
	defaultSystemTokens = 2000
	defaultAnswerTokens = 8000
	defaultDirect       = 0.7 // part of the available context tokens that a whole document may use
	defaultCalls        = 10  // concurrent calls of one turn to models and the retrieval service
	defaultRetries      = 3   // retries after an invalid answer of the intent model
	defaultEngine       = web.Tavily
)

// Limits on a turn and on the settings. Context sizes are in tokens.
const (
	maxText       = 64 << 10 // bytes of the user's message
	maxContext    = 10_000_000
	maxCalls      = 100
	maxTotalCalls = 10_000
	maxRetries    = 10
)

// Time limits of one attempt of each call that has a fallback.
const (
	decisionTimeout = 10 * time.Second
	questionTimeout = 20 * time.Second
	recallTimeout   = 10 * time.Second
	searchTimeout   = 10 * time.Second
)

// config configures a scholar.
type config struct {
	EndpointOf func(part string) system.Endpoint // returns the endpoint of a component; required
	Seed       uint64                            // seed of the random part of back-off waits
	Library    *library                          // papers that a user can choose; nil: the built-in ones
	Recall     recall.Searcher                   // searches the passages of the library's papers; required
	Cache      cache.Store                       // cache of document summaries; required
	Sessions   *conversation.Store               // storage of conversations; nil: a new one in memory
	Prompts    prompts                           // prompts of the models; zero fields: the built-in prompts

	// tokens of the window, the system prompt and the reserved answer; 0: default
	ContextTokens, SystemTokens, AnswerTokens int
	// part of the available context tokens that a whole document may use; 0: 0.7
	FullTextShare float64
	// concurrent calls, retries of the intent model, cached searchers; 0: default; Retries -1: none
	MaxCalls, Retries, MaxSearchers int
	MaxTotalCalls                   int // concurrent calls of all turns together; 0: no limit
	TopN                            int // passages per search; 0: recall.DefaultTopN
	// lowest similarity, weight of the vector similarity; nil: default of package recall
	Threshold, VectorWeight *float64
	Rerank                  string   // name of the reranking model; "": none
	Datasets                []string // datasets of the retrieval service that contain the papers
	Engine                  string   // web search engine; "": defaultEngine
	NoSearch                bool     // there is no web search; the prompt mentions this
	AllowedBaseURLs         []string // base URLs of models that a request is allowed to select

	DecisionOnly bool // stop after the intent is determined
}

// complete fills in defaults and validates the configuration. Errors name the invalid field.
func (c config) complete() (_ config, err error) {
	c.ContextTokens, c.SystemTokens, c.AnswerTokens = cmp.Or(c.ContextTokens, defaultContext),
		cmp.Or(c.SystemTokens, defaultSystemTokens),
		cmp.Or(c.AnswerTokens, defaultAnswerTokens)
	c.FullTextShare, c.MaxCalls, c.Retries, c.MaxSearchers = cmp.Or(c.FullTextShare, defaultDirect),
		cmp.Or(c.MaxCalls, defaultCalls),
		cmp.Or(c.Retries, defaultRetries), cmp.Or(c.MaxSearchers, recall.DefaultCacheSize)
	c.TopN, c.Engine = cmp.Or(c.TopN, recall.DefaultTopN), cmp.Or(c.Engine, defaultEngine)
	c.Retries = max(c.Retries, 0)
	if c.Datasets == nil {
		c.Datasets = []string{papersDataset}
	}
	if c.Library == nil {
		if c.Library, err = shippedLibrary(); err != nil {
			return c, err
		}
	}
	if c.Sessions == nil {
		if c.Sessions, err = conversation.New(conversation.Config{}); err != nil {
			return c, err
		}
	}
	switch {
	case c.EndpointOf == nil:
		return c, errors.New("scholar: EndpointOf: required")
	case c.Recall == nil && !c.DecisionOnly:
		return c, errors.New("scholar: Recall: required")
	case c.Cache == nil:
		return c, errors.New("scholar: Cache: required")
	case !slices.Contains(engines(), c.Engine):
		return c, fmt.Errorf("scholar: Engine: unknown %q", c.Engine)
	case !(c.FullTextShare > 0 && c.FullTextShare <= 1):
		return c, fmt.Errorf("scholar: FullTextShare: %v is not in 0..1", c.FullTextShare)
	}
	if err := c.checkNumbers(); err != nil {
		return c, err
	}
	c.Prompts, err = c.Prompts.orShipped()
	return c, err
}

func (c config) checkNumbers() error {
	for _, n := range []struct {
		field            string
		got, least, most int
	}{
		{"ContextTokens", c.ContextTokens, 1, maxContext},
		{"SystemTokens", c.SystemTokens, 1, maxContext},
		{"AnswerTokens", c.AnswerTokens, 1, maxContext},
		{"MaxCalls", c.MaxCalls, 1, maxCalls},
		{"MaxTotalCalls", c.MaxTotalCalls, 0, maxTotalCalls},
		{"Retries", c.Retries, 0, maxRetries},
		{"MaxSearchers", c.MaxSearchers, 1, recall.MaxCacheSize},
		{"TopN", c.TopN, 1, recall.MaxTopN},
	} {
		if n.got < n.least || n.got > n.most {
			return fmt.Errorf("scholar: %s: %d is not in %d..%d", n.field, n.got, n.least, n.most)
		}
	}
	for _, n := range []struct {
		field string
		got   *float64
	}{
		{"Threshold", c.Threshold},
		{"VectorWeight", c.VectorWeight},
	} {
		if n.got != nil && !(*n.got >= 0 && *n.got <= 1) {
			return fmt.Errorf("scholar: %s: %v is not in 0..1", n.field, *n.got)
		}
	}
	return nil
}
