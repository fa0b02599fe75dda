// Package remote is the target http (--target http): an external agent at a URL, in any language. A
// turn is sent as JSON. The answer, JSON or a stream of server-sent events, contains the label.
package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// provider is the provider in spans and errors.
const provider = "http"

// Doer sends HTTP requests: an http.Client, a mock, a cassette.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client.
type Config struct {
	URL      string              // required
	Model    string              // model in the spans, which determines the price; "": none
	Header   http.Header         // sent with every request
	Template *foreign.Template   // of requests; nil: the default form
	Paths    foreign.AnswerPaths // in answers; zero: the default paths

	HTTP    Doer          // nil: outbound.Default()
	Timeout time.Duration // per attempt; 0: llm.DefaultTimeout
	Retries int           // as in llm.Policy
	Seed    uint64        // of the jitter
	Secrets *secret.Set   // redacted in errors, together with those of URL
}

// Client calls the agent. It is safe for concurrent use.
type Client struct{ cfg Config }

var _ foreign.Transport = (*Client)(nil)

// New validates cfg. Errors name the field.
func New(cfg Config) (*Client, error) {
	if err := checkURL(cfg.URL); err != nil {
		return nil, fmt.Errorf("remote.Config.URL: %w", err)
	}
	if cfg.Paths == (foreign.AnswerPaths{}) {
		cfg.Paths = foreign.DefaultPaths()
	}
	if cfg.HTTP == nil {
		cfg.HTTP = outbound.Default()
	}
	if cfg.Secrets == nil {
		cfg.Secrets = &secret.Set{}
	}
	cfg.Secrets.AddURL(cfg.URL)
	c := &Client{cfg: cfg}
	return c, c.Policy(foreign.Request{}).Check("remote.Config")
}

// checkURL rejects text that is not the address of a service.
func checkURL(address string) error {
	if strings.Count(address, "://") > 1 {
		return errors.New("takes one address: give each its own --url")
	}
	if _, err := outbound.ParseURL(address); err != nil {
		return fmt.Errorf("%q is not an address like http://127.0.0.1:8000/answer", secret.RedactURL(address))
	}
	return nil
}

// Policy gives parallel requests different jitter.
func (c *Client) Policy(q foreign.Request) llm.Policy {
	h := fnv.New64a()
	_, _ = io.WriteString(h, q.Turn.Text) // never fails
	return llm.Policy{
		Node:     foreign.Node,
		Provider: provider,
		Model:    c.cfg.Model,
		Timeout:  c.cfg.Timeout,
		Retries:  c.cfg.Retries,
		Seed:     c.cfg.Seed ^ h.Sum64(),
		Secrets:  c.cfg.Secrets,
	}
}

// Exchange sends a request and reads the answer. It is retried where that can help, unless part of
// an answer was emitted.
func (c *Client) Exchange(ctx context.Context, q foreign.Request, t *foreign.EventReader) (foreign.Answer, error) {
	body, err := c.body(q)
	if err != nil {
		return foreign.Answer{}, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	a, err := c.post(ctx, body, t)
	switch {
	case err != nil:
		return a, withoutRetry(ctx, err, t)
	case c.cfg.Paths.ID != "" && a.ID != q.ID:
		return a, foreign.WrongIDError(a.ID, q.ID)
	}
	return a, nil
}

func (c *Client) body(q foreign.Request) ([]byte, error) {
	if c.cfg.Template != nil {
		return c.cfg.Template.Fill(q)
	}
	q.ID = "" // not part of the default request
	return q.JSON()
}

// withoutRetry prevents a retry after part of an answer was emitted.
func withoutRetry(ctx context.Context, err error, teller *foreign.EventReader) error {
	var failed *llm.Error
	var long *outbound.ResponseTooLargeError
	switch {
	case !teller.HasStarted(), ctx.Err() != nil, errors.As(err, &long):
		return err
	case errors.As(err, &failed) && !failed.Retryable():
		return err
	}
	return foreign.NoAnswerError("the answer broke off", err)
}

// post sends a request and reads the response.
func (c *Client) post(ctx context.Context, body []byte, teller *foreign.EventReader) (a foreign.Answer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return a, &llm.Error{Kind: llm.KindBadRequest, Err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, values := range c.cfg.Header {
		r.Header[name] = values
	}
	if host := c.cfg.Header.Get("Host"); host != "" {
		r.Host = host
	}
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return a, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return a, llm.ReadResponseError(ctx, llm.Provider{Name: provider}, resp)
	}
	defer resp.Body.Close()
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/event-stream" {
		stream := &streamReader{paths: c.cfg.Paths, events: teller}
		return stream.all(ctx, resp.Body)
	}
	return c.readDocument(ctx, resp.Body, teller)
}

// readDocument reads an answer that is one JSON document.
func (c *Client) readDocument(ctx context.Context, body io.Reader, teller *foreign.EventReader) (a foreign.Answer,
	err error) {
	raw, err := io.ReadAll(io.LimitReader(body, outbound.MaxResponseBytesLimit+1))
	switch {
	case err != nil:
		return a, err
	case len(raw) > outbound.MaxResponseBytesLimit:
		return a, foreign.MalformedError("is longer than %d bytes", outbound.MaxResponseBytesLimit)
	}
	d, err := foreign.Read(raw)
	if err != nil {
		return a, err
	}
	if a, err = teller.ReadAnswer(ctx, d, c.cfg.Paths); err != nil {
		return a, err
	}
	return a, a.Validate()
}
