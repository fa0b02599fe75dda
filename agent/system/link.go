package system

import (
	"cmp"
	"context"
	"net/http"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
)

// Endpoint is the connection of a component to its model, service or store.
type Endpoint struct {
	Provider, Model, BaseURL, APIKey string
	HTTP                             interface {
		Do(*http.Request) (*http.Response, error)
	}
	// secrets of the key and the address; nil: the caller that creates a client collects them
	Secrets    *secret.Set
	AsyncTasks bool                        // images are created by tasks that are polled
	NoDelay    bool                        // a simulation in this process must not take time
	BeforeCall func(context.Context) error // called before each call of a component in this process; nil: none
}

// Client returns a client for the model of the endpoint. cfg contains its node and its limits.
func (l Endpoint) Client(cfg llm.Config) (*llm.Client, error) {
	cfg.Provider, cfg.Model = cmp.Or(l.Provider, llm.Generic), l.Model
	cfg.BaseURL = l.BaseURL
	cfg.APIKey = l.APIKey
	cfg.HTTP = l.HTTP
	cfg.Secrets = l.Secrets
	return llm.New(cfg)
}
