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

// Limits on a service's answer, in bytes, except maxChunks.
const (
	maxError   = 64 << 10
	maxEvent   = 1 << 20
	maxContent = 1 << 20 // of the content, and of the reasoning
	maxChunks  = 32 << 10
)

// Paths below the base URL.
const (
	chatPath      = "/chat/completions"
	embeddingPath = "/embeddings"
)

// post sends a request and returns a response with a status of success. Errors of the provider are
// *Error.
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

// answerBegun reports whether the last attempt received at least part of an answer, which may be
// billed.
func (k *call) answerBegun(err error) bool {
	var e *Error
	return k.succeeded && !(errors.As(err, &e) && e.inAnswer)
}

// urlOf returns the URL of a path.
func (c *Client) urlOf(path string) *url.URL {
	u := *c.base
	u.Path += path
	if u.RawPath != "" {
		u.RawPath += path
	}
	return &u
}

// exchange sends a request and reads the whole answer before decoding it. A connection that breaks
// is therefore not reported as malformed JSON.
func (c *Client) exchange(ctx context.Context, path string, k *call, into any) (raw []byte, err error) {
	resp, err := c.post(ctx, path, k, "application/json")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // read only: no error to report
	if raw, err = c.readBody(resp); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, into, lenient); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	return raw, nil
}

// readBody reads a body of limited size. Clients of package outbound have this limit themselves;
// others may not.
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
	if err := outbound.LimitJSONParts(body.Bytes()); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	if e := errorInside(c.provider, "", body.Bytes()); e != nil {
		return nil, e
	}
	return c.cfg.Secrets.RedactJSON(body.Bytes()), nil
}

// ReadResponseError reads and closes an error response. If the body breaks off, the received part
// is used, because the status is enough.
func ReadResponseError(ctx context.Context, p Provider, resp *http.Response) *Error {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxError))
	code, typ, message := errorBody(body)
	message = cmp.Or(outbound.Redirect(resp), message, http.StatusText(resp.StatusCode))
	e := NewResponseError(p, resp.StatusCode, code, typ, message)
	if resp.StatusCode < 400 {
		e.Kind = KindMalformedResponse
	}
	e.RetryAfter = retryAfter(ctx, resp.Header)
	e.Err = err
	return e
}
