package studio

import (
	"context"

	"evalctl/agent/graph"
)

// sure is the confidence that a plan must exceed.
const sure = 0.5

func (a *Agent) flowV2() []graph.Node[state] {
	node := func(name string, work run, next func(*state) string) graph.Node[state] {
		return graph.Node[state]{Name: name, Run: work, Next: next, Rescue: rescued(name, errorHandler)}
	}
	return []graph.Node[state]{
		node(planner, a.planV2, afterPlannerV2),
		node(rag, a.ragV2, afterRAGV2),
		node(executor, a.executeV2, afterExecutorV2),
		node(critic, a.criticV2, a.afterCriticV2),
		node(genUI, a.genUI, nil),
		{Name: errorHandler, Run: a.handleError},
	}
}

func afterPlannerV2(s *state) string {
	if s.Error == nil && s.Intent.goesOn() {
		return rag
	}
	return errorHandler
}

// goesOn tells a plan that can be carried out.
func (in *intent) goesOn() bool {
	return in != nil && in.Action != Unknown && in.Confidence > sure
}

func afterRAGV2(s *state) string {
	if s.Error != nil {
		return errorHandler
	}
	return executor
}

func afterExecutorV2(s *state) string {
	if s.Error == nil && s.Result != nil {
		return critic
	}
	return errorHandler
}

func (a *Agent) afterCriticV2(s *state) string {
	switch {
	case s.Error != nil:
		return errorHandler
	case s.Quality != nil && s.Quality.Passed, !s.mayRetry(a.edition.retries):
		return genUI
	}
	s.RetryCount++
	return rag
}

// handleError answers for what went wrong. A plan that does not go on comes
// here without an error.
func (a *Agent) handleError(ctx context.Context, s *state) error {
	if s.Error == nil {
		s.Error = failureOf(planner, refusal(notUnderstood))
	}
	return s.apologise(ctx, errorHandler, errorHandler)
}
