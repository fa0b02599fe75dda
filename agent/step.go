package agent

// Sources of a decision that ends a turn without a call of the decider.
const (
	DecidedByReview        = "review"         // the result has been approved
	DecidedByMaxIterations = "max_iterations" // the limit of decisions is reached
)

// ReasonMaxIterations is the reason of a step that is the last only because of the limit. If the
// decider was called and returned no decision, the step has the reason for that instead.
const ReasonMaxIterations = "max_iterations"

// IsDecision reports whether the decider was called in the step, with or without a result.
func (s Step) IsDecision() bool {
	return s.Proposed != "" || s.Executed == "" || s.DecidedBy != DecidedByReview &&
		(s.DecidedBy != DecidedByMaxIterations || s.Reason != ReasonMaxIterations)
}

// IsCalledAgain reports whether the decision was discarded and the decider is called again.
func (s Step) IsCalledAgain() bool { return s.Executed == "" }

// IsCorrected reports whether another label than the proposed one was executed, other than to end
// the turn.
func (s Step) IsCorrected() bool {
	return s.Executed != "" && s.Executed != s.Proposed && s.DecidedBy != DecidedByReview &&
		s.DecidedBy != DecidedByMaxIterations
}

// ExecutedPath are the executed labels of a turn in order, without discarded decisions.
func (r Reply) ExecutedPath() (path []string) {
	for _, s := range r.Steps {
		if s.Executed != "" {
			path = append(path, s.Executed)
		}
	}
	return path
}
