package agent

// Who ends a turn of several decisions without asking the decider.
const (
	ByReview = "review"         // what was made has been approved
	ByLimit  = "max_iterations" // there are to be no more decisions
)

// MaxIterations is the reason of a step that is the last by the limit alone: where the
// decider was asked and gave nothing, why not is the reason.
const MaxIterations = "max_iterations"

// IsDecision tells a step in which the decider was asked, whatever came of it.
func (s Step) IsDecision() bool {
	return s.Asked != "" || s.Taken == "" || s.By != ByReview && (s.By != ByLimit || s.Reason != MaxIterations)
}

// IsAskedAgain tells a decision in whose place the decider is asked once more.
func (s Step) IsAskedAgain() bool { return s.Taken == "" }

// IsCorrected tells a decision in whose place something else is done, other than
// to end.
func (s Step) IsCorrected() bool {
	return s.Taken != "" && s.Taken != s.Asked && s.By != ByReview && s.By != ByLimit
}

// Taken are the labels that a turn came by: what was done, without the decisions
// that were only asked for again.
func (r Reply) Taken() (path []string) {
	for _, s := range r.Steps {
		if s.Taken != "" {
			path = append(path, s.Taken)
		}
	}
	return path
}
