package studio

import "context"

// nodes are the four nodes that process a turn.
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

// run processes a turn in a node.
type run = func(context.Context, *state) error

// recoverAt stores a node's error in the turn and continues at next.
func recoverAt(node, next string) func(*state, error) (string, bool) {
	return func(s *state, err error) (string, bool) {
		s.Error = failureOf(node, err)
		return next, true
	}
}
