package export

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// Limits for an export to a collector. They hold for any behavior of the collector.
const (
	requestTimeout   = 10 * time.Second // default of OTLP exporters
	exportTimeout    = 5 * time.Minute
	maxAttempts      = 5
	firstWait        = time.Second
	maxWait          = 30 * time.Second // a collector that requests a longer wait (Retry-After) fails the export
	maxResponseBytes = 64 << 10
	maxReasonWidth   = 200 // of a collector's message that an error quotes, in columns
)

const protobufType = "application/x-protobuf"

// OTLPConfig contains the settings for an export of a run to an OpenTelemetry collector.
type OTLPConfig struct {
	Endpoint     Endpoint
	IncludeTexts bool        // also export the texts of turns and replies
	Secrets      *secret.Set // values that error messages must not contain

	timeout time.Duration                              // maximum duration of one request; 0: requestTimeout
	wait    func(context.Context, time.Duration) error // waits before a retry; nil: clock.Sleep
}

// OTLPResult counts what an export sent to the collector.
type OTLPResult struct {
	Trials, Spans, MetricPoints int64  // numbers of exported items
	WithoutTrace                int64  // number of trials without a trace, whose calls were not exported
	Rejected                    int64  // number of spans and points that the collector rejected
	RejectReason                string // why the collector rejected them
}

// SendOTLP sends the traces of a run's trials and the metrics of its summary to an OpenTelemetry
// collector, over OTLP/HTTP in protobuf. They follow the semantic conventions for generative AI
// (v1.41.1, in development). If it fails, the data sent before remain at the collector.
//
// A trial is a span invoke_agent with a child span for each call. Results do not contain when a
// trial started. Its times are therefore the start of the run plus the offsets in the trial, and
// the traces of a run overlap. IDs are derived from the start of the run and the trial's key, so
// that a second export creates no duplicates.
func SendOTLP(ctx context.Context, run *runs.Run, summary eval.Summary, cfg OTLPConfig) (OTLPResult, error) {
	r, err := resourceOf(run.Manifest)
	if err != nil {
		return OTLPResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, exportTimeout)
	defer cancel()
	e := &otlpExport{
		cfg:      cfg,
		resource: r,
		client:   outbound.New(outbound.Config{MaxResponseBytes: maxResponseBytes}),
		packer:   gzip.NewWriter(io.Discard),
	}
	calls := newCallMetrics()
	if err = e.sendSpans(ctx, run, calls); err == nil {
		err = e.sendMetrics(ctx, summary, calls)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		err = fmt.Errorf("the collector took longer than %s in all", exportTimeout)
	case err != nil:
		err = errors.New(cfg.Secrets.Redact(err.Error()))
	}
	return e.result, err
}

// Environment variables of OpenTelemetry exporters for the address and the headers.
const (
	EndpointVar = "OTEL_EXPORTER_OTLP_ENDPOINT" // address of the collector
	headersVar  = "OTEL_EXPORTER_OTLP_HEADERS"
)

// Endpoint contains the address of a collector and the headers for requests to it.
type Endpoint struct {
	base    *url.URL
	headers http.Header
}

// ParseEndpoint parses the base address of a collector, to which exports append v1/traces and
// v1/metrics. The text "env" selects the address in the variable [EndpointVar]. It reads the
// headers from OTEL_EXPORTER_OTLP_HEADERS. It adds secrets in the address and the headers to
// secrets, so that they are redacted.
func ParseEndpoint(text string, getenv func(string) string, secrets *secret.Set) (Endpoint, error) {
	if text == "env" {
		if text = getenv(EndpointVar); text == "" {
			return Endpoint{}, errors.New(EndpointVar + " is not set")
		}
	}
	secrets.AddFromURL(text)
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Endpoint{}, errors.New("is not an address") // without the original error, which contains the address
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return Endpoint{}, fmt.Errorf("%s: want http://HOST:PORT or https://HOST", secret.RedactURL(text))
	case u.RawQuery != "" || u.Fragment != "":
		return Endpoint{}, fmt.Errorf("%s: has a query or a fragment", secret.RedactURL(text))
	case strings.Contains(u.Path+"/", "/v1/traces/"), strings.Contains(u.Path+"/", "/v1/metrics/"):
		return Endpoint{}, fmt.Errorf("%s: leave out /v1/…, which is added", secret.RedactURL(text))
	}
	headers, err := parseHeaders(getenv(headersVar), secrets)
	return Endpoint{base: u, headers: headers}, err
}

// parseHeaders parses headers in the form name=value,name=value. Values are percent-encoded.
func parseHeaders(text string, secrets *secret.Set) (http.Header, error) {
	h := http.Header{}
	for i, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !ok || err != nil || name == "" || strings.ContainsAny(name+plain, "\r\n\x00") ||
			strings.ContainsAny(name, " :\t") {
			return nil, fmt.Errorf("%s: entry %d is not NAME=VALUE", headersVar, i+1)
		}
		secrets.Add(plain, strings.TrimSpace(value))
		// the key in a value such as "Bearer KEY" is a secret of its own
		if _, key, two := strings.Cut(plain, " "); two {
			secrets.Add(key)
		}
		h.Add(name, plain)
	}
	return h, nil
}

// String returns the address without secrets.
func (e Endpoint) String() string { return secret.RedactURL(e.base.String()) }

// runResource contains what all spans and points of a run have in common.
type runResource struct {
	proto      *resourcepb.Resource
	scope      *common.InstrumentationScope
	start, end time.Time
}

// maxYear is the last year of valid start and end times, so that adding durations in nanoseconds
// cannot overflow.
const maxYear = 2200

// resourceOf returns the resource for the manifest of a run. It returns an error if the manifest
// has no start time, for example because there is only a results file.
func resourceOf(m journal.Manifest) (runResource, error) {
	if m.Started.Unix() <= 0 || m.Started.Year() > maxYear {
		return runResource{}, errors.New("requires a run folder: its manifest has the start time")
	}
	r := runResource{
		proto: &resourcepb.Resource{Attributes: resourceAttributes(m).proto()},
		scope: &common.InstrumentationScope{Name: "evalctl", Version: truncated(m.Version, maxTextBytes)},
		start: m.Started,
		end:   m.Started,
	}
	if m.Finished != nil && m.Finished.After(m.Started) && m.Finished.Year() <= maxYear {
		r.end = *m.Finished
	}
	return r, nil
}

// otlpExport sends messages to the collector, one after the other.
type otlpExport struct {
	cfg      OTLPConfig
	resource runResource
	result   OTLPResult
	client   *http.Client
	body     bytes.Buffer
	packer   *gzip.Writer
}

// Limits for a message to the collector, before compression.
const (
	maxItems        = 1000 // number of spans or points
	maxMessageBytes = 1 << 20
)

// batch collects spans or metrics, and sends them if they are enough for a message.
type batch[T proto.Message] struct {
	items, bytes int
	list         []T
	send         func(ctx context.Context, list []T) error
	sent         *int64 // number of sent items
}

// add adds one span, or one metric with several points. items is the number of spans or points.
func (b *batch[T]) add(ctx context.Context, one T, items int) error {
	size := proto.Size(one)
	if b.items > 0 && (b.items+items > maxItems || b.bytes+size > maxMessageBytes) {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	b.list, b.items, b.bytes = append(b.list, one), b.items+items, b.bytes+size
	return nil
}

func (b *batch[T]) flush(ctx context.Context) error {
	if b.items == 0 {
		return nil
	}
	if err := b.send(ctx, b.list); err != nil {
		return err
	}
	*b.sent += int64(b.items)
	clear(b.list) // so that the memory of the sent items can be freed
	b.list, b.items, b.bytes = b.list[:0], 0, 0
	return nil
}

// retryableError is an error after which a retry can succeed.
type retryableError struct {
	error
	after time.Duration // how long the collector requests to wait (Retry-After); 0: not stated
}

// post sends a message for a signal, which is "traces" or "metrics". It retries temporary errors,
// until the collector accepts or rejects the message or the maximum number of attempts is reached.
func (e *otlpExport) post(ctx context.Context, signal string, m proto.Message) error {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err
	}
	e.body.Reset()
	e.packer.Reset(&e.body)
	_, err = e.packer.Write(text)
	if err := errors.Join(err, e.packer.Close()); err != nil {
		return err
	}
	wait := firstWait
	for n := 1; ; n++ {
		err := e.attempt(ctx, signal)
		var retryable retryableError
		switch {
		case err == nil || !errors.As(err, &retryable) || ctx.Err() != nil:
			return err
		case retryable.after > maxWait:
			return fmt.Errorf("%w, and requires a wait of %s", err, retryable.after)
		case n == maxAttempts:
			return fmt.Errorf("%w, %d times", err, n)
		}
		sleep := clock.Sleep
		if e.cfg.wait != nil {
			sleep = e.cfg.wait
		}
		if err := sleep(ctx, max(wait, retryable.after)); err != nil {
			return err
		}
		wait = min(2*wait, maxWait)
	}
}

// retryableStatuses are the HTTP statuses after which OTLP allows a retry.
var retryableStatuses = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
	http.StatusGatewayTimeout}

func (e *otlpExport) attempt(ctx context.Context, signal string) error {
	timeout := cmp.Or(e.cfg.timeout, requestTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.cfg.Endpoint.base.JoinPath("v1", signal).String(),
		bytes.NewReader(e.body.Bytes()))
	if err != nil {
		return err
	}
	req.Header = e.cfg.Endpoint.headers.Clone()
	req.Header.Set("Content-Type", protobufType)
	req.Header.Set("Content-Encoding", "gzip")
	req.Header.Set("User-Agent", "evalctl")
	resp, err := e.client.Do(req)
	if err != nil {
		return retryableError{error: transportError(ctx, err, timeout)}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes))
	switch {
	case outbound.DescribeRedirect(resp) != "":
		return errors.New(outbound.DescribeRedirect(resp))
	case slices.Contains(retryableStatuses, resp.StatusCode):
		return retryableError{error: responseError(resp, body), after: retryAfter(resp.Header)}
	case resp.StatusCode != http.StatusOK:
		return responseError(resp, body)
	case err != nil:
		return retryableError{error: transportError(ctx, err, timeout)}
	}
	return e.result.addResponse(resp.Header.Get("Content-Type"), body)
}

// transportError describes why there was no response. It omits the address, which can contain
// secrets.
func transportError(ctx context.Context, err error, timeout time.Duration) error {
	var of *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("no answer within %s", timeout)
	case errors.As(err, &of):
		return of.Err
	}
	return err
}

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

// responseError returns the error for a response with a status other than 200. If the body is a
// google.rpc.Status, the error includes the message in its field 2.
func responseError(resp *http.Response, body []byte) error {
	text := fmt.Sprintf("the collector answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if isProtobuf(resp.Header.Get("Content-Type")) {
		status, _ := fieldsOf(body) // an invalid message has no reason to quote
		body = status.bytes[2]
	}
	if reason := brief(string(body)); reason != "" {
		text += ": " + reason
	}
	return errors.New(text)
}

// addResponse reads the body of a successful response, an Export…ServiceResponse. An empty body
// means that the collector accepted everything. Otherwise field 1 contains the number of rejected
// spans or points, and the reason.
func (r *OTLPResult) addResponse(contentType string, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	if !isProtobuf(contentType) {
		return fmt.Errorf("the answer is %s, and not %s: is that a collector?", brief(contentType), protobufType)
	}
	answer, err := fieldsOf(body)
	if err != nil {
		return err
	}
	partial, err := fieldsOf(answer.bytes[1])
	if err != nil {
		return err
	}
	r.Rejected += max(0, int64(partial.numbers[1]))
	if reason := brief(string(partial.bytes[2])); reason != "" {
		r.RejectReason = reason
	}
	return nil
}

func isProtobuf(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == protobufType
}

func brief(s string) string { return text.Truncate(text.EscapeLine(s), maxReasonWidth) }

// protoFields contains the fields of a protobuf message by number. If a field occurs several times,
// the last value counts. The generated types for responses would add gRPC to the program.
type protoFields struct {
	numbers map[protowire.Number]uint64
	bytes   map[protowire.Number][]byte
}

func fieldsOf(message []byte) (protoFields, error) {
	f := protoFields{numbers: map[protowire.Number]uint64{}, bytes: map[protowire.Number][]byte{}}
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeField(message)
		if size < 0 {
			return protoFields{}, errors.New("the answer is not a protobuf: is that a collector?")
		}
		_, _, tagSize := protowire.ConsumeTag(message)
		switch value := message[tagSize:size]; kind {
		case protowire.VarintType:
			f.numbers[number], _ = protowire.ConsumeVarint(value)
		case protowire.BytesType:
			f.bytes[number], _ = protowire.ConsumeBytes(value)
		}
		message = message[size:]
	}
	return f, nil
}
