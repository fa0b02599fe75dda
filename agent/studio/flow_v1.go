package studio

import (
	"evalctl/agent/graph"
)

func (a *Agent) flowV1() []graph.Node[state] {
	node := func(name string, work run, next func(*state) string) graph.Node[state] {
		return graph.Node[state]{Name: name, Run: work, Next: next, Rescue: rescued(name, graph.End)}
	}
	return []graph.Node[state]{
		node(planner, a.planV1, afterPlannerV1),
		node(rag, a.ragV1, func(*state) string { return executor }),
		node(executor, a.executeV1, func(*state) string { return critic }),
		node(critic, a.criticV1, a.afterCriticV1),
	}
}

// afterPlannerV1 passes the library by where no style is asked for.
func afterPlannerV1(s *state) string {
	if blank(s.Intent.Slots["style"]) {
		return executor
	}
	return rag
}

func (a *Agent) afterCriticV1(s *state) string {
	if s.Quality.Passed || !s.mayRetry(a.edition.retries) {
		return graph.End
	}
	s.RetryCount++
	return executor
}
