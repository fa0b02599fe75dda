package backend

import (
	"net/http"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// Call describes the calls that middleware wraps: those of one real component in one trial.
type Call struct {
	Trial     eval.Trial
	Variant   string
	Component string      // name of the component
	Node      string      // name of the component's node in the results of the trial; empty: none
	Model     suite.Model // configured model and endpoint of the component
}

// Middleware wraps the HTTP transport of calls to real endpoints, for example to record or cache
// them. It is created for each component of each trial.
type Middleware func(c Call, next http.RoundTripper) http.RoundTripper

// wrapClient returns a copy of base whose transport is wrapped in all middleware. Without
// middleware it returns base.
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
