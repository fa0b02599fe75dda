package eval

// IsWrong tells a trial whose answer was judged and is not right.
func (r Result) IsWrong() bool { return r.Correct != nil && !*r.Correct }

// IsMissing tells a trial that is not wrong, but has no answer, or none that could
// be judged where something is expected.
func (r Result) IsMissing() bool {
	return !r.IsWrong() && (r.Error != nil || r.Correct == nil && len(r.Expected) > 0)
}

// IsFailing tells a trial that is worth a second look.
func (r Result) IsFailing() bool { return r.IsWrong() || r.IsMissing() }
