// Package search finds live facts on the web through a model that can search:
// DashScope's qwen, asked with enable_search.
package search

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

//go:embed prompts/*.txt
var prompts embed.FS

// ErrEmpty says that the search ran and found nothing.
var ErrEmpty = errors.New("search found nothing")

// DefaultModel is asked when the configuration names none.
const DefaultModel = "qwen-plus"

// Config says which model searches, and how. ExtractPrompt and DigestPrompt
// are files that take the embedded prompts' place; they may use {{.Query}}
// and {{.Now}}.
type Config struct {
	Node     string // of the trace; "" is "search"
	Provider string // "" is dashscope
	Model    string // "" is DefaultModel
	BaseURL  string // "": the provider's
	APIKey   string // needed at the provider's own address

	HTTP    openai.HTTPDoer
	Timeout time.Duration // of each attempt
	Retries int           // as llm.Config's
	Seed    uint64        // of the jitter

	ExtractPrompt, DigestPrompt string // files; "": the embedded ones
}

// Facts is what a search brought to light.
type Facts struct {
	Query string
	Text  string // never blank
	Usage llm.Usage
}

// Client searches. It is safe for concurrent use.
type Client struct {
	model           *llm.Client
	extract, digest llm.Prompt
}

// New checks cfg; its errors name the field.
func New(cfg Config) (*Client, error) {
	extract, err := load(cfg.ExtractPrompt, extractPrompt)
	if err != nil {
		return nil, fmt.Errorf("search.Config.ExtractPrompt: %w", err)
	}
	digest, err := load(cfg.DigestPrompt, digestPrompt)
	if err != nil {
		return nil, fmt.Errorf("search.Config.DigestPrompt: %w", err)
	}
	model, err := llm.New(llm.Config{
		Node: cmp.Or(cfg.Node, "search"), Provider: cmp.Or(cfg.Provider, "dashscope"), Model: cmp.Or(cfg.Model, DefaultModel),
		BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, HTTP: cfg.HTTP,
		Timeout: cfg.Timeout, Retries: cfg.Retries, Seed: cfg.Seed,
	})
	if err != nil {
		return nil, fmt.Errorf("search.Config: %w", err)
	}
	return &Client{model: model, extract: extract, digest: digest}, nil
}

// SearchAndExtract searches the web for the key facts that answer query.
func (c *Client) SearchAndExtract(ctx context.Context, query string) (Facts, error) {
	return c.ask(ctx, c.extract, query, map[string]any{"enable_search": true})
}

// Digest asks for a live summary, with a search that the model cannot skip:
// the way out when SearchAndExtract found nothing.
func (c *Client) Digest(ctx context.Context, query string) (Facts, error) {
	return c.ask(ctx, c.digest, query, map[string]any{
		"enable_search":  true,
		"search_options": map[string]any{"forced_search": true},
	})
}

// ShippedPrompts are the prompts that a client uses unless it is given others.
func ShippedPrompts() ([]llm.Prompt, error) {
	extract, err := extractPrompt()
	if err != nil {
		return nil, err
	}
	digest, err := digestPrompt()
	return []llm.Prompt{extract, digest}, err
}

func (c *Client) ask(ctx context.Context, p llm.Prompt, query string, extras map[string]any) (Facts, error) {
	text, err := p.Fill(map[string]string{"Query": query, "Now": clock.Now(ctx).Format("2006-01-02 15:04 MST")})
	if err != nil {
		return Facts{}, err
	}
	a, err := c.model.Chat(ctx, llm.Request{Messages: []llm.Message{llm.User(text)}, Extras: extras})
	if err != nil {
		return Facts{Usage: a.Usage}, fmt.Errorf("search: %w", err)
	}
	if a.Empty() {
		return Facts{Usage: a.Usage}, ErrEmpty
	}
	return Facts{Query: query, Text: a.Content, Usage: a.Usage}, nil
}

// The shipped prompts, each parsed once: a client is made for every trial.
var extractPrompt, digestPrompt = shipped("prompts/extract.txt"), shipped("prompts/digest.txt")

func shipped(name string) func() (llm.Prompt, error) {
	return sync.OnceValues(func() (llm.Prompt, error) { return llm.LoadPrompt(prompts, name) })
}

func load(file string, shipped func() (llm.Prompt, error)) (llm.Prompt, error) {
	if file != "" {
		return llm.LoadPromptFile(file)
	}
	return shipped()
}
