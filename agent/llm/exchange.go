package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json"

	"evalctl/agent/outbound"
)

// Limits on a service's answer, in bytes; maxChunks is a number of emitted pieces.
const (
	maxError   = 64 << 10
	maxEvent   = 1 << 20
	maxContent = 1 << 20 // applies separately to the content and to the reasoning
	maxChunks  = 32 << 10
)

// API paths below the base URL.
const (
	chatPath      = "/chat/completions"
	embeddingPath = "/embeddings"
)

// post sends a request and returns a response with a 2xx status. Others become an *Error.
func (c *Client) post(ctx context.Context, path string, k *call, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "", bytes.NewReader(k.body))
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Err: err}
	}
	r.URL, r.Host = c.urlOf(path), c.base.Host
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {accept}}
	if c.cfg.APIKey != "" {
		r.Header["Authorization"] = []string{"Bearer " + c.cfg.APIKey}
	}
	k.succeeded = false
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return nil, ReadResponseError(ctx, c.provider, resp)
	}
	k.succeeded = true
	return resp, nil
}

// answerBegun reports whether the last attempt received at least the start of an answer. The
// provider may bill such an attempt even if it failed.
func (k *call) answerBegun(err error) bool {
	var e *Error
	return k.succeeded && !(errors.As(err, &e) && e.inAnswer)
}

// urlOf returns the URL of an API path.
func (c *Client) urlOf(path string) *url.URL {
	u := *c.base
	u.Path += path
	if u.RawPath != "" {
		u.RawPath += path
	}
	return &u
}

// exchange sends a request and decodes the JSON answer into into. It reads the whole answer before
// decoding, so a broken connection is not reported as malformed JSON.
func (c *Client) exchange(ctx context.Context, path string, k *call, into any) (raw []byte, err error) {
	resp, err := c.post(ctx, path, k, "application/json")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // the body was only read, so Close cannot lose data
	if raw, err = c.readBody(resp); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, into, lenient); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	return raw, nil
}

// readBody reads a response body up to a size limit and redacts secrets in it. Clients of package
// outbound limit the size themselves, but cfg.HTTP may be another client.
func (c *Client) readBody(resp *http.Response) ([]byte, error) {
	var body bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= maxError {
		body.Grow(int(n) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(io.LimitReader(resp.Body, outbound.MaxResponseBytesLimit+1)); err != nil {
		return nil, err
	}
	if body.Len() > outbound.MaxResponseBytesLimit {
		return nil, limitError("%d bytes", outbound.MaxResponseBytesLimit)
	}
	if err := outbound.CheckJSONComplexity(body.Bytes()); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	if e := errorInside(c.provider, "", body.Bytes()); e != nil {
		return nil, e
	}
	return c.cfg.Secrets.RedactJSON(body.Bytes()), nil
}

// ReadResponseError reads and closes an error response and returns its error. If the connection
// breaks, the part that was received is used.
func ReadResponseError(ctx context.Context, p Provider, resp *http.Response) *Error {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxError))
	code, typ, message := errorBody(body)
	message = cmp.Or(outbound.DescribeRedirect(resp), message, http.StatusText(resp.StatusCode))
	e := NewResponseError(p, resp.StatusCode, code, typ, message)
	if resp.StatusCode < 400 {
		e.Kind = KindMalformedResponse
	}
	e.RetryAfter = retryAfter(ctx, resp.Header)
	e.Err = err
	return e
}
