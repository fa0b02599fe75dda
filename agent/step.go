package agent

// Who ends a turn of several decisions without asking the decider.
const (
	DecidedByReview        = "review"         // what was made has been approved
	DecidedByMaxIterations = "max_iterations" // there are to be no more decisions
)

// ReasonMaxIterations is the reason of a step that is the last by the limit alone: where the
// decider was asked and gave nothing, why not is the reason.
const ReasonMaxIterations = "max_iterations"

// IsDecision tells a step in which the decider was asked, whatever came of it.
func (s Step) IsDecision() bool {
	return s.Proposed != "" || s.Executed == "" || s.DecidedBy != DecidedByReview && (s.DecidedBy != DecidedByMaxIterations || s.Reason != ReasonMaxIterations)
}

// IsCalledAgain tells a decision in whose place the decider is asked once more.
func (s Step) IsCalledAgain() bool { return s.Executed == "" }

// IsCorrected tells a decision in whose place something else is done, other than
// to end.
func (s Step) IsCorrected() bool {
	return s.Executed != "" && s.Executed != s.Proposed && s.DecidedBy != DecidedByReview && s.DecidedBy != DecidedByMaxIterations
}

// ExecutedPath are the labels that a turn came by: what was done, without the decisions
// that were only asked for again.
func (r Reply) ExecutedPath() (path []string) {
	for _, s := range r.Steps {
		if s.Executed != "" {
			path = append(path, s.Executed)
		}
	}
	return path
}
