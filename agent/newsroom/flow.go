package newsroom

import (
	"context"

	"evalctl/agent/graph"
)

// newFlow connects the supervisor, the route and the agents. Each agent returns to the supervisor.
// Only a review that approves ends the work.
func newFlow(p supervisor, workers []worker) (*graph.Graph[work], error) {
	nodes := []graph.Node[work]{
		{Name: supervisorNode, Run: p.run, Next: func(w *work) string {
			return shouldContinueSupervisor(w.visit.pending(), w.visit.made())
		}},
		{Name: supervisorTools, Run: p.executor.execute, Next: fixedNext(supervisorNode)},
		{Name: routeNode, Run: func(ctx context.Context, w *work) error { return w.route(ctx) },
			Next: func(w *work) string {
				if w.isSingleStep || w.nextNode == end {
					return graph.End
				}
				return w.nextNode
			}},
	}
	for _, a := range workers {
		nodes = append(nodes, a.nodes()...)
	}
	return graph.New(graph.Config[work]{Start: supervisorNode, Nodes: nodes, MaxSteps: maxVisits})
}

// maxVisits is an upper bound for the node visits that the limits of iterations and calls allow.
// Each decision takes at most this many visits of the supervisor, an agent, and their tools.
const maxVisits = (iterationLimit + 1) * (4*maxCalls + 8)

func fixedNext(node string) func(*work) string { return func(*work) string { return node } }

// nodes are the nodes of an agent and its tools.
func (a worker) nodes() []graph.Node[work] {
	own := graph.Node[work]{Name: a.name, Run: a.run, Next: func(w *work) string {
		if w.answeredBy == end {
			return graph.End
		}
		return a.next(w)
	}}
	if len(a.tools) == 0 {
		return []graph.Node[work]{own}
	}
	executor := graph.Node[work]{Name: toolsOf[a.name], Run: a.execute, Next: func(w *work) string {
		if w.visit == nil { // the artifact is complete
			return supervisorNode
		}
		return a.name
	}}
	return []graph.Node[work]{own, executor}
}

var toolsOf = map[string]string{researchAgent: researchTools, imageAgent: imageTools}
