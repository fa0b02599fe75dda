// Package web searches the web with the search engines Tavily and Bocha. Errors are *llm.Error.
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

// DefaultTimeout is the time limit of one attempt if a Config sets none.
const DefaultTimeout = 15 * time.Second

// defaultResults is the number of requested results if the caller sets none.
const defaultResults = 5

// Doer sends HTTP requests: an http.Client, a mock.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client: the search engine, the connection and the engine's options.
type Config struct {
	Engine  string // name of the search engine, see Engines; "": Tavily
	Node    string // name of the component in the trace; "": "search"
	BaseURL string // base URL of the API; "": the engine's own
	APIKey  string // key of the API; required if BaseURL is empty

	HTTP    Doer          // HTTP client; nil: outbound.Default()
	Timeout time.Duration // time limit of one attempt; 0: DefaultTimeout
	Retries int           // retries after the first attempt, as in llm.Config
	Seed    uint64        // seed of the random part of back-off waits

	Depth string // search_depth of Tavily: basic, advanced, fast or ultra-fast; "": basic
	Topic string // category of a Tavily search: general, news or finance; "": general
	// age of the pages that Bocha returns: oneDay … oneYear, a day, or a range such as
	// 2026-01-01..2026-06-30; "": noLimit
	Freshness string
}

// Client searches the web with one search engine. It is safe for concurrent use.
type Client struct {
	cfg      Config
	engine   engine
	provider llm.Provider
	policy   llm.CallPolicy
}

var _ search.Engine = (*Client)(nil)

// New validates cfg and creates a client. Errors name the invalid field.
func New(cfg Config) (*Client, error) {
	e, err := find(cmp.Or(cfg.Engine, Tavily))
	if err != nil {
		return nil, err
	}
	p, _ := llm.LookupProvider(e.name)
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
	policy := llm.CallPolicy{
		Node:     cmp.Or(cfg.Node, "search"),
		Provider: p.Name,
		Timeout:  cmp.Or(cfg.Timeout, DefaultTimeout),
		Retries:  cfg.Retries,
		Seed:     cfg.Seed,
		Secrets:  secret.NewSet(cfg.APIKey, cfg.BaseURL),
	}
	if err := policy.Check("web.Config"); err != nil {
		return nil, err
	}
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	return &Client{
		cfg:      cfg,
		engine:   e,
		provider: p,
		policy:   policy,
	}, nil
}

// Search returns up to most pages for a query; 0: 5 pages. The engine limits most: Tavily to 20,
// Bocha to 50. Search truncates a query to 400 characters.
func (c *Client) Search(ctx context.Context, query string, most int) (search.Results, error) {
	query = cut(strings.Join(strings.Fields(query), " "))
	switch {
	case query == "":
		return search.Results{}, c.fail(llm.KindBadRequest, "there is nothing to search for")
	case most < 0:
		return search.Results{}, c.fail(llm.KindBadRequest, fmt.Sprintf("%d results are asked for", most))
	}
	most = min(cmp.Or(most, defaultResults), c.engine.maxResults)
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
	if found = limitResults(found, most); len(found.Pages) == 0 && found.Answer == "" {
		return found, search.ErrNoResults
	}
	return found, nil
}

func (c *Client) fail(kind llm.ErrorKind, text string) *llm.Error {
	return &llm.Error{Kind: kind, Provider: c.provider.Name, Message: text}
}
