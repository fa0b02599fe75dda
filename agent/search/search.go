// Package search finds live facts on the web with a model that can search: DashScope's qwen with
// enable_search.
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

// ErrEmpty means that the search succeeded but found nothing.
var ErrEmpty = errors.New("search found nothing")

// DefaultModel is the model if the configuration names none.
const DefaultModel = "qwen-plus"

// Config configures a Client.
type Config struct {
	Node     string // name in the trace; "": "search"
	Provider string // "": dashscope
	Model    string // "": DefaultModel
	BaseURL  string // "": the provider's
	APIKey   string // required at the provider's own address

	HTTP    llm.Doer
	Timeout time.Duration // per attempt
	Retries int           // as in llm.Config
	Seed    uint64        // of the jitter

	Prompts Prompts // zero: the shipped prompts
}

// Facts is the result of a search.
type Facts struct {
	Query string
	Text  string // not blank
	Usage llm.Usage
}

// Client searches. It is safe for concurrent use.
type Client struct {
	model   *llm.Client
	prompts Prompts
}

// New validates cfg. Errors name the field.
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

// SearchFallback requests a live summary with a forced search. It is the fallback if
// SearchAndExtract found nothing.
func (c *Client) SearchFallback(ctx context.Context, query string) (Facts, error) {
	return c.ask(ctx, c.prompts.Digest, query, map[string]any{
		"enable_search":  true,
		"search_options": map[string]any{"forced_search": true},
	})
}

func (c *Client) ask(ctx context.Context, p llm.Prompt, query string, extras map[string]any) (Facts, error) {
	text, err := p.Fill(places(query, clock.Now(ctx).Format("2006-01-02 15:04 MST")))
	if err != nil {
		return Facts{}, err
	}
	a, err := c.model.Chat(ctx, llm.Request{Messages: []llm.Message{llm.User(text)}, Extras: extras})
	if err != nil {
		return Facts{Usage: a.Usage}, fmt.Errorf("search: %w", err)
	}
	found := strings.TrimSpace(llm.StripReasoning(a.Content))
	if c.model.NoAnswer(a) != nil {
		return Facts{Usage: a.Usage}, ErrEmpty
	}
	return Facts{Query: query, Text: found, Usage: a.Usage}, nil
}
