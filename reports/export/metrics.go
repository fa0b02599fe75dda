package export

import (
	"cmp"
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// sendMetrics sends the histograms of calls, and points for every known metric of every condition.
func (e *otlpExport) sendMetrics(ctx context.Context, summary eval.Summary, calls *callMetrics) error {
	send := func(ctx context.Context, list []*metricspb.Metric) error {
		// MetricsData has the same encoding as ExportMetricsServiceRequest
		return e.post(ctx, "metrics", &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
			Resource:     e.resource.proto,
			ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: e.resource.scope, Metrics: list}},
		}}})
	}
	b := batch[*metricspb.Metric]{sent: &e.result.MetricPoints, send: send}
	for _, h := range []*histogram{calls.durations, calls.tokens} {
		for list := range slices.Chunk(h.points(e.resource), maxItems/2) {
			m := &metricspb.Metric{Name: h.name, Unit: h.unit, Data: &metricspb.Metric_Histogram{
				Histogram: &metricspb.Histogram{DataPoints: list, AggregationTemporality: cumulative}}}
			if err := b.add(ctx, m, len(list)); err != nil {
				return err
			}
		}
	}
	points := summaryPoints(summary, e.resource)
	for _, i := range slices.SortedFunc(maps.Keys(points), instrument.compare) {
		for list := range slices.Chunk(points[i], maxItems/2) {
			m := &metricspb.Metric{Name: i.name, Unit: i.unit,
				Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: list}}}
			if i.isTotal {
				m.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: list, IsMonotonic: true,
					AggregationTemporality: cumulative}}
			}
			if err := b.add(ctx, m, len(list)); err != nil {
				return err
			}
		}
	}
	return b.flush(ctx)
}

const cumulative = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE

// instrument is an OpenTelemetry metric. A total is exported as a sum, anything else as a gauge.
type instrument struct {
	name, unit string
	isTotal    bool
}

func (i instrument) compare(o instrument) int {
	return cmp.Or(cmp.Compare(i.name, o.name), cmp.Compare(i.unit, o.unit))
}

// ucumUnits contains the units of metrics in UCUM notation. Others have the unit 1.
var ucumUnits = map[metric.Unit]string{metric.Time: "ms", metric.USD: "{USD}", metric.Tokens: "{token}"}

// validKey matches keys of custom metrics that are valid in OpenTelemetry, where case does not
// matter. All others, such as a Chinese name, are exported as one instrument.
var validKey = regexp.MustCompile(`^[a-z][a-z0-9_]{0,100}(\.[a-z0-9_]{1,100})+$`)

// instrumentOf returns the instrument of a metric and an attribute that identifies the metric in it.
// The members of a family such as route.f1.{label} are points of the instrument evalctl.route.f1
// with the attribute evalctl.label.
func instrumentOf(key string) (instrument, attributes) {
	m := metric.FindOrCustom(key)
	i := instrument{name: "evalctl." + key, unit: cmp.Or(ucumUnits[m.Unit], "1"), isTotal: m.Kind == metric.Total}
	switch {
	case m.Member != "":
		family := strings.Replace("."+m.Key+".", ".{"+m.Placeholder()+"}.", ".", 1)
		i.name = "evalctl" + strings.TrimSuffix(family, ".")
		return i, attributes{{"evalctl." + m.Placeholder(), m.Member}}
	case !validKey.MatchString(key):
		i.name = "evalctl.metric"
		return i, attributes{{"evalctl.metric.name", key}}
	}
	return i, nil
}

// summaryPoints returns the points of all known metrics: the value, the bounds of its interval, and
// n. The attribute evalctl.statistic distinguishes value and bounds.
func summaryPoints(sum eval.Summary, r runResource) map[instrument][]*metricspb.NumberDataPoint {
	points := map[instrument][]*metricspb.NumberDataPoint{}
	point := func(a attributes) *metricspb.NumberDataPoint {
		return &metricspb.NumberDataPoint{
			Attributes:        a.proto(),
			StartTimeUnixNano: uint64(r.start.UnixNano()),
			TimeUnixNano:      uint64(r.end.UnixNano()),
		}
	}
	counts := instrument{name: "evalctl.n", unit: "1"}
	eachCondition(sum, func(of condition, c eval.ConditionSummary) {
		for _, key := range slices.Sorted(maps.Keys(c.Metrics)) {
			e := c.Metrics[key]
			if !metric.IsKnown(e.Value) {
				continue
			}
			i, member := instrumentOf(key)
			for _, s := range []struct {
				statistic string
				value     *float64
			}{{"value", e.Value}, {"lower", e.Lo}, {"upper", e.Hi}} {
				if metric.IsKnown(s.value) {
					p := point(slices.Concat(of.attributes(), member, attributes{{"evalctl.statistic", s.statistic}}))
					p.Value = &metricspb.NumberDataPoint_AsDouble{AsDouble: *s.value}
					points[i] = append(points[i], p)
				}
			}
			n := point(append(of.attributes(), attributes{{"evalctl.metric.name", key}}...))
			n.Value = &metricspb.NumberDataPoint_AsInt{AsInt: e.N}
			points[counts] = append(points[counts], n)
		}
	})
	return points
}

// callMetrics contains the histograms that the OpenTelemetry conventions for generative AI define.
type callMetrics struct{ durations, tokens *histogram }

func newCallMetrics() *callMetrics {
	return &callMetrics{
		durations: newHistogram("gen_ai.client.operation.duration", "s", 1e9, 0.01, 2),
		tokens:    newHistogram("gen_ai.client.token.usage", "{token}", 1, 1, 4),
	}
}

// add counts a call of a trial. It ignores tool calls.
func (m *callMetrics) add(t *trial, c *call) {
	if c.operation == toolCall {
		return
	}
	s := stream{
		condition: conditionOf(t.Result),
		operation: c.operation,
		provider:  c.provider(),
		model:     truncated(c.target(), maxTextBytes),
		errorKind: truncated(c.Error, maxTextBytes),
	}
	m.durations.add(s, int64(c.duration))
	if c.operation == retrievalCall || !c.hasUsage() {
		return
	}
	s.errorKind, s.tokenType = "", "input"
	m.tokens.add(s, c.Tokens.In)
	if c.operation == chatCall {
		s.tokenType = "output"
		m.tokens.add(s, c.Tokens.Out)
	}
}

// stream identifies one point of a histogram by its attributes.
type stream struct {
	condition
	operation                  operation
	provider, model, errorKind string
	tokenType                  string // "input" or "output"; "": the point counts durations
}

func (s stream) compare(o stream) int {
	return cmp.Or(s.condition.compare(o.condition), cmp.Compare(s.operation, o.operation),
		cmp.Compare(s.provider, o.provider), cmp.Compare(s.model, o.model), cmp.Compare(s.errorKind, o.errorKind),
		cmp.Compare(s.tokenType, o.tokenType))
}

// maxStreams is the maximum number of points of a histogram. Further streams are added to one
// overflow point, as in the OpenTelemetry SDKs.
const maxStreams = 10_000

var overflow = stream{operation: "_OTHER"}

// histogram collects integer values for each stream.
type histogram struct {
	name, unit string
	scale      float64   // number of collected units in one exported unit
	bounds     []float64 // upper bounds of all buckets but the last
	streams    map[stream]*distribution
}

// distribution sums the values of a stream. They are integers, so that the sum does not depend on
// the order in which they are added.
type distribution struct {
	count, sum, min, max int64
	buckets              []uint64
}

// newHistogram returns a histogram with 14 bucket boundaries: first, first*factor, and so on.
func newHistogram(name, unit string, scale, first, factor float64) *histogram {
	h := &histogram{name: name, unit: unit, scale: scale, streams: map[stream]*distribution{}}
	for range 14 {
		h.bounds = append(h.bounds, first)
		first *= factor
	}
	return h
}

func (h *histogram) add(s stream, value int64) {
	d, known := h.streams[s]
	if !known && len(h.streams) >= maxStreams {
		s = overflow
		d, known = h.streams[s]
	}
	if !known {
		d = &distribution{min: value, buckets: make([]uint64, len(h.bounds)+1)}
		h.streams[s] = d
	}
	d.count++
	d.sum = min(d.sum, math.MaxInt64-value) + value // does not overflow, because a results file can contain any value
	d.min, d.max = min(d.min, value), max(d.max, value)
	// a value that equals a boundary belongs to the bucket below it
	at, _ := slices.BinarySearch(h.bounds, float64(value)/h.scale)
	d.buckets[at]++
}

func (h *histogram) points(r runResource) (list []*metricspb.HistogramDataPoint) {
	for _, s := range slices.SortedFunc(maps.Keys(h.streams), stream.compare) {
		d := h.streams[s]
		list = append(list, &metricspb.HistogramDataPoint{
			Attributes:        s.attributes().proto(),
			StartTimeUnixNano: uint64(r.start.UnixNano()),
			TimeUnixNano:      uint64(r.end.UnixNano()),
			Count:             uint64(d.count),
			Sum:               new(float64(d.sum) / h.scale),
			Min:               new(float64(d.min) / h.scale),
			Max:               new(float64(d.max) / h.scale),
			BucketCounts:      d.buckets,
			ExplicitBounds:    h.bounds,
		})
	}
	return list
}
