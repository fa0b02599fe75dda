package collector

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// Metric is a point of a metric that the collector received and found valid.
type Metric struct {
	Name, Unit string
	Attributes map[string]any // attributes by name
	Value      float64        // value of a gauge, or sum of a histogram
	Count      uint64         // number of values in a histogram; 0: the metric is a gauge
}

var (
	instrument = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.\-/]{0,254}$`)
	units      = []string{"1", "s", "ms", "{token}", "{USD}"}
)

// conventionalHistograms lists the histograms that the conventions define: unit, first bucket
// boundary, factor between boundaries, and required attributes.
var conventionalHistograms = map[string]struct {
	unit          string
	first, factor float64
	needs         []string
}{
	"gen_ai.client.operation.duration": {"s", 0.01, 2, []string{"gen_ai.operation.name", "gen_ai.provider.name"}},
	"gen_ai.client.token.usage":        {"{token}", 1, 4, []string{"gen_ai.operation.name", "gen_ai.provider.name"}},
}

func (c *Collector) takeMetric(m *metricspb.Metric) error {
	switch {
	case !instrument.MatchString(m.Name):
		return errors.New("has no name of an instrument")
	case !slices.Contains(units, m.Unit):
		return fmt.Errorf("has the unit %q", m.Unit)
	case m.GetGauge() != nil:
		return c.takeGauge(m)
	case m.GetHistogram() != nil:
		return c.takeHistogram(m)
	}
	return errors.New("is neither a gauge nor a histogram")
}

func (c *Collector) takeGauge(m *metricspb.Metric) error {
	for _, p := range m.GetGauge().DataPoints {
		a, err := attributesOf(p.Attributes)
		v := p.GetAsDouble()
		if _, whole := p.Value.(*metricspb.NumberDataPoint_AsInt); whole {
			v = float64(p.GetAsInt())
		}
		if err != nil || p.TimeUnixNano == 0 || p.Value == nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("has a point at %d of %v: %w", p.TimeUnixNano, v, err)
		}
		if err := c.addPoint(Metric{
			Name:       m.Name,
			Unit:       m.Unit,
			Attributes: a,
			Value:      v,
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collector) takeHistogram(m *metricspb.Metric) error {
	want, ok := conventionalHistograms[m.Name]
	if !ok || m.Unit != want.unit {
		return fmt.Errorf("is not a histogram of the conventions in %s", m.Unit)
	}
	if m.GetHistogram().AggregationTemporality != metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE {
		return errors.New("is not cumulative")
	}
	for _, p := range m.GetHistogram().DataPoints {
		a, err := attributesOf(p.Attributes)
		if err != nil {
			return err
		}
		for _, name := range want.needs {
			if a[name] == nil {
				return fmt.Errorf("lacks %s", name)
			}
		}
		if m.Unit == "{token}" && a["otel.metric.overflow"] == nil && a["gen_ai.token.type"] != "input" &&
			a["gen_ai.token.type"] != "output" {
			return fmt.Errorf("counts tokens of type %v", a["gen_ai.token.type"])
		}
		if err := checkBuckets(p, want.first, want.factor); err != nil {
			return err
		}
		if err := c.addPoint(Metric{
			Name:       m.Name,
			Unit:       m.Unit,
			Attributes: a,
			Value:      p.GetSum(),
			Count:      p.Count,
		}); err != nil {
			return err
		}
	}
	return nil
}

func checkBuckets(p *metricspb.HistogramDataPoint, first, factor float64) error {
	bound := first
	for _, b := range p.ExplicitBounds {
		if math.Abs(b-bound) > 1e-9*bound {
			return fmt.Errorf("has the boundary %v in place of %v", b, bound)
		}
		bound *= factor
	}
	n := uint64(0)
	for _, b := range p.BucketCounts {
		n += b
	}
	switch {
	case len(p.ExplicitBounds) != 14 || len(p.BucketCounts) != 15:
		return fmt.Errorf("has %d buckets for %d boundaries", len(p.BucketCounts), len(p.ExplicitBounds))
	case n != p.Count || n == 0:
		return fmt.Errorf("counts %d, and %d in buckets", p.Count, n)
	case p.StartTimeUnixNano == 0 || p.StartTimeUnixNano > p.TimeUnixNano:
		return fmt.Errorf("is from %d to %d", p.StartTimeUnixNano, p.TimeUnixNano)
	case p.GetMin() > p.GetMax() || p.GetSum() < p.GetMin()*float64(n)*(1-1e-9) ||
		p.GetSum() > p.GetMax()*float64(n)*(1+1e-9):
		return fmt.Errorf("is %v to %v, and %v together", p.GetMin(), p.GetMax(), p.GetSum())
	}
	return nil
}

// addPoint stores a point. It returns an error if the same stream already has a point.
func (c *Collector) addPoint(m Metric) error {
	at := m.stream()
	if c.points[at] {
		return fmt.Errorf("has two points of %s", at)
	}
	c.points[at] = true
	c.metrics = append(c.metrics, m)
	return nil
}

func (m Metric) stream() string {
	var list []string
	for k, v := range m.Attributes {
		list = append(list, fmt.Sprintf("%s=%v", k, v))
	}
	sort.Strings(list)
	return fmt.Sprintf("%s%q", m.Name, list)
}
