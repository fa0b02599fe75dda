package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Doer sends HTTP requests; *http.Client implements it.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client.
type Config struct {
	Node     string // name of the component in the trace; "": "chat"
	Provider string // name of a provider in Providers; "": "generic"
	Model    string // name of the model; required
	BaseURL  string // base URL of the API; "": the provider's own; required for "generic"
	APIKey   string // key of the API; required if BaseURL is empty

	Secrets *secret.Set // values to redact in errors and answers; nil: APIKey and the secrets in BaseURL

	HTTP    Doer          // HTTP client; nil: outbound.Default()
	Timeout time.Duration // time limit of one attempt, up to the last chunk of a stream; 0: DefaultTimeout
	Retries int           // retries after the first attempt; 0: DefaultRetries; NoRetries: none
	Seed    uint64        // seed of the random part of back-off waits

	Temperature *float64       // sampling temperature in 0..2; nil: the service's default
	MaxTokens   int            // token limit of an answer; 0: the service's default
	Dimensions  int            // length of embedding vectors; 0: the model's default
	Extras      map[string]any // additional top-level fields in the body of every request
}

// Client calls one model. It is safe for concurrent use.
type Client struct {
	cfg      Config
	provider Provider
	extras   map[string]json.RawMessage
	base     *url.URL // base URL without a trailing slash
}

// New validates cfg and creates a client. Errors name the invalid field.
func New(cfg Config) (*Client, error) {
	p, ok := LookupProvider(cfg.Provider)
	if !ok {
		return nil, fmt.Errorf("llm.Config.Provider: unknown %q", cfg.Provider)
	}
	if p.ServiceKind != "" {
		return nil, fmt.Errorf("llm.Config.Provider: %s has no models", p.Name)
	}
	if cfg.APIKey == "" && cfg.BaseURL == "" && p.BaseURL != "" {
		return nil, fmt.Errorf("llm.Config.APIKey: %s needs a key, usually from %s", p.Name, p.KeyEnv)
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = p.BaseURL
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	base, err := cfg.base()
	if err != nil {
		return nil, err
	}
	extras, err := encodeExtras(cfg.Extras)
	if err != nil {
		return nil, fmt.Errorf("llm.Config.Extras: %w", err)
	}
	cfg.Provider = p.Name
	if cfg.Node == "" {
		cfg.Node = "chat"
	}
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	if cfg.Secrets == nil {
		cfg.Secrets = secret.NewSet(cfg.APIKey, cfg.BaseURL)
	}
	return &Client{
		cfg:      cfg,
		provider: p,
		extras:   extras,
		base:     base,
	}, nil
}

// base parses BaseURL, to which the API paths are appended.
func (cfg *Config) base() (*url.URL, error) {
	u, err := outbound.ParseURL(cfg.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("llm.Config.BaseURL: %q is not an http URL", secret.RedactURL(cfg.BaseURL))
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, nil
}

func (cfg *Config) check() error {
	if cfg.Model == "" {
		return fmt.Errorf("llm.Config.Model: required")
	}
	if t := cfg.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
		return fmt.Errorf("llm.Config.Temperature: %v is not in 0..2", *t)
	}
	if cfg.MaxTokens < 0 {
		return fmt.Errorf("llm.Config.MaxTokens: %d is negative", cfg.MaxTokens)
	}
	if cfg.Dimensions < 0 {
		return fmt.Errorf("llm.Config.Dimensions: %d is negative", cfg.Dimensions)
	}
	return cfg.policy().Check("llm.Config")
}

func (cfg *Config) policy() CallPolicy {
	return CallPolicy{
		Node:     cfg.Node,
		Provider: cfg.Provider,
		Model:    cfg.Model,
		Timeout:  cfg.Timeout,
		Retries:  cfg.Retries,
		Seed:     cfg.Seed,
	}
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.cfg.Model }

// Provider returns the service that the client calls.
func (c *Client) Provider() Provider { return c.provider }

func (c *Client) refuse(message string) *Error {
	return &Error{Kind: KindBadRequest, Provider: c.provider.Name, Message: message}
}
