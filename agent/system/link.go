package system

import (
	"cmp"
	"context"
	"net/http"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
)

// Endpoint describes how a component reaches its model, service or store.
type Endpoint struct {
	Provider, Model, BaseURL, APIKey string
	HTTP                             interface {
		Do(*http.Request) (*http.Response, error)
	}
	// redacts the key and the address in errors; nil: the caller that creates a client adds both to
	// its own set
	Secrets    *secret.Set
	AsyncTasks bool // the image service returns a task that the client must poll
	NoDelay    bool // a simulation in this process answers without a delay
	// called before each call of a component that runs in this process, for example to inject a
	// fault; nil: nothing is called
	BeforeCall func(context.Context) error
}

// NewClient returns a client for the endpoint's model. cfg contains the limits, and the node for
// trace events. The endpoint sets the rest.
func (l Endpoint) NewClient(cfg llm.Config) (*llm.Client, error) {
	cfg.Provider, cfg.Model = cmp.Or(l.Provider, llm.GenericProvider), l.Model
	cfg.BaseURL = l.BaseURL
	cfg.APIKey = l.APIKey
	cfg.HTTP = l.HTTP
	cfg.Secrets = l.Secrets
	return llm.New(cfg)
}
