package suite

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Calibration relates the stated confidence of a labeled model to its accuracy: a curve or a
// preset.
type Calibration struct {
	Preset string // perfect, or ""
	Curve  []CurvePoint
}

// CurvePoint gives the accuracy of answers with this confidence.
type CurvePoint struct {
	Confidence float64 `yaml:"confidence"`
	Accuracy   float64 `yaml:"accuracy"`
}

var (
	_ yaml.InterfaceUnmarshaler = (*Calibration)(nil)
	_ yaml.InterfaceMarshaler   = Calibration{}
)

// UnmarshalYAML reads a word or a list of points.
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

// IsZero reports whether no calibration is given.
func (c Calibration) IsZero() bool { return c.Preset == "" && c.Curve == nil }

// CurveExample is an example of a calibration in a file.
const CurveExample = "[{confidence: 0.5, accuracy: 0.4}, {confidence: 0.99, accuracy: 0.98}]"
