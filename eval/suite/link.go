package suite

import (
	"cmp"
	"context"
	"net/http"

	"evalctl/agent/llm"
	"evalctl/eval"
)

// Link is how one component of an agent reaches what stands behind it.
type Link struct {
	Provider, Model, BaseURL, APIKey string
	HTTP                             interface {
		Do(*http.Request) (*http.Response, error)
	}
	Local func(context.Context) error // stands before a component that is in the process; nil: nothing does
}

// World connects a trial: mocks of its own, real endpoints, or both.
type World func(t eval.Trial, v Variant) (func(component string) Link, error)

// client makes a client of the model behind the link; cfg names its node and
// its limits.
func (l Link) client(cfg llm.Config) (*llm.Client, error) {
	cfg.Provider, cfg.Model = cmp.Or(l.Provider, llm.Generic), l.Model
	cfg.BaseURL, cfg.APIKey, cfg.HTTP = l.BaseURL, l.APIKey, l.HTTP
	return llm.New(cfg)
}
