// Package remote evaluates an external agent, in any language, at a URL (--target http). It sends
// each turn as JSON. The agent answers with JSON or a stream of server-sent events that contains
// the label.
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

// provider is the provider name in spans and errors.
const provider = "http"

// Doer sends HTTP requests: an http.Client, a mock, a cassette.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config configures a Client: the agent's address and the format of its requests and answers.
type Config struct {
	URL      string              // address of the agent; required
	Model    string              // name of the agent's model in the spans, which determines the price; "": unknown
	Header   http.Header         // additional headers of every request
	Template *foreign.Template   // JSON template of a request; nil: the default format
	Paths    foreign.AnswerPaths // where an answer contains the label, the text and so on; zero: the default paths

	HTTP    Doer          // HTTP client; nil: outbound.Default()
	Timeout time.Duration // time limit of one attempt; 0: llm.DefaultTimeout
	Retries int           // retries after the first attempt, as in llm.CallPolicy
	Seed    uint64        // seed of the random part of back-off waits
	Secrets *secret.Set   // values to redact in errors; New adds the secrets in URL
}

// Client sends turns to an external agent. It is safe for concurrent use.
type Client struct{ cfg Config }

var _ foreign.Transport = (*Client)(nil)

// New validates cfg and creates a client. Errors name the invalid field.
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
	cfg.Secrets.AddFromURL(cfg.URL)
	c := &Client{cfg: cfg}
	return c, c.Policy(foreign.Request{}).Check("remote.Config")
}

// checkURL returns an error unless the text is the URL of one service.
func checkURL(address string) error {
	if strings.Count(address, "://") > 1 {
		return errors.New("takes one address: give each its own --url")
	}
	if _, err := outbound.ParseURL(address); err != nil {
		return fmt.Errorf("%q is not an address like http://127.0.0.1:8000/answer", secret.RedactURL(address))
	}
	return nil
}

// Policy returns the retry policy for a request. The jitter seed depends on the text, so that
// parallel requests do not retry at the same time.
func (c *Client) Policy(q foreign.Request) llm.CallPolicy {
	h := fnv.New64a()
	_, _ = io.WriteString(h, q.Turn.Text) // writing to a hash never fails
	return llm.CallPolicy{
		Node:     foreign.Node,
		Provider: provider,
		Model:    c.cfg.Model,
		Timeout:  c.cfg.Timeout,
		Retries:  c.cfg.Retries,
		Seed:     c.cfg.Seed ^ h.Sum64(),
		Secrets:  c.cfg.Secrets,
	}
}

// Exchange sends a request to the agent, reads the answer, and emits its events with t. A failed
// exchange can be retried, unless events of an answer were already emitted.
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
	q.ID = "" // the default request format has no ID
	return q.JSON()
}

// withoutRetry makes an error permanent if events of the answer were already emitted, because a
// retry would emit them again. It returns other errors unchanged.
func withoutRetry(ctx context.Context, err error, events *foreign.EventReader) error {
	var failed *llm.Error
	var long *outbound.ResponseTooLargeError
	switch {
	case !events.HasPartialAnswer(), ctx.Err() != nil, errors.As(err, &long):
		return err
	case errors.As(err, &failed) && !failed.IsRetryable():
		return err
	}
	return foreign.NoAnswerError("the answer broke off", err)
}

// post sends a request body and reads the response, which is one JSON document or a stream.
func (c *Client) post(ctx context.Context, body []byte, events *foreign.EventReader) (a foreign.Answer, err error) {
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
		stream := &streamReader{paths: c.cfg.Paths, events: events}
		return stream.all(ctx, resp.Body)
	}
	return c.readDocument(ctx, resp.Body, events)
}

// readDocument reads an answer that is one JSON document.
func (c *Client) readDocument(ctx context.Context, body io.Reader, events *foreign.EventReader) (a foreign.Answer,
	err error) {
	raw, err := io.ReadAll(io.LimitReader(body, outbound.MaxResponseBytesLimit+1))
	switch {
	case err != nil:
		return a, err
	case len(raw) > outbound.MaxResponseBytesLimit:
		return a, foreign.MalformedAnswerError("is longer than %d bytes", outbound.MaxResponseBytesLimit)
	}
	d, err := foreign.ParseDocument(raw)
	if err != nil {
		return a, err
	}
	if a, err = events.ReadAnswer(ctx, d, c.cfg.Paths); err != nil {
		return a, err
	}
	return a, a.Validate()
}
