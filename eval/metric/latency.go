package metric

import (
	"fmt"
	"math"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// latency keeps the times of whole trials, of the first piece of their
// answers and of each node's calls. All figures are milliseconds.
type latency struct {
	took, ttft stats.Sketch
	nodes      map[string]*stats.Sketch
	missing    int64 // trials without an answer
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
		m.missing++
		return
	}
	m.took.Add(int64(r.Took))
	if r.TTFT != nil {
		m.ttft.Add(int64(*r.TTFT))
	}
}

func (m *latency) Close(into *eval.CellSummary, epochs int64) {
	quantiles(into, "latency", &m.took, m.missing, epochs)
	if m.ttft.N() > 0 {
		quantiles(into, "ttft", &m.ttft, m.missing, epochs)
	}
	for node, s := range m.nodes {
		quantiles(into, "node."+node, s, 0, epochs)
	}
}

// quantiles have the bounds if all missing were slower, or faster, than all
// that were measured; none where a bound would be one of the missing.
func quantiles(into *eval.CellSummary, name string, s *stats.Sketch, missing, epochs int64) {
	for _, p := range []int{50, 90, 95, 99} {
		q := float64(p) / 100
		e := eval.Estimate{N: s.N(), Missing: missing}
		if v, ok := s.Quantile(q); ok {
			e.Value = millis(v)
		}
		if missing > 0 {
			rank := int64(math.Ceil(q * float64(s.N()+missing)))
			e.Worst, e.Best = atRank(s, rank), atRank(s, max(rank-missing, 1))
		}
		if lo, hi, ok := interval(s, q, epochs); ok {
			e.Lo, e.Hi = millis(lo), millis(hi)
		}
		into.Metrics[fmt.Sprintf("%s.p%d", name, p)] = e
	}
	if v, ok := s.Mean(); ok {
		v /= float64(time.Millisecond)
		into.Metrics[name+".mean"] = eval.Estimate{Value: &v, N: s.N()}
	}
}

// interval takes the epochs of a case for one observation, as shares do.
func interval(s *stats.Sketch, q float64, epochs int64) (lo, hi int64, ok bool) {
	if epochs == 1 {
		return s.Interval(q, level)
	}
	n := over(s.N(), epochs)
	l, u, ok := stats.Ranks(n, q, level)
	if !ok {
		return 0, 0, false
	}
	lo, _ = s.Quantile(float64(l) / float64(n)) // l and u are ranks of n: both are there
	hi, _ = s.Quantile(float64(u) / float64(n))
	return lo, hi, true
}

// atRank is the value of a rank from 1, nil beyond the last.
func atRank(s *stats.Sketch, rank int64) *float64 {
	if rank > s.N() {
		return nil
	}
	v, ok := s.Quantile(float64(rank) / float64(s.N()))
	if !ok {
		return nil
	}
	return millis(v)
}

func millis(ns int64) *float64 {
	v := float64(ns) / float64(time.Millisecond)
	return &v
}
