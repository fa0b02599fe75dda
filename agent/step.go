package agent

// Values of Step.DecidedBy for a step that ends the turn without a call of the deciding model.
const (
	DecidedByReview        = "review"         // a review approved the result
	DecidedByMaxIterations = "max_iterations" // the maximum number of decisions is reached
)

// ReasonMaxIterations is the Step.Reason of a turn that ends only because of the maximum number of
// decisions. If the last model call failed, the step has the reason of that failure instead.
const ReasonMaxIterations = "max_iterations"

// IsDecision reports whether the deciding model was called in the step, even without a result.
func (s Step) IsDecision() bool {
	return s.Proposed != "" || s.Executed == "" || s.DecidedBy != DecidedByReview &&
		(s.DecidedBy != DecidedByMaxIterations || s.Reason != ReasonMaxIterations)
}

// IsDiscarded reports whether the model's decision was discarded and the model is called again.
func (s Step) IsDiscarded() bool { return s.Executed == "" }

// IsCorrected reports whether a label other than the proposed one was executed, for example by a
// guard. The end of a turn does not count as a correction.
func (s Step) IsCorrected() bool {
	return s.Executed != "" && s.Executed != s.Proposed && s.DecidedBy != DecidedByReview &&
		s.DecidedBy != DecidedByMaxIterations
}

// ExecutedPath returns the executed labels of a turn in order, without discarded decisions.
func (r Reply) ExecutedPath() (path []string) {
	for _, s := range r.Steps {
		if s.Executed != "" {
			path = append(path, s.Executed)
		}
	}
	return path
}
