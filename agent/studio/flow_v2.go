package studio

import (
	"context"

	"evalctl/agent/graph"
)

// flowV2 returns the graph of profile V2. If a node fails, the turn continues at the error handler.
func flowV2(n nodes) []graph.Node[state] {
	node := func(name string, work run, next func(*state) string) graph.Node[state] {
		return graph.Node[state]{
			Name:    name,
			Run:     work,
			Next:    next,
			OnError: recoverAt(name, errorNode),
		}
	}
	return []graph.Node[state]{
		node(plannerNode, n.planner.v2, afterPlannerV2),
		node(ragNode, n.enricher.v2, afterRAGV2),
		node(executorNode, n.executor.v2, afterExecutorV2),
		node(criticNode, n.reviewer.v2, afterCriticV2),
		node(genUINode, present, nil),
		{Name: errorNode, Run: handleError},
	}
}

func afterPlannerV2(s *state) string {
	if s.Error == nil && s.Intent.isExecutable() {
		return ragNode
	}
	return errorNode
}

func afterRAGV2(s *state) string {
	if s.Error != nil {
		return errorNode
	}
	return executorNode
}

func afterExecutorV2(s *state) string {
	switch {
	case s.Error != nil, s.Result == nil:
		return errorNode
	case s.IsPreviousResult:
		return genUINode
	}
	return criticNode
}

func afterCriticV2(s *state) string {
	switch {
	case s.Error != nil:
		return errorNode
	case s.Quality != nil && s.Quality.Passed, !s.mayRetry(retriesV2):
		return genUINode
	}
	s.RetryCount++
	return ragNode
}

// handleError sends the error reply. A plan that cannot be executed becomes the error
// notUnderstood.
func handleError(ctx context.Context, s *state) error {
	if s.Error == nil {
		s.Error = failureOf(plannerNode, s.userText, errorCode(notUnderstood))
	}
	return s.emitError(ctx, errorNode, errorNode)
}
