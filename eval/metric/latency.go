package metric

import (
	"fmt"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// latency keeps the times of whole trials, of the first piece of their
// answers and of each node's calls. All figures are milliseconds.
type latency struct {
	took, ttft stats.Sketch
	nodes      map[string]*stats.Sketch
}

// Add counts trials that have an answer: how long a failure takes is another
// question, and the span of a failed call counts to its node.
func (m *latency) Add(r eval.Result) {
	for _, n := range r.Nodes {
		if m.nodes == nil {
			m.nodes = map[string]*stats.Sketch{}
		}
		if m.nodes[n.Node] == nil {
			m.nodes[n.Node] = &stats.Sketch{}
		}
		m.nodes[n.Node].Add(int64(n.Took))
	}
	if r.Error != nil {
		return
	}
	m.took.Add(int64(r.Took))
	if r.TTFT != nil {
		m.ttft.Add(int64(*r.TTFT))
	}
}

func (m *latency) Close(into *eval.CellSummary) {
	quantiles(into, "latency", &m.took)
	if m.ttft.N() > 0 {
		quantiles(into, "ttft", &m.ttft)
	}
	for node, s := range m.nodes {
		quantiles(into, "node."+node, s)
	}
}

func quantiles(into *eval.CellSummary, name string, s *stats.Sketch) {
	for _, p := range []int{50, 90, 95, 99} {
		e := eval.Estimate{N: s.N()}
		if v, ok := s.Quantile(float64(p) / 100); ok {
			e.Value = millis(v)
		}
		if lo, hi, ok := s.Interval(float64(p)/100, level); ok {
			e.Lo, e.Hi = millis(lo), millis(hi)
		}
		into.Metrics[fmt.Sprintf("%s.p%d", name, p)] = e
	}
	if v, ok := s.Mean(); ok {
		v /= float64(time.Millisecond)
		into.Metrics[name+".mean"] = eval.Estimate{Value: &v, N: s.N()}
	}
}

func millis(ns int64) *float64 {
	v := float64(ns) / float64(time.Millisecond)
	return &v
}
