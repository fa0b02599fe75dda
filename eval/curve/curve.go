// Package curve follows accuracy along a numeric axis: how many texts were learned, how
// many examples a prompt shows, where a threshold stands.
package curve

import "evalctl/eval"

// Curve is accuracy over the values of an axis.
type Curve struct {
	Suite     string           `json:"suite"`
	Name      string           `json:"curve,omitempty"` // of what is asked, where a suite has several
	Axis      string           `json:"axis"`
	Points    []CurvePoint     `json:"points"` // the least value first
	Models    []eval.ModelNote `json:"models,omitempty"`
	Identical bool             `json:"identical,omitempty"` // all points decided the same in every case

	NotRun string `json:"not_run,omitempty"` // the system whose gates and settings, which decide beside a model, were not played
}

// CurvePoint is one value, with the accuracy there.
type CurvePoint struct {
	At       float64       `json:"x"`
	Variant  string        `json:"variant,omitempty"`
	Accuracy eval.Estimate `json:"accuracy"`

	Draws   int      `json:"draws,omitempty"`  // of the texts that were learned; accuracy is their mean
	Lowest  *float64 `json:"lowest,omitempty"` // accuracy of a draw, as the next
	Highest *float64 `json:"highest,omitempty"`

	VersusPrevious *eval.Contrast `json:"vs_previous,omitempty"` // from the point before, case by case; nil: not known
	VersusFirst    *eval.Contrast `json:"vs_first,omitempty"`    // from the first point
}

// LastDoubling is the last step, where it doubles the value or nearly does.
func (c Curve) LastDoubling() (from, to CurvePoint, ok bool) {
	n := len(c.Points)
	if n < 2 {
		return from, to, false
	}
	from, to = c.Points[n-2], c.Points[n-1]
	ratio := to.At / from.At
	return from, to, from.At > 0 && ratio > 1.9 && ratio < 2.1 && to.VersusPrevious != nil && to.VersusPrevious.Value != nil
}
