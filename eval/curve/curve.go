// Package curve reports accuracy along a numeric axis: the number of training texts, the number of
// examples in a prompt, or a threshold.
package curve

import "evalctl/eval"

// Curve is accuracy as a function of an axis.
type Curve struct {
	Suite     string           `json:"suite"`
	Name      string           `json:"curve,omitempty"` // of the group of variants, if a suite has several
	Axis      string           `json:"axis"`
	Points    []CurvePoint     `json:"points"` // lowest value first
	Models    []eval.ModelNote `json:"models,omitempty"`
	Identical bool             `json:"identical,omitempty"` // all points have the same decisions in every case

	// system whose guards and settings, which decide in addition to a model, did not run
	NotRun string `json:"not_run,omitempty"`
}

// CurvePoint is one value with its accuracy.
type CurvePoint struct {
	At       float64       `json:"x"`
	Variant  string        `json:"variant,omitempty"`
	Accuracy eval.Estimate `json:"accuracy"`

	Draws   int      `json:"draws,omitempty"`  // number of training samples; accuracy is their mean
	Lowest  *float64 `json:"lowest,omitempty"` // accuracy of a single draw, like Highest
	Highest *float64 `json:"highest,omitempty"`

	// paired difference to the previous point; nil: unknown
	VersusPrevious *eval.Contrast `json:"vs_previous,omitempty"`
	VersusFirst    *eval.Contrast `json:"vs_first,omitempty"` // paired difference to the first point
}

// LastDoubling returns the last step if it approximately doubles the value.
func (c Curve) LastDoubling() (from, to CurvePoint, ok bool) {
	n := len(c.Points)
	if n < 2 {
		return from, to, false
	}
	from, to = c.Points[n-2], c.Points[n-1]
	ratio := to.At / from.At
	return from, to, from.At > 0 && ratio > 1.9 && ratio < 2.1 && to.VersusPrevious != nil &&
		to.VersusPrevious.Value != nil
}
