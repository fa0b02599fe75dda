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
	To      suite.Model
}

// Via stands in the way of calls to what is real: it makes the transport of one trial's
// calls of a part.
type Via func(c Call, next http.RoundTripper) http.RoundTripper

// client is the way to what is real.
func (b *Backend) client(c Call) *http.Client {
	if len(b.via) == 0 {
		return b.http
	}
	client := *b.http
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	for _, via := range slices.Backward(b.via) {
		client.Transport = via(c, client.Transport)
	}
	return &client
}
