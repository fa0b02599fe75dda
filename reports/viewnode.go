package reports

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// visits counts the executions (visits) of a node of the agent in a condition, and how many of them
// failed.
type visits struct {
	n        int64
	errors   int64 // number of failed calls
	invalid  int64 // visits whose model answer was complete but invalid
	rejected int64 // visits whose model answer had a confidence below the threshold
}

// nodeKey identifies a node of a variant, for trials without a fault.
type nodeKey struct{ suite, variant, node string }

// nodePanels returns a table for each variant. It lists the calls, latency, share of time, failed
// calls and rejected answers of each node.
func nodePanels(r Report) ([]document.Block, error) {
	failed, err := countVisits(r)
	if err != nil {
		return nil, err
	}
	var list []document.Block
	for _, s := range r.Summary.Suites {
		for _, c := range finding.ConditionsWithoutFault(s) {
			list = append(list, nodePanel(s.Name, c, failed))
		}
	}
	return list, nil
}

// countVisits counts the visits of each node in trials without a fault, and their failed calls and
// rejected answers. The map is empty if the results of the run are not available.
func countVisits(r Report) (map[nodeKey]*visits, error) {
	found := map[nodeKey]*visits{}
	if r.Run == nil {
		return found, nil
	}
	for res, err := range r.Run.Results() {
		if err != nil {
			return nil, err
		}
		if cmp.Or(res.Fault, eval.NoFault) != eval.NoFault {
			continue
		}
		for _, n := range res.Nodes {
			key := nodeKey{res.Suite, res.Variant, n.Node}
			if found[key] == nil {
				found[key] = &visits{}
			}
			found[key].n++
			found[key].errors += n.Errors()
			switch {
			case n.CallError == trace.ReasonLowConfidence:
				found[key].rejected++
			case n.CallError.IsInvalidAnswer():
				found[key].invalid++
			}
		}
	}
	return found, nil
}

const visitsText = "Times cover a visit, from its first call to the end of its last. Errors count calls; unusable and rejected count visits."

func nodePanel(suite string, c eval.ConditionSummary, failed map[nodeKey]*visits) document.Block {
	p := document.Block{Suite: suite, Variant: c.Variant, Table: document.Table{Keys: 1, Columns: []document.Column{
		{Key: "node", Head: "node"}, {Key: "calls", Head: "calls", Right: true},
		{Key: "p50_ms", Head: "p50", Estimate: true, Right: true},
		{Key: "p95_ms", Head: "p95", Estimate: true, Right: true},
		{Key: "p99_ms", Head: "p99", Estimate: true, Right: true},
		{Key: "share_of_time", Head: "share of time", Right: true}, {Key: "errors", Head: "errors", Right: true},
		{Key: "unusable", Head: "unusable", Right: true}, {Key: "rejected_answers", Head: "rejected", Right: true},
		{Key: "visits", Head: "of visits", Right: true}}}}
	parts := finding.VisitedNodes(c)
	for _, of := range parts {
		m := func(q string) document.Cell { return estimateValue(of.Quantile(c, q), metric.FormatTime) }
		row := []document.Cell{nameValue(of.Node), countValue(of.Calls), m("p50"), m("p95"), m("p99"), {Text: noValue},
			{}, {}, {}, {}}
		if parts[0].TotalMillis > 0 {
			row[5] = document.Cell{Text: percent(of.TimeShare) + " %", Value: of.TimeShare}
		}
		if v := failed[nodeKey{suite, c.Variant, of.Node}]; v != nil {
			row[6], row[7], row[8], row[9] = nonzeroValue(v.errors), nonzeroValue(v.invalid), nonzeroValue(v.rejected),
				countValue(v.n)
		}
		p.Table.AddRow(row)
	}
	return p
}

// nodeNames returns the sorted names of the nodes that have a latency metric with the prefix
// family.
func nodeNames(c eval.ConditionSummary, family string) (names []string) {
	for metric := range c.Metrics {
		if name, ok := strings.CutPrefix(metric, family); ok {
			if name, ok := strings.CutSuffix(name, ".p50"); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
