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

// Bounds on what a service may answer.
const (
	maxError   = 64 << 10
	maxEvent   = 1 << 20
	maxContent = 1 << 20 // of the content, and of the thoughts
	maxChunks  = 32 << 10
)

// Paths below a base URL.
const (
	chatPath      = "/chat/completions"
	embeddingPath = "/embeddings"
)

// post sends a request and gives the response, whose status is one of success. Errors
// of the provider are *Error.
func (c *Client) post(ctx context.Context, path string, k *call, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "", bytes.NewReader(k.body))
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Err: err}
	}
	r.URL, r.Host = c.at(path), c.base.Host
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {accept}}
	if c.cfg.APIKey != "" {
		r.Header["Authorization"] = []string{"Bearer " + c.cfg.APIKey}
	}
	k.served = false
	resp, err := c.cfg.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return nil, ReadResponseError(ctx, c.provider, resp)
	}
	k.served = true
	return resp, nil
}

// begun tells whether the last attempt was answered, be it in part, which may be billed.
func (k *call) begun(err error) bool {
	var e *Error
	return k.served && !(errors.As(err, &e) && e.instead)
}

// at is the address of a path.
func (c *Client) at(path string) *url.URL {
	u := *c.base
	u.Path += path
	if u.RawPath != "" {
		u.RawPath += path
	}
	return &u
}

// ask is one exchange whose answer comes whole. It reads all of the body first, so that
// a connection that breaks in it is not taken for malformed JSON.
func (c *Client) ask(ctx context.Context, path string, k *call, into any) (raw []byte, err error) {
	resp, err := c.post(ctx, path, k, "application/json")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // only read from: nothing to lose
	if raw, err = c.whole(resp); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, into, asServed); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	return raw, nil
}

// whole is a body that can be decoded. Clients of package outbound end a longer
// one themselves; others may have no bound of their own.
func (c *Client) whole(resp *http.Response) ([]byte, error) {
	var body bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= maxError {
		body.Grow(int(n) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(io.LimitReader(resp.Body, outbound.MaxResponseBytesLimit+1)); err != nil {
		return nil, err
	}
	if body.Len() > outbound.MaxResponseBytesLimit {
		return nil, tooMuch("%d bytes", outbound.MaxResponseBytesLimit)
	}
	if err := outbound.CheckShape(body.Bytes()); err != nil {
		return nil, &Error{Kind: KindMalformedResponse, Status: http.StatusOK, Err: err}
	}
	if e := errorInside(c.provider, "", body.Bytes()); e != nil {
		return nil, e
	}
	return c.cfg.Secrets.RedactJSON(body.Bytes()), nil
}

// ReadResponseError reads and closes a response whose status is an error. A body that
// breaks off is used as far as it came: the status says enough.
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
