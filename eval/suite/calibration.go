package suite

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Calibration describes how the confidence that a simulated model reports is related to its
// accuracy. It is either a preset or a curve.
type Calibration struct {
	Preset string       // "perfect", or "" if there is a curve
	Curve  []CurvePoint // points between which the accuracy is interpolated; nil: Preset applies
}

// CurvePoint is the accuracy of answers with a given confidence. Both are between 0 and 1.
type CurvePoint struct {
	Confidence float64 `yaml:"confidence"` // confidence that the model reports
	Accuracy   float64 `yaml:"accuracy"`   // share of right answers
}

var (
	_ yaml.InterfaceUnmarshaler = (*Calibration)(nil)
	_ yaml.InterfaceMarshaler   = Calibration{}
)

// UnmarshalYAML reads the name of a preset, or a list of curve points.
func (c *Calibration) UnmarshalYAML(decode func(any) error) error {
	var raw any
	if err := decode(&raw); err != nil {
		return err
	}
	if _, ok := raw.([]any); ok {
		return decode(&c.Curve)
	}
	if raw != nil {
		c.Preset = fmt.Sprint(raw)
	}
	return nil
}

// MarshalYAML writes the format that UnmarshalYAML reads.
func (c Calibration) MarshalYAML() (any, error) {
	if c.Curve == nil {
		return c.Preset, nil
	}
	return c.Curve, nil
}

// IsZero reports whether the suite file gives no calibration.
func (c Calibration) IsZero() bool { return c.Preset == "" && c.Curve == nil }

// CurveExample is an example of a calibration curve, for error messages and help.
const CurveExample = "[{confidence: 0.5, accuracy: 0.4}, {confidence: 0.99, accuracy: 0.98}]"
