// Package web searches the web through search engines that are no models: Tavily and
// Bocha. Failures are *llm.Error, as of all calls to the outside.
package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/search"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// DefaultTimeout is of each attempt.
const DefaultTimeout = 15 * time.Second

// defaultResults are asked for where nobody says how many.
const defaultResults = 5

// Doer sends requests: an http.Client, a mock.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config says which engine searches, and how.
type Config struct {
	Engine  string // one of Engines; "" is Tavily
	Node    string // of the trace; "" is "search"
	BaseURL string // "": the engine's own
	APIKey  string // needed at the engine's own address

	HTTP    Doer          // nil: outbound.Default()
	Timeout time.Duration // of each attempt; 0: DefaultTimeout
	Retries int           // as llm.Config's
	Seed    uint64        // of the jitter

	Depth     string // Tavily's search_depth; "" is basic
	Topic     string // Tavily's; "" is general
	Freshness string // Bocha's: oneDay … noLimit, a day or days as in 2026-01-01..2026-06-30; "" is noLimit
}

// Client searches. It is safe for concurrent use.
type Client struct {
	cfg      Config
	engine   engine
	provider llm.Provider
	policy   llm.Policy
}

var _ search.Engine = (*Client)(nil)

// New checks cfg; its errors name the field.
func New(cfg Config) (*Client, error) {
	e, err := find(cmp.Or(cfg.Engine, Tavily))
	if err != nil {
		return nil, err
	}
	p, _ := llm.Lookup(e.name)
	if cfg.APIKey == "" && cfg.BaseURL == "" {
		return nil, fmt.Errorf("web.Config.APIKey: %s needs a key, usually from %s", p.Name, p.KeyEnv)
	}
	cfg.BaseURL = cmp.Or(cfg.BaseURL, p.BaseURL)
	if _, err := outbound.ParseURL(cfg.BaseURL); err != nil {
		return nil, fmt.Errorf("web.Config.BaseURL: %q is not an http URL", secret.RedactURL(cfg.BaseURL))
	}
	if err := cfg.checkOptions(e); err != nil {
		return nil, err
	}
	policy := llm.Policy{Node: cmp.Or(cfg.Node, "search"), Provider: p.Name, Timeout: cmp.Or(cfg.Timeout, DefaultTimeout),
		Retries: cfg.Retries, Seed: cfg.Seed, Secrets: secret.NewSecrets(cfg.APIKey, cfg.BaseURL)}
	if err := policy.Check("web.Config"); err != nil {
		return nil, err
	}
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	return &Client{cfg: cfg, engine: e, provider: p, policy: policy}, nil
}

// Find is part of search.Engine. It asks for no more than the engine gives: 20 results
// of Tavily, 50 of Bocha. Of a query the first 400 characters are asked for.
func (c *Client) Search(ctx context.Context, query string, most int) (search.Results, error) {
	query = cut(strings.Join(strings.Fields(query), " "))
	switch {
	case query == "":
		return search.Results{}, c.fail(llm.KindBadRequest, "there is nothing to search for")
	case most < 0:
		return search.Results{}, c.fail(llm.KindBadRequest, fmt.Sprintf("%d results are asked for", most))
	}
	most = min(cmp.Or(most, defaultResults), c.engine.most)
	body, err := json.Marshal(c.engine.ask(c.cfg, query, most))
	if err != nil {
		return search.Results{}, c.fail(llm.KindBadRequest, err.Error())
	}
	var found search.Results
	_, err = c.policy.Do(ctx, func(ctx context.Context, _ *trace.Span) (err error) {
		found, err = c.exchange(ctx, body)
		return err
	})
	if err != nil {
		return search.Results{}, err
	}
	if found = bounded(found, most); len(found.Results) == 0 && found.Answer == "" {
		return found, search.ErrEmpty
	}
	return found, nil
}

func (c *Client) fail(kind llm.ErrorKind, text string) *llm.Error {
	return &llm.Error{Kind: kind, Provider: c.provider.Name, Message: text}
}
