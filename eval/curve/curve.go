// Package curve reports accuracy as a function of one number: the number of training texts, the
// number of examples in a prompt, or a threshold.
package curve

import "evalctl/eval"

// Curve is the accuracy of a suite as a function of one number, for example a threshold.
type Curve struct {
	Suite string `json:"suite"`
	// settings that distinguish this group of variants, if a suite has several curves; else ""
	Name string `json:"curve,omitempty"`
	// meaning of the values: a setting of the variants, or "training texts"
	Axis   string           `json:"axis"`
	Points []Point          `json:"points"`           // points of the curve, lowest value first
	Models []eval.ModelInfo `json:"models,omitempty"` // models that made the decisions of these variants
	// all points have identical decisions in every case, so the setting has no effect
	Identical bool `json:"identical,omitempty"`

	// name of the system whose guards and other settings were not applied; "": they were applied
	SkippedSystem string `json:"not_run,omitempty"`
}

// Point is the accuracy at one value of a curve, such as one number of training texts.
type Point struct {
	X        float64       `json:"x"`                 // value on the axis, such as the number of training texts
	Variant  string        `json:"variant,omitempty"` // variant with this value; "": there is none
	Accuracy eval.Estimate `json:"accuracy"`

	// number of random training samples of this size; Accuracy is the mean over them
	TrainingSamples int      `json:"draws,omitempty"`
	Lowest          *float64 `json:"lowest,omitempty"`  // lowest accuracy of a single training sample; nil with one sample
	Highest         *float64 `json:"highest,omitempty"` // highest accuracy of a single training sample; nil with one sample

	// paired accuracy difference to the previous point; nil: unknown
	VersusPrevious *eval.Contrast `json:"vs_previous,omitempty"`
	// paired accuracy difference to the first point; nil: unknown
	VersusFirst *eval.Contrast `json:"vs_first,omitempty"`
}

// LastDoubling returns the last two points if the value of the setting approximately doubles
// between them. Their difference shows whether more data would still help.
func (c Curve) LastDoubling() (from, to Point, ok bool) {
	n := len(c.Points)
	if n < 2 {
		return from, to, false
	}
	from, to = c.Points[n-2], c.Points[n-1]
	ratio := to.X / from.X
	return from, to, from.X > 0 && ratio > 1.9 && ratio < 2.1 && to.VersusPrevious != nil &&
		to.VersusPrevious.Value != nil
}
