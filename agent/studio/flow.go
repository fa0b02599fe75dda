package studio

import "context"

// nodes are the four nodes that process a turn: plan, add styles, generate, review.
type nodes struct {
	planner  planner
	enricher styleSearch
	executor executor
	reviewer reviewer
}

func newNodes(cfg Config, rules scoringStandard) (n nodes, err error) {
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

// run is the function of a node: it processes the state of a turn.
type run = func(context.Context, *state) error

// recoverAt returns the error handler of a node. It stores the error in the state and continues at
// the node next.
func recoverAt(node, next string) func(*state, error) (string, bool) {
	return func(s *state, err error) (string, bool) {
		s.Error = failureOf(node, s.userText, err)
		return next, true
	}
}
