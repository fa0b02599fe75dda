package system

import (
	"cmp"
	"context"
	"net/http"

	"evalctl/agent/llm"
	"evalctl/agent/secret"
)

// Endpoint is how one part of an agent reaches what stands behind it.
type Endpoint struct {
	Provider, Model, BaseURL, APIKey string
	HTTP                             interface {
		Do(*http.Request) (*http.Response, error)
	}
	Secrets    *secret.Set                 // of the key and the address; nil: whoever makes a client looks for them
	AsyncTasks bool                        // pictures are made by tasks that are polled
	NoDelay    bool                        // what is simulated in the process must not take time
	BeforeCall func(context.Context) error // stands before a part that is in the process; nil: nothing does
}

// Client makes a client of the model behind the link; cfg names its node and
// its limits.
func (l Endpoint) Client(cfg llm.Config) (*llm.Client, error) {
	cfg.Provider, cfg.Model = cmp.Or(l.Provider, llm.Generic), l.Model
	cfg.BaseURL, cfg.APIKey, cfg.HTTP, cfg.Secrets = l.BaseURL, l.APIKey, l.HTTP, l.Secrets
	return llm.New(cfg)
}
