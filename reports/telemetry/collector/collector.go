// Package collector is an OpenTelemetry collector for tests. It decodes OTLP/HTTP messages and
// rejects what OTLP or the semantic conventions for generative AI forbid.
package collector

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// maxMessage is the maximum size of an uncompressed message, in bytes. Every collector accepts at
// least 4 MiB.
const maxMessage = 4 << 20

// Collector is a test server that checks and stores the spans and metrics it receives.
type Collector struct {
	*httptest.Server

	// Respond can replace the response of the collector, for example with an error: it writes the
	// response and returns true. nil: the collector always responds itself.
	Respond func(w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	wrong   []string
	spans   map[string]Span // key: trace ID and span ID
	order   []string
	metrics []Metric
	points  map[string]bool // streams that already have a point
	largest int
	headers []http.Header
}

// New starts a collector on a local port. The caller must close it.
func New() *Collector {
	c := &Collector{spans: map[string]Span{}, points: map[string]bool{}}
	c.Server = httptest.NewServer(c)
	return c
}

// Violations returns a message for each violation of the specification, including child spans whose
// parent was not received.
func (c *Collector) Violations() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(c.wrong[:len(c.wrong):len(c.wrong)], c.orphans()...)
}

// Spans returns the received spans in the order of their first arrival. A span that was sent again
// occurs once.
func (c *Collector) Spans() (list []Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range c.order {
		list = append(list, c.spans[id])
	}
	return list
}

// Metrics returns the received points of metrics in the order of their arrival.
func (c *Collector) Metrics() []Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.metrics
}

// LargestMessage returns the size of the largest message in bytes, before compression.
func (c *Collector) LargestMessage() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.largest
}

// Headers returns the HTTP headers of each request.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.headers
}

// ServeHTTP receives one message with spans or metrics.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.headers = append(c.headers, r.Header.Clone())
	c.mu.Unlock()
	if c.Respond != nil && c.Respond(w, r) {
		return
	}
	if err := c.take(r); err != nil {
		c.mu.Lock()
		c.wrong = append(c.wrong, err.Error())
		c.mu.Unlock()
		WriteError(w, http.StatusBadRequest, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// WriteError writes an error response: the status code, and a google.rpc.Status with the message.
func WriteError(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.WriteHeader(code)
	// an error only means that the client has disconnected
	_, _ = w.Write(protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), message))
}

// WritePartialSuccess writes a response that reports how many spans or points were rejected, and
// why.
func WritePartialSuccess(w http.ResponseWriter, rejected int64, message string) {
	inner := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(rejected))
	inner = protowire.AppendString(protowire.AppendTag(inner, 2, protowire.BytesType), message)
	w.Header().Set("Content-Type", "application/x-protobuf")
	// as in WriteError, an error means that the client has disconnected
	_, _ = w.Write(protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner))
}

func (c *Collector) take(r *http.Request) error {
	switch {
	case r.Method != http.MethodPost:
		return fmt.Errorf("%s is not a way to send telemetry", r.Method)
	case r.Header.Get("Content-Type") != "application/x-protobuf":
		return fmt.Errorf("the message is %q", r.Header.Get("Content-Type"))
	case r.Header.Get("Content-Encoding") != "gzip":
		return errors.New("the message is not packed")
	}
	packed, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(packed, maxMessage+1))
	if err != nil {
		return err
	}
	if len(text) > maxMessage {
		return errors.New("the message is too long")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.largest = max(c.largest, len(text))
	switch r.URL.Path {
	case "/v1/traces":
		return c.takeTraces(text)
	case "/v1/metrics":
		return c.takeMetrics(text)
	}
	return fmt.Errorf("there is nothing at %s", r.URL.Path)
}

func (c *Collector) takeTraces(text []byte) error {
	var m tracepb.TracesData // has the same encoding as ExportTraceServiceRequest
	if err := decode(text, &m); err != nil {
		return err
	}
	for _, r := range m.ResourceSpans {
		if err := checkResource(r.GetResource(), r.ScopeSpans); err != nil {
			return err
		}
		for _, s := range r.ScopeSpans {
			for _, one := range s.Spans {
				if err := c.takeSpan(one); err != nil {
					return fmt.Errorf("span %q: %w", one.Name, err)
				}
			}
		}
	}
	return nil
}

func (c *Collector) takeMetrics(text []byte) error {
	var m metricspb.MetricsData // has the same encoding as ExportMetricsServiceRequest
	if err := decode(text, &m); err != nil {
		return err
	}
	for _, r := range m.ResourceMetrics {
		if err := checkResource(r.GetResource(), r.ScopeMetrics); err != nil {
			return err
		}
		for _, s := range r.ScopeMetrics {
			for _, one := range s.Metrics {
				if err := c.takeMetric(one); err != nil {
					return fmt.Errorf("metric %q: %w", one.Name, err)
				}
			}
		}
	}
	return nil
}

// decode decodes a message. It returns an error for unknown fields.
func decode(text []byte, m proto.Message) error {
	if err := proto.Unmarshal(text, m); err != nil {
		return err
	}
	if len(m.ProtoReflect().GetUnknown()) > 0 {
		return errors.New("the message has unknown fields")
	}
	return nil
}

// ResetMetrics deletes the received metrics, so that a test can export them again. Spans remain,
// because a repeated span replaces the first.
func (c *Collector) ResetMetrics() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.metrics, c.points = nil, map[string]bool{}
}
