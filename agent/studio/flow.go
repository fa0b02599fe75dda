package studio

import "context"

// nodes are the four that do the work of a turn.
type nodes struct {
	planner  planner
	enricher enricher
	executor executor
	reviewer reviewer
}

func newNodes(cfg Config, rules standard) (n nodes, err error) {
	if n.planner, err = newPlanner(cfg); err != nil {
		return n, err
	}
	if n.enricher, err = newEnricher(cfg); err != nil {
		return n, err
	}
	if n.executor, err = newExecutor(cfg); err != nil {
		return n, err
	}
	n.reviewer, err = newReviewer(cfg, rules)
	return n, err
}

// run is the work of a node on a turn.
type run = func(context.Context, *state) error

// rescued makes a node's error the turn's, and goes on at next.
func rescued(node, next string) func(*state, error) (string, bool) {
	return func(s *state, err error) (string, bool) {
		s.Error = failureOf(node, err)
		return next, true
	}
}
