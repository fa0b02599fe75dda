package telemetry

import (
	"context"
	"maps"
	"regexp"
	"slices"

	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/number"
)

// plainMetric matches evalctl metrics whose names are valid in OpenTelemetry, where case does not
// matter. All others, such as the metric of a Chinese label, are exported under one name.
var plainMetric = regexp.MustCompile(`^[a-z][a-z0-9_]{0,100}(\.[a-z0-9_]{1,100})+$`)

const (
	otherMetrics = "evalctl.metric"
	countMetric  = "evalctl.n"
)

// gauges contains the points to export by metric name, and the unit of each metric.
type gauges struct {
	points map[string][]*metrics.NumberDataPoint
	units  map[string]string
}

// summary adds points for every known metric of every condition: the value, the bounds of its
// interval, and n. The attribute evalctl.statistic distinguishes value and bounds.
func (p *pointBatch) summary(ctx context.Context, sum eval.Summary) error {
	g := gauges{points: map[string][]*metrics.NumberDataPoint{}, units: map[string]string{}}
	end := uint64(p.resource.end.UnixNano())
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			for _, metric := range slices.Sorted(maps.Keys(c.Metrics)) {
				g.add(condition{s.Name, c.Variant, c.Fault}, metric, c.Metrics[metric], end)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.points)) {
		if err := p.gauge(ctx, name, g.units[name], g.points[name]); err != nil {
			return err
		}
	}
	return nil
}

func (g *gauges) add(of condition, metric string, e eval.Estimate, at uint64) {
	if !number.IsKnown(e.Value) {
		return
	}
	name, unit, more := "evalctl."+metric, gate.UCUMUnit(metric), attributes{}
	if !plainMetric.MatchString(metric) {
		name, unit = otherMetrics, "1"
		more.text("evalctl.metric.name", metric)
	}
	g.units[name] = unit
	for _, v := range []struct {
		statistic string
		value     *float64
	}{{"value", e.Value}, {"lower", e.Lo}, {"upper", e.Hi}} {
		if !number.IsKnown(v.value) {
			continue
		}
		a := append(of.attributes(), more...)
		a.text("evalctl.statistic", v.statistic)
		g.points[name] = append(g.points[name],
			&metrics.NumberDataPoint{Attributes: a, TimeUnixNano: at,
				Value: &metrics.NumberDataPoint_AsDouble{AsDouble: *v.value}})
	}
	a := of.attributes()
	a.text("evalctl.metric.name", metric)
	g.units[countMetric] = "1"
	g.points[countMetric] = append(g.points[countMetric],
		&metrics.NumberDataPoint{Attributes: a, TimeUnixNano: at, Value: &metrics.NumberDataPoint_AsInt{AsInt: e.N}})
}
