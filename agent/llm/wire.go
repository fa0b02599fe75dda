package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Bounds on what a service may answer.
const (
	maxError   = 64 << 10
	maxEvent   = 1 << 20
	maxContent = 1 << 20 // of the content, and of the thoughts
	maxChunks  = 32 << 10
)

// wire is the HTTP side of one attempt. It puts into the request what
// go-openai cannot, and takes from the response what go-openai loses.
type wire struct {
	next     openai.HTTPDoer
	provider Provider
	secrets  *secret.Set
	call     *call
	stream   bool
	query    string // of the base URL

	sent bool   // go-openai found nothing wrong with the request
	raw  []byte // the whole body of an answer that is no stream
	sse  *events
}

var _ openai.HTTPDoer = (*wire)(nil)

// Do sends the request. Errors of the provider are returned as *Error, since
// go-openai drops Retry-After and the code of some.
func (w *wire) Do(r *http.Request) (*http.Response, error) {
	w.sent = true
	r.URL.RawQuery = w.query
	if err := w.rewrite(r); err != nil {
		return nil, err
	}
	resp, err := w.next.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return nil, RefusedResponse(r.Context(), w.provider, resp)
	}
	if w.stream {
		w.sse = newEvents(w.provider, resp.Body)
		return resp, nil
	}
	return resp, w.swallow(resp)
}

// RefusedResponse reads and closes a response whose status is an error. A body that
// breaks off is used as far as it came: the status says enough.
func RefusedResponse(ctx context.Context, p Provider, resp *http.Response) *Error {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxError))
	code, typ, message := errorBody(body)
	message = cmp.Or(outbound.Redirect(resp), message, http.StatusText(resp.StatusCode))
	e := Refused(p, resp.StatusCode, code, typ, message)
	if resp.StatusCode < 400 {
		e.Kind = KindMalformed
	}
	e.RetryAfter = retryAfter(ctx, resp.Header)
	e.Err = err
	return e
}

// swallow reads the whole body, so that a connection that breaks in it is
// not taken for malformed JSON.
func (w *wire) swallow(resp *http.Response) error {
	raw, err := w.whole(resp.Body)
	if err != nil {
		return errors.Join(err, resp.Body.Close())
	}
	w.raw = raw
	resp.Body = replay{Reader: bytes.NewReader(raw), Closer: resp.Body}
	return nil
}

// replay is a body that was read before; it is closed once it is decoded.
type replay struct {
	io.Reader
	io.Closer
}

// whole is a body that can be decoded. Clients of package outbound end a longer
// one themselves; others may have no bound of their own.
func (w *wire) whole(body io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, outbound.MostMaxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > outbound.MostMaxAnswer {
		return nil, tooMuch("%d bytes", outbound.MostMaxAnswer)
	}
	if err := outbound.CheckShape(raw); err != nil {
		return nil, &Error{Kind: KindMalformed, Status: http.StatusOK, Err: err}
	}
	if e := errorInside(w.provider, "", raw); e != nil {
		return nil, e
	}
	return w.secrets.JSON(withoutBadUsage(raw)), nil
}

// rewrite merges the extras into the body and gives every message a content.
// ContentLength and GetBody must follow the body: else a transport that sends
// again on a fresh connection sends the old one.
func (w *wire) rewrite(r *http.Request) error {
	if len(w.call.extras) == 0 && !w.call.bare || r.Body == nil {
		return nil
	}
	old := bytes.NewBuffer(make([]byte, 0, max(r.ContentLength, 0)+bytes.MinRead))
	_, err := old.ReadFrom(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return fmt.Errorf("read request body: %w", err)
	}
	body, ok := w.appended(old.Bytes())
	if !ok {
		if body, err = w.merged(old.Bytes()); err != nil {
			return err
		}
	}
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, err = r.GetBody()
	return err
}

// appended puts the extras at the end of the body, which is possible where it has none
// of their names, on any level.
func (w *wire) appended(body []byte) (longer []byte, ok bool) {
	open, ok := bytes.CutSuffix(body, []byte("}"))
	if !ok || w.call.bare {
		return nil, false
	}
	var tail []byte
	for _, key := range slices.Sorted(maps.Keys(w.call.extras)) {
		name, err := json.Marshal(key)
		if name = append(name, ':'); err != nil || bytes.Contains(body, name) {
			return nil, false
		}
		tail = slices.Concat(tail, []byte(","), name, w.call.extras[key])
	}
	return slices.Concat(open, tail, []byte("}")), true
}

// merged has the extras in the place of what it has of their names.
func (w *wire) merged(old []byte) ([]byte, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(old, &top); err != nil {
		return nil, fmt.Errorf("decode request body: %w", err)
	}
	if w.call.bare {
		if err := giveContent(top); err != nil {
			return nil, err
		}
	}
	maps.Copy(top, w.call.extras)
	body, err := json.Marshal(top)
	if err != nil {
		return nil, fmt.Errorf("encode request body: %w", err)
	}
	return body, nil
}

// giveContent adds the content that go-openai leaves out where it is empty.
func giveContent(top map[string]json.RawMessage) error {
	var messages []map[string]json.RawMessage
	if err := json.Unmarshal(top["messages"], &messages); err != nil {
		return fmt.Errorf("decode request messages: %w", err)
	}
	for _, m := range messages {
		if _, ok := m["content"]; !ok {
			m["content"] = json.RawMessage(`""`)
		}
	}
	raw, err := json.Marshal(messages)
	if err != nil {
		return fmt.Errorf("encode request messages: %w", err)
	}
	top["messages"] = raw
	return nil
}
