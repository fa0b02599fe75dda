package backend

import (
	"net/http"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// Call describes the calls of a part of a trial.
type Call struct {
	Trial   eval.Trial
	Variant string
	Part    string
	Node    string // the node of the calls in the trial's row; empty: none
	Origin  suite.Model
}

// Middleware wraps the transport of real calls. It is created for each part of each trial.
type Middleware func(c Call, next http.RoundTripper) http.RoundTripper

// wrapClient returns a client with all middleware.
func wrapClient(middleware []Middleware, c Call, base *http.Client) *http.Client {
	if len(middleware) == 0 {
		return base
	}
	client := *base
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	for _, v := range slices.Backward(middleware) {
		client.Transport = v(c, client.Transport)
	}
	return &client
}
