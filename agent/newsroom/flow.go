package newsroom

import (
	"context"

	"evalctl/agent/graph"
)

// newFlow builds the graph of nodes: supervisor, route, agents and their tools. After each agent
// the supervisor decides again. Only a review that approves the post ends the work directly.
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

// maxVisits limits the number of node visits in one run of the graph. It is higher than any number
// that the limits on decisions and tool calls allow: each decision leads to the supervisor, one
// agent, and their tools.
const maxVisits = (iterationLimit + 1) * (4*maxCalls + 8)

func fixedNext(node string) func(*work) string { return func(*work) string { return node } }

// nodes returns the graph nodes of an agent: the agent, and the execution of its tool calls if it
// has tools.
func (a worker) nodes() []graph.Node[work] {
	own := graph.Node[work]{Name: a.name, Run: saveAfter(a.run), Next: func(w *work) string {
		if w.answeredBy == end {
			return graph.End
		}
		return a.next(w)
	}}
	if len(a.tools) == 0 {
		return []graph.Node[work]{own}
	}
	executor := graph.Node[work]{Name: toolsOf[a.name], Run: saveAfter(a.execute), Next: func(w *work) string {
		if w.visit == nil { // the agent's artifact is complete
			return supervisorNode
		}
		return a.name
	}}
	return []graph.Node[work]{own, executor}
}

// saveAfter returns the function of a node that also stores the work if its agent is done.
func saveAfter(run func(context.Context, *work) error) func(context.Context, *work) error {
	return func(ctx context.Context, w *work) error {
		err := run(ctx, w)
		if err == nil && w.visit == nil && w.answeredBy == "" {
			w.save(ctx)
		}
		return err
	}
}

var toolsOf = map[string]string{researchAgent: researchTools, imageAgent: imageTools}
