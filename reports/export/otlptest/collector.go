// Package otlptest is an OpenTelemetry collector for tests. It stores the spans and metrics that it
// receives, and checks them against OTLP and the semantic conventions for generative AI 1.41.1.
package otlptest

//lint:file-ignore ST1001 only tests use this package

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Collector is a test server that stores what it receives.
type Collector struct {
	*httptest.Server
	respond func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	received Received
}

// Received contains what a collector received.
type Received struct {
	Headers         []http.Header // of each request
	LargestMessage  int           // in bytes, before compression
	ResourceSpans   []*tracepb.ResourceSpans
	ResourceMetrics []*metricspb.ResourceMetrics
}

// Start starts a collector on a local port until the test ends. respond can write a response of its
// own; it then returns true. nil: the collector always responds itself.
func Start(respond func(w http.ResponseWriter, r *http.Request) bool) *Collector {
	c := &Collector{respond: respond}
	c.Server = httptest.NewServer(c)
	DeferCleanup(c.Close)
	return c
}

// Received returns what the collector has received.
func (c *Collector) Received() Received {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.received
}

// ServeHTTP receives one message with spans or metrics.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.received.Headers = append(c.received.Headers, r.Header.Clone())
	c.mu.Unlock()
	if c.respond != nil && c.respond(w, r) {
		return
	}
	if err := c.receive(r); err != nil {
		WriteError(w, http.StatusBadRequest, err.Error())
	}
}

func (c *Collector) receive(r *http.Request) error {
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-protobuf" {
		return errors.New("not a POST of a protobuf")
	}
	packed, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		return err
	}
	var traces tracepb.TracesData // has the same encoding as ExportTraceServiceRequest
	var metrics metricspb.MetricsData
	message := proto.Message(&traces)
	switch r.URL.Path {
	case "/v1/traces":
	case "/v1/metrics":
		message = &metrics
	default:
		return errors.New("nothing is at " + r.URL.Path)
	}
	if err := proto.Unmarshal(text, message); err != nil || len(message.ProtoReflect().GetUnknown()) > 0 {
		return fmt.Errorf("unknown fields or %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received.LargestMessage = max(c.received.LargestMessage, len(text))
	c.received.ResourceSpans = append(c.received.ResourceSpans, traces.ResourceSpans...)
	c.received.ResourceMetrics = append(c.received.ResourceMetrics, metrics.ResourceMetrics...)
	return nil
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

// Span is a span with its attributes by name.
type Span struct {
	*tracepb.Span
	Attributes map[string]any
}

// Spans returns the received spans.
func (r Received) Spans() (list []Span) {
	for _, resource := range r.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				list = append(list, Span{Span: s, Attributes: attributesOf(s.Attributes)})
			}
		}
	}
	return list
}

// Point is a point of a metric with its attributes by name.
type Point struct {
	*metricspb.Metric
	Attributes map[string]any
	Value      float64 // value of a gauge, or sum
	Start, End uint64
	Histogram  *metricspb.HistogramDataPoint // nil: the metric is a gauge or a sum
}

// Points returns the received points of all metrics.
func (r Received) Points() (list []Point) {
	for _, resource := range r.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, m := range scope.Metrics {
				for _, p := range slices.Concat(m.GetGauge().GetDataPoints(), m.GetSum().GetDataPoints()) {
					list = append(list, Point{m, attributesOf(p.Attributes), p.GetAsDouble() + float64(p.GetAsInt()),
						p.StartTimeUnixNano, p.TimeUnixNano, nil})
				}
				for _, p := range m.GetHistogram().GetDataPoints() {
					list = append(list, Point{m, attributesOf(p.Attributes), p.GetSum(),
						p.StartTimeUnixNano, p.TimeUnixNano, p})
				}
			}
		}
	}
	return list
}

// attributesOf returns attributes by name. A name that occurs twice gets the value nil.
func attributesOf(list []*common.KeyValue) map[string]any {
	all := map[string]any{}
	for _, kv := range list {
		_, again := all[kv.Key]
		if all[kv.Key] = valueOf(kv.Value); again {
			all[kv.Key] = nil
		}
	}
	return all
}

func valueOf(v *common.AnyValue) (value any) {
	var list []any
	for _, one := range v.GetArrayValue().GetValues() {
		list = append(list, valueOf(one))
	}
	if list != nil {
		return list
	}
	v.ProtoReflect().Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		value = v.Interface()
		return false
	})
	return value
}

// conventions contains the rules for the spans of each operation: the permitted span kinds, the
// required attributes, and the attribute whose value is part of the span name.
var conventions = map[string]struct {
	kinds         []tracepb.Span_SpanKind
	required      []string
	nameAttribute string
}{
	"chat":         {client, []string{"gen_ai.provider.name", "gen_ai.request.model"}, "gen_ai.request.model"},
	"embeddings":   {client, []string{"gen_ai.provider.name", "gen_ai.request.model"}, "gen_ai.request.model"},
	"retrieval":    {client, []string{"gen_ai.provider.name"}, "gen_ai.data_source.id"},
	"execute_tool": {internal, []string{"gen_ai.tool.name"}, "gen_ai.tool.name"},
	"invoke_agent": {internal, []string{"gen_ai.provider.name"}, "gen_ai.agent.name"},
}

var (
	client   = []tracepb.Span_SpanKind{tracepb.Span_SPAN_KIND_CLIENT}
	internal = []tracepb.Span_SpanKind{tracepb.Span_SPAN_KIND_INTERNAL}
)

// known lists the attributes that the conventions define and evalctl uses, each with a value of the
// right type. Every other attribute starts with "evalctl.".
var known = map[string]any{
	"gen_ai.operation.name": "", "gen_ai.provider.name": "", "gen_ai.request.model": "", "gen_ai.agent.name": "",
	"gen_ai.conversation.id": "", "gen_ai.tool.name": "", "gen_ai.tool.type": "", "gen_ai.data_source.id": "",
	"gen_ai.token.type": "", "error.type": "", "service.name": "", "service.version": "",
	"gen_ai.usage.input_tokens": int64(0), "gen_ai.usage.output_tokens": int64(0), "gen_ai.request.stream": true,
	"gen_ai.response.time_to_first_chunk": 0.0, "gen_ai.input.messages": "", "gen_ai.output.messages": "",
	"otel.metric.overflow": true,
}

// histograms lists the histograms that the conventions define.
var histograms = map[string]struct {
	unit          string
	first, factor float64 // first bucket boundary, and factor between boundaries
}{
	"gen_ai.client.operation.duration": {"s", 0.01, 2},
	"gen_ai.client.token.usage":        {"{token}", 1, 4},
}

// ExpectValid checks the received spans and metrics. Spans that were received twice count once.
func (r Received) ExpectValid() {
	GinkgoHelper()
	for _, s := range r.ResourceSpans {
		expectAttributes(attributesOf(s.GetResource().GetAttributes()), "service.name")
	}
	for _, m := range r.ResourceMetrics {
		expectAttributes(attributesOf(m.GetResource().GetAttributes()), "service.name")
	}
	spans := map[string]Span{}
	for _, s := range r.Spans() {
		spans[string(s.TraceId)+string(s.SpanId)] = s
	}
	for _, s := range r.Spans() {
		expectSpan(s)
		if len(s.ParentSpanId) > 0 {
			parent, ok := spans[string(s.TraceId)+string(s.ParentSpanId)]
			Expect(ok).To(BeTrue(), "the parent of %s", s.Name)
			Expect([]uint64{s.StartTimeUnixNano, s.EndTimeUnixNano}).To(HaveEach(And(
				BeNumerically(">=", parent.StartTimeUnixNano), BeNumerically("<=", parent.EndTimeUnixNano))), s.Name)
		}
	}
	streams := map[string]bool{}
	for _, p := range r.Points() {
		stream := fmt.Sprint(p.Name, p.Unit, p.Attributes) // maps are printed in the order of their keys
		Expect(streams).NotTo(HaveKey(stream))
		streams[stream] = true
		expectPoint(p)
	}
}

func expectAttributes(list map[string]any, required ...string) {
	GinkgoHelper()
	for _, name := range required {
		Expect(list).To(HaveKey(name))
	}
	for name, value := range list {
		Expect(value).NotTo(Or(BeNil(), Equal("")), "%s is empty or occurs twice", name)
		if !strings.HasPrefix(name, "evalctl.") {
			Expect(known).To(HaveKey(name))
			Expect(value).To(BeAssignableToTypeOf(known[name]), name)
		}
	}
}

func expectSpan(s Span) {
	GinkgoHelper()
	operation, _ := s.Attributes["gen_ai.operation.name"].(string)
	Expect(conventions).To(HaveKey(operation))
	rule := conventions[operation]
	expectAttributes(s.Attributes, rule.required...)
	Expect(rule.kinds).To(ContainElement(s.Kind), s.Name)
	Expect(s.Name).To(Equal(fmt.Sprint(operation, " ", s.Attributes[rule.nameAttribute])))
	Expect(s.TraceId).To(And(HaveLen(16), ContainElement(Not(BeZero()))), s.Name)
	Expect(s.SpanId).To(And(HaveLen(8), ContainElement(Not(BeZero()))), s.Name)
	Expect(s.ParentSpanId).To(Or(BeEmpty(), And(HaveLen(8), ContainElement(Not(BeZero())))), s.Name)
	Expect(s.StartTimeUnixNano).To(And(BeNumerically(">", 0), BeNumerically("<=", s.EndTimeUnixNano)), s.Name)
	Expect(len(s.Events)).To(BeNumerically("<=", 128))
	for _, e := range s.Events {
		expectAttributes(attributesOf(e.Attributes))
		Expect(e.Name).NotTo(BeEmpty())
		Expect(e.TimeUnixNano).To(And(BeNumerically(">=", s.StartTimeUnixNano),
			BeNumerically("<=", s.EndTimeUnixNano)), e.Name)
	}
	_, hasError := s.Attributes["error.type"]
	Expect(s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR).To(Equal(hasError), s.Name)
	for _, name := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
		if text, ok := s.Attributes[name].(string); ok {
			expectMessages(text)
		}
	}
}

func expectMessages(text string) {
	GinkgoHelper()
	var list []map[string]any
	Expect(json.Unmarshal([]byte(text), &list)).To(Succeed())
	part := And(HaveKeyWithValue("type", Not(BeEmpty())), HaveKeyWithValue("content", BeAssignableToTypeOf("")))
	Expect(list).To(HaveEach(And(HaveKeyWithValue("role", Not(BeEmpty())),
		HaveKeyWithValue("parts", And(Not(BeEmpty()), HaveEach(part))))))
}

func expectPoint(p Point) {
	GinkgoHelper()
	const cumulative = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	Expect(p.Name).To(MatchRegexp(`^[A-Za-z][A-Za-z0-9_.\-/]{0,254}$`))
	Expect(p.Unit).To(BeElementOf("1", "s", "ms", "{token}", "{USD}"), p.Name)
	expectAttributes(p.Attributes)
	Expect(p.Start).To(And(BeNumerically(">", 0), BeNumerically("<=", p.End)), p.Name)
	Expect(fmt.Sprint(p.Value)).NotTo(Or(ContainSubstring("NaN"), ContainSubstring("Inf")), p.Name)
	if p.GetSum() != nil {
		Expect(p.GetSum().IsMonotonic).To(BeTrue(), p.Name)
		Expect(p.GetSum().AggregationTemporality).To(Equal(cumulative), p.Name)
	}
	if p.Histogram == nil {
		return
	}
	Expect(p.GetHistogram().AggregationTemporality).To(Equal(cumulative), p.Name)
	Expect(histograms).To(HaveKey(p.Name))
	of := histograms[p.Name]
	Expect(p.Unit).To(Equal(of.unit))
	expectAttributes(p.Attributes, "gen_ai.operation.name", "gen_ai.provider.name")
	if p.Unit == "{token}" && p.Attributes["otel.metric.overflow"] == nil {
		Expect(p.Attributes["gen_ai.token.type"]).To(BeElementOf("input", "output"))
	}
	h := p.Histogram
	Expect(h.ExplicitBounds).To(HaveLen(14))
	for i, bound := range h.ExplicitBounds {
		Expect(bound).To(BeNumerically("~", of.first, 1e-9*of.first), "boundary %d", i)
		of.first *= of.factor
	}
	n := uint64(0)
	for _, count := range h.BucketCounts {
		n += count
	}
	Expect(h.BucketCounts).To(HaveLen(15))
	Expect(n).To(And(BeNumerically(">", 0), Equal(h.Count)))
	Expect(h.GetMin()).To(BeNumerically("<=", h.GetMax()))
	Expect(h.GetSum()).To(And(BeNumerically(">=", h.GetMin()*float64(n)*(1-1e-9)),
		BeNumerically("<=", h.GetMax()*float64(n)*(1+1e-9))))
}
