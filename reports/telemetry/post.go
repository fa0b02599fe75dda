package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"

	"evalctl/agent/outbound"
)

// poster sends messages to the collector, one after the other.
type poster struct {
	cfg    Config
	client *http.Client
	sent   *ExportResult
	body   bytes.Buffer
	packer *gzip.Writer
}

func newPoster(cfg Config, sent *ExportResult) *poster {
	return &poster{
		cfg:    cfg,
		client: cfg.client(),
		sent:   sent,
		packer: gzip.NewWriter(io.Discard),
	}
}

// post sends a message. It retries temporary errors, until the collector accepts or rejects the
// message or the maximum number of attempts is reached.
func (p *poster) post(ctx context.Context, signal string, m proto.Message) error {
	if err := p.pack(m); err != nil {
		return err
	}
	wait := firstWait
	for n := 1; ; n++ {
		err := p.attempt(ctx, signal)
		var again *retryableError
		if err == nil || !errors.As(err, &again) || ctx.Err() != nil {
			return err
		}
		if again.after > maxWait {
			return fmt.Errorf("%w, and requires a wait of %s", err, again.after)
		}
		if n == attempts {
			return fmt.Errorf("%w, %d times", err, n)
		}
		if err := p.cfg.wait(ctx, max(wait, again.after)); err != nil {
			return err
		}
		wait = min(2*wait, maxWait)
	}
}

func (p *poster) pack(m proto.Message) error {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err
	}
	p.body.Reset()
	p.packer.Reset(&p.body)
	_, err = p.packer.Write(text)
	return errors.Join(err, p.packer.Close())
}

func (p *poster) attempt(ctx context.Context, signal string) error {
	limit := p.cfg.Timeout
	if limit == 0 {
		limit = attemptTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.cfg.Endpoint.signal(signal),
		bytes.NewReader(p.body.Bytes()))
	if err != nil {
		return err
	}
	for name, values := range p.cfg.Endpoint.headers {
		req.Header[name] = slices.Clone(values)
	}
	req.Header.Set("Content-Type", protobufType)
	req.Header.Set("Content-Encoding", "gzip")
	req.Header.Set("User-Agent", "evalctl")
	resp, err := p.client.Do(req)
	if err != nil {
		return &retryableError{err: transportError(ctx, err, limit)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case outbound.DescribeRedirect(resp) != "":
		return errors.New(outbound.DescribeRedirect(resp))
	case slices.Contains(retryableStatuses, resp.StatusCode):
		return &retryableError{err: responseError(resp, body), after: retryAfter(resp.Header)}
	case resp.StatusCode != http.StatusOK:
		return responseError(resp, body)
	case err != nil:
		return &retryableError{err: transportError(ctx, err, limit)}
	}
	return p.sent.addResponse(resp.Header.Get("Content-Type"), body)
}

// transportError describes why there was no response. It omits the address, which can contain
// secrets.
func transportError(ctx context.Context, err error, limit time.Duration) error {
	var of *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("no answer within %s", limit)
	case errors.As(err, &of):
		return of.Err
	}
	return err
}

// retryableStatuses are the HTTP statuses after which OTLP allows a retry.
var retryableStatuses = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
	http.StatusGatewayTimeout}

// retryableError is an error after which a retry can succeed.
type retryableError struct {
	err   error
	after time.Duration // how long the collector requests to wait (Retry-After); 0: not stated
}

func (b *retryableError) Error() string { return b.err.Error() }
func (b *retryableError) Unwrap() error { return b.err }

// retryAfter returns the wait that the header Retry-After requests, as seconds or a date. It
// returns 0 if the header is missing or invalid.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(s) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
