package studio

import "evalctl/agent/graph"

// flowV1 returns the graph of profile V1. If a node fails, the turn ends.
func flowV1(n nodes) []graph.Node[state] {
	node := func(name string, work run, next func(*state) string) graph.Node[state] {
		return graph.Node[state]{
			Name:    name,
			Run:     work,
			Next:    next,
			OnError: recoverAt(name, graph.End),
		}
	}
	return []graph.Node[state]{
		node(plannerNode, n.planner.v1, afterPlannerV1),
		node(ragNode, n.enricher.v1, func(*state) string { return executorNode }),
		node(executorNode, n.executor.v1, afterExecutorV1),
		node(criticNode, n.reviewer.v1, afterCriticV1),
	}
}

// afterPlannerV1 skips the style search if the request names no style.
func afterPlannerV1(s *state) string {
	if len(s.Styles) == 0 {
		return executorNode
	}
	return ragNode
}

func afterExecutorV1(s *state) string {
	if s.IsPreviousResult {
		return graph.End
	}
	return criticNode
}

func afterCriticV1(s *state) string {
	if s.Quality.Passed || !s.mayRetry(retriesV1) {
		return graph.End
	}
	s.RetryCount++
	return executorNode
}
