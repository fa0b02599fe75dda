package metric

import "evalctl/eval"

// nodes measures the external calls of an agent, by node.
//
//   - node.NAME: time of a single answered call. A failed or cached call is missing.
//   - node.NAME.calls: number of all calls.
//   - step.NAME: time of a visit, from the node's first call to the end of its last, including polls
//     and back-off.
type nodes struct{ all map[string]*node }

type node struct{ call, visit times }

func (m *nodes) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, n := range r.Nodes {
			m.node(n.Node).add(n)
		}
	}
	for _, n := range m.all {
		endCase(&n.call, &n.visit)
	}
}

func (m *nodes) node(name string) *node {
	if m.all == nil {
		m.all = map[string]*node{}
	}
	if m.all[name] == nil {
		m.all[name] = &node{}
	}
	return m.all[name]
}

func (n *node) add(t eval.NodeVisit) {
	if t.CachedCalls > 0 {
		n.visit.missing++
	} else {
		n.visit.add(t.Duration)
	}
	for _, call := range t.CallDurations {
		n.call.add(call)
	}
	n.call.missing += max(t.Calls-int64(len(t.CallDurations)), 0)
}

func (m *nodes) Close(into *eval.ConditionSummary) {
	for name, n := range m.all {
		n.call.close(into, "node."+name)
		n.visit.close(into, "step."+name)
		into.Metrics["node."+name+".calls"] = count(float64(n.call.sketch.N()+n.call.missing), into.Trials)
	}
}
