package telemetry

import (
	"context"

	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// pointBatch collects the points of metrics and sends them to the collector in batches. It uses the
// message MetricsData, which has the same encoding as ExportMetricsServiceRequest.
type pointBatch struct {
	poster   *poster
	resource resource
	list     []*metrics.Metric
	n, bytes int
}

// gauge adds the points of a metric whose value is measured once, at the end of the run.
func (p *pointBatch) gauge(ctx context.Context, name, unit string, list []*metrics.NumberDataPoint) error {
	for len(list) > 0 {
		n := min(len(list), maxItems/2)
		m := &metrics.Metric{Name: name, Unit: unit,
			Data: &metrics.Metric_Gauge{Gauge: &metrics.Gauge{DataPoints: list[:n]}}}
		if err := p.add(ctx, m, n); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// histogram adds the points of a metric that is a distribution over the whole run.
func (p *pointBatch) histogram(ctx context.Context, name, unit string, list []*metrics.HistogramDataPoint) error {
	for len(list) > 0 {
		n := min(len(list), maxItems/2)
		m := &metrics.Metric{Name: name, Unit: unit, Data: &metrics.Metric_Histogram{Histogram: &metrics.Histogram{
			DataPoints: list[:n], AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE}}}
		if err := p.add(ctx, m, n); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func (p *pointBatch) add(ctx context.Context, m *metrics.Metric, n int) error {
	size := proto.Size(m)
	if p.n > 0 && (p.n+n > maxItems || p.bytes+size > maxBytes) {
		if err := p.flush(ctx); err != nil {
			return err
		}
	}
	p.list, p.n, p.bytes = append(p.list, m), p.n+n, p.bytes+size
	return nil
}

func (p *pointBatch) flush(ctx context.Context) error {
	if p.n == 0 {
		return nil
	}
	err := p.poster.post(ctx, "metrics", &metrics.MetricsData{ResourceMetrics: []*metrics.ResourceMetrics{{
		Resource: p.resource.proto, ScopeMetrics: []*metrics.ScopeMetrics{{Scope: p.resource.scope, Metrics: p.list}},
	}}})
	if err == nil {
		p.poster.sent.MetricPoints += int64(p.n)
	}
	p.list = nil
	p.n = 0
	p.bytes = 0
	return err
}
