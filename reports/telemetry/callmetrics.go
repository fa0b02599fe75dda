package telemetry

import (
	"cmp"
	"context"
	"math"
	"slices"

	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"

	"evalctl/eval"
)

// Names and bucket boundaries of the histograms that the OpenTelemetry conventions for generative
// AI define.
const (
	durationMetric = "gen_ai.client.operation.duration"
	tokenMetric    = "gen_ai.client.token.usage"
)

var (
	durationBounds = powers(0.01, 2, 14)
	tokenBounds    = powers(1, 4, 14)
)

func powers(first, factor float64, n int) (list []float64) {
	for range n {
		list = append(list, first)
		first *= factor
	}
	return list
}

// condition identifies a condition of the run: suite, variant and fault.
type condition struct{ suite, variant, fault string }

func (c condition) attributes() (a attributes) {
	a.text("evalctl.suite", c.suite)
	a.text("evalctl.variant", c.variant)
	a.text("evalctl.fault", cmp.Or(c.fault, eval.NoFault))
	return a
}

// stream identifies one point of a histogram by its attributes.
type stream struct {
	condition
	operation              operation
	provider, model, error string
	token                  string // "input" or "output"; "": the point counts durations
}

func (s stream) attributes() attributes {
	if s == overflow {
		var a attributes
		a.text("gen_ai.operation.name", "_OTHER")
		a.text("gen_ai.provider.name", "_OTHER")
		a.boolean("otel.metric.overflow", true)
		return a
	}
	a := s.condition.attributes()
	a.text("gen_ai.operation.name", string(s.operation))
	a.text("gen_ai.provider.name", s.provider)
	a.text("gen_ai.request.model", s.model)
	a.text("error.type", s.error)
	a.text("gen_ai.token.type", s.token)
	return a
}

// maxStreams is the maximum number of points of a histogram. Further streams are added to one
// overflow point, as in the OpenTelemetry SDKs.
const maxStreams = 10_000

var overflow = stream{operation: "_OTHER"}

// tally sums the measurements of one metric with one set of attributes. They are integers, so that
// the sum does not depend on the order in which they are added.
type tally struct {
	count, sum, min, max int64
	buckets              []uint64
}

// histogram collects integer values for each stream.
type histogram struct {
	bounds  []float64
	scale   float64 // number of collected units in one exported unit
	streams map[stream]*tally
}

func (h *histogram) add(s stream, value int64) {
	t, known := h.streams[s]
	if !known && len(h.streams) >= maxStreams {
		s = overflow
		t, known = h.streams[s]
	}
	if !known {
		t = &tally{min: value, buckets: make([]uint64, len(h.bounds)+1)}
		h.streams[s] = t
	}
	t.count++
	t.sum = min(t.sum, math.MaxInt64-value) + value // does not overflow, because a results file can contain any value
	t.min, t.max = min(t.min, value), max(t.max, value)
	// a value that equals a boundary belongs to the bucket below it
	at, _ := slices.BinarySearch(h.bounds, float64(value)/h.scale)
	t.buckets[at]++
}

func (h *histogram) points(r resource) (list []*metrics.HistogramDataPoint) {
	for _, s := range sorted(h.streams) {
		t := h.streams[s]
		sum, least, most := float64(t.sum)/h.scale, float64(t.min)/h.scale, float64(t.max)/h.scale
		list = append(list, &metrics.HistogramDataPoint{
			Attributes:        s.attributes(),
			StartTimeUnixNano: uint64(r.start.UnixNano()),
			TimeUnixNano:      uint64(r.end.UnixNano()),
			Count:             uint64(t.count),
			Sum:               &sum,
			Min:               &least,
			Max:               &most,
			BucketCounts:      t.buckets,
			ExplicitBounds:    h.bounds,
		})
	}
	return list
}

func sorted(streams map[stream]*tally) (list []stream) {
	for s := range streams {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b stream) int {
		return cmp.Or(cmp.Compare(a.suite, b.suite), cmp.Compare(a.variant, b.variant), cmp.Compare(a.fault, b.fault),
			cmp.Compare(a.operation, b.operation),
			cmp.Compare(a.provider, b.provider), cmp.Compare(a.model, b.model), cmp.Compare(a.error, b.error),
			cmp.Compare(a.token, b.token))
	})
	return list
}

// callMetrics contains the histograms of the durations and token counts of all calls.
type callMetrics struct{ durations, tokens histogram }

func newCallMetrics() *callMetrics {
	return &callMetrics{
		durations: histogram{bounds: durationBounds, scale: 1e9, streams: map[stream]*tally{}},
		tokens:    histogram{bounds: tokenBounds, scale: 1, streams: map[stream]*tally{}},
	}
}

// add counts a call of a trial. It ignores nil and tool calls.
func (m *callMetrics) add(t *trial, c *call) {
	if c == nil || c.operation == tool {
		return
	}
	s := stream{
		condition: condition{t.Suite, t.Variant, t.Fault},
		operation: c.operation,
		provider:  c.provider(),
		model:     truncated(c.target(), maxText),
		error:     truncated(c.Error, maxText),
	}
	m.durations.add(s, int64(c.duration))
	if c.operation == retrieval || !c.hasUsage() {
		return
	}
	s.error, s.token = "", "input"
	m.tokens.add(s, c.Tokens.In)
	if c.operation == chat {
		s.token = "output"
		m.tokens.add(s, c.Tokens.Out)
	}
}

func (m *callMetrics) write(ctx context.Context, p *pointBatch) error {
	if err := p.histogram(ctx, durationMetric, "s", m.durations.points(p.resource)); err != nil {
		return err
	}
	return p.histogram(ctx, tokenMetric, "{token}", m.tokens.points(p.resource))
}
