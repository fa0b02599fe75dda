package backend

import (
	"net/http"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// Call says whose requests go out: those of a trial, to what stands behind a part.
type Call struct {
	Trial   eval.Trial
	Variant string
	Part    string
	Node    string // under which the calls stand in the trial's row; "": they stand in none
	Origin  suite.Model
}

// Middleware stands in the way of calls to what is real: it makes the transport of one trial's
// calls of a part.
type Middleware func(c Call, next http.RoundTripper) http.RoundTripper

// through is the way to what is real, with what stands in it.
func through(via []Middleware, c Call, to *http.Client) *http.Client {
	if len(via) == 0 {
		return to
	}
	client := *to
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	for _, v := range slices.Backward(via) {
		client.Transport = v(c, client.Transport)
	}
	return &client
}
