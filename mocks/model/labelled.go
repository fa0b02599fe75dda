package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// Labelled is a model of known quality: it knows the right label of every text
// and gives it with the stated accuracy. Its answer depends on Seed and the
// text alone, not on the order of calls, the process or the server, so two
// Labelled with the same Seed and accuracies 0.8 and 0.9 are right on nested
// sets of texts; give them different seeds to have them err independently.
type Labelled struct {
	// Label is the right label of a text; ok is false for an unknown text,
	// which gets the last of Labels with little confidence.
	Label  func(text string) (label string, ok bool)
	Labels []string // all labels, the residual class last

	Accuracy   float64                       // the chance of the right label, 0..1
	Confusion  map[string]map[string]float64 // right label → wrong label → weight; a missing row is uniform
	Confidence Calibration
	Seed       uint64
	Field      string // key of the label in the answer; empty: route
	Plain      bool   // the answer is the label and nothing else

	// Slots are the right values of further fields by name. Each is given, on
	// its own, with the chance SlotAccuracy; a missed one is "" in the answer.
	Slots        func(text string) map[string]string
	SlotAccuracy float64 // 0..1; 0 without Slots
	// Extra are constant further fields beside the label that is given; a slot
	// of the same name wins. What JSON cannot hold makes the answer a refusal.
	Extra func(text, label string) map[string]any

	checked uint32 // atomic: 1 once Validate has passed
}

// Calibration is the confidence stated with right and wrong answers. The zero
// Calibration is 0.9 ± 0.05 and 0.6 ± 0.15.
type Calibration struct {
	Right, Wrong Spread
}

// Spread is a mean and a standard deviation.
type Spread struct {
	Mean, Spread float64
}

var _ Model = (*Labelled)(nil)

// Validate names the field that is wrong. It looks once: it is asked
// before every answer.
func (l *Labelled) Validate() error {
	if atomic.LoadUint32(&l.checked) == 1 {
		return nil
	}
	if err := l.validate(); err != nil {
		return err
	}
	atomic.StoreUint32(&l.checked, 1)
	return nil
}

func (l *Labelled) validate() error {
	switch {
	case l.Label == nil:
		return errors.New("Labelled.Label is missing")
	case len(l.Labels) == 0:
		return errors.New("Labelled.Labels is empty")
	case !(l.Accuracy >= 0 && l.Accuracy <= 1):
		return fmt.Errorf("Labelled.Accuracy %v is not within 0..1", l.Accuracy)
	case l.Accuracy < 1 && len(l.Labels) < 2:
		return errors.New("Labelled.Labels: one label leaves no wrong answer for an Accuracy below 1")
	case !(l.SlotAccuracy >= 0 && l.SlotAccuracy <= 1):
		return fmt.Errorf("Labelled.SlotAccuracy %v is not within 0..1", l.SlotAccuracy)
	case l.Slots == nil && l.SlotAccuracy > 0:
		return errors.New("Labelled.Slots is missing beside SlotAccuracy")
	}
	for _, s := range []Spread{l.Confidence.Right, l.Confidence.Wrong} {
		if !(s.Mean >= 0 && s.Mean <= 1 && s.Spread >= 0 && s.Spread <= 1) {
			return fmt.Errorf("Labelled.Confidence: %v ± %v is not within 0..1", s.Mean, s.Spread)
		}
	}
	for right, row := range l.Confusion {
		if err := l.validateRow(right, row); err != nil {
			return fmt.Errorf("Labelled.Confusion[%s]: %w", right, err)
		}
	}
	return nil
}

func (l *Labelled) validateRow(right string, row map[string]float64) error {
	if !slices.Contains(l.Labels, right) {
		return errors.New("no such label")
	}
	sum := 0.0
	for wrong, weight := range row {
		switch {
		case !slices.Contains(l.Labels, wrong):
			return fmt.Errorf("no such label %q", wrong)
		case wrong == right:
			return errors.New("the right label is not a wrong answer")
		case !(weight >= 0) || math.IsInf(weight, 0):
			return fmt.Errorf("weight %v of %s is not a number from 0", weight, wrong)
		}
		sum += weight
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return errors.New("the weights have no sum")
	}
	return nil
}
