// Package search finds current facts on the web with a model that searches by itself, such as
// DashScope's qwen with enable_search.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// ErrNoResults is returned if a search succeeded but found nothing.
var ErrNoResults = errors.New("search found nothing")

// DefaultModel is the model that searches if a Config names none.
const DefaultModel = "qwen-plus"

// Config configures a Client.
type Config struct {
	Node     string // name of the component in the trace; "": "search"
	Provider string // provider of the model; "": dashscope
	Model    string // name of the model; "": DefaultModel
	BaseURL  string // base URL of the API; "": the provider's own
	APIKey   string // key of the API; required if BaseURL is empty

	HTTP    llm.Doer      // HTTP client; nil: outbound.Default()
	Timeout time.Duration // time limit of one attempt; 0: llm.DefaultTimeout
	Retries int           // retries after the first attempt, as in llm.Config
	Seed    uint64        // seed of the random part of back-off waits

	Prompts Prompts // zero: the embedded prompts
}

// Facts is the text that a model found on the web for a query.
type Facts struct {
	Query string    // what was searched
	Text  string    // the facts; never blank
	Usage llm.Usage // tokens of the model call
}

// Client searches the web through a model. It is safe for concurrent use.
type Client struct {
	model   *llm.Client
	prompts Prompts
}

// New validates cfg and creates a client. Errors name the invalid field.
func New(cfg Config) (*Client, error) {
	prompts, err := cfg.Prompts.orShipped()
	if err != nil {
		return nil, fmt.Errorf("search.Config.Prompts: %w", err)
	}
	model, err := llm.New(llm.Config{
		Node:     cmp.Or(cfg.Node, "search"),
		Provider: cmp.Or(cfg.Provider, "dashscope"),
		Model:    cmp.Or(cfg.Model, DefaultModel),
		BaseURL:  cfg.BaseURL,
		APIKey:   cfg.APIKey,
		HTTP:     cfg.HTTP,
		Timeout:  cfg.Timeout,
		Retries:  cfg.Retries,
		Seed:     cfg.Seed,
	})
	if err != nil {
		return nil, fmt.Errorf("search.Config: %w", err)
	}
	return &Client{model: model, prompts: prompts}, nil
}

// SearchAndExtract searches the web for the key facts that answer query.
func (c *Client) SearchAndExtract(ctx context.Context, query string) (Facts, error) {
	return c.ask(ctx, c.prompts.Extract, query, map[string]any{"enable_search": true})
}

// SearchFallback requests a summary of current web pages, and forces the model to search the web.
// Callers use it after SearchAndExtract found nothing.
func (c *Client) SearchFallback(ctx context.Context, query string) (Facts, error) {
	return c.ask(ctx, c.prompts.Fallback, query, map[string]any{
		"enable_search":  true,
		"search_options": map[string]any{"forced_search": true},
	})
}

func (c *Client) ask(ctx context.Context, p llm.Prompt, query string, extras map[string]any) (Facts, error) {
	text, err := p.Fill(placeholderValues(query, clock.Now(ctx).Format("2006-01-02 15:04 MST")))
	if err != nil {
		return Facts{}, err
	}
	a, err := c.model.Chat(ctx, llm.Request{Messages: []llm.Message{llm.UserMessage(text)}, Extras: extras})
	if err != nil {
		return Facts{Usage: a.Usage}, fmt.Errorf("search: %w", err)
	}
	found := strings.TrimSpace(llm.StripReasoning(a.Content))
	if c.model.CheckAnswer(a) != nil {
		return Facts{Usage: a.Usage}, ErrNoResults
	}
	return Facts{Query: query, Text: found, Usage: a.Usage}, nil
}
