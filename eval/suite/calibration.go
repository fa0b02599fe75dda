package suite

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Calibration is how the confidence that a labelled model states goes with being
// right: a curve, or a word for one.
type Calibration struct {
	Preset string // perfect, or ""
	Curve  []CurvePoint
}

// CurvePoint is of the answers that state Confidence: the share Right is right.
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

// MarshalYAML writes what UnmarshalYAML reads.
func (c Calibration) MarshalYAML() (any, error) {
	if c.Curve == nil {
		return c.Preset, nil
	}
	return c.Curve, nil
}

// IsZero tells that nothing is given.
func (c Calibration) IsZero() bool { return c.Preset == "" && c.Curve == nil }

// FormOfCurve is what a calibration looks like in a file.
const FormOfCurve = "[{confidence: 0.5, accuracy: 0.4}, {confidence: 0.99, accuracy: 0.98}]"
