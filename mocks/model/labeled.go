package model

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// Labeled is a simulated model of known quality: it gives the correct label with the configured
// accuracy. Its answers depend only on its seeds and the request's place in the trial; outside a
// trial, on the text. With the same Seed, a model of higher accuracy is correct wherever one of
// lower accuracy is, unless Consistency is set. Different seeds make their errors independent.
type Labeled struct {
	// Label returns the correct label of a text. If ok is false, the answer is the last of Labels
	// with low confidence.
	Label          func(text string) (label string, ok bool)
	AcceptedLabels func(text string) []string // further correct labels, never used as wrong answers; may be nil
	Labels         []string                   // all labels, the fallback label last
	Name           func(label string) string  // the name of a label in the answer; nil: the label itself

	Accuracy    float64                       // probability of the correct label, 0..1
	Confusion   map[string]map[string]float64 // correct label → wrong label → weight; a missing row is uniform
	Calibration *Calibration                  // must match Accuracy; nil: the confidence is always Accuracy

	// Consistency is the probability that two epochs of a text have the same answer; 0: epochs
	// share only the difficulty of their case. Each text has a fixed answer, determined by
	// CaseSeed. An epoch returns it with probability ρ, else a new answer determined by Seed. Let A
	// be the agreement of answers that share only the difficulty. Then two epochs agree with
	// probability ρ² + (1−ρ²)·A. Without difficulty, A is accuracy² + Σ(probability of a wrong
	// label)².
	Consistency float64
	CaseSeed    uint64 // the same in all epochs
	Difficulty  Difficulty

	Seed  uint64
	Field string // key of the label in the answer; empty: route
	Plain bool   // the answer is only the label
	// the answer calls the tool named like the label, with arguments from the text; text if there
	// is no such tool
	ToolCall bool

	// Slots returns the correct values of further fields. Each is given independently with
	// probability SlotAccuracy, else it is "".
	Slots        func(text string) map[string]string
	SlotAccuracy float64 // 0..1; 0 without Slots
	Nested       bool    // Extra writes the slots; they are not written next to the label
	// Extra returns further fields next to the label and the given slots. A slot of the same name
	// has priority. Values that JSON cannot represent turn the answer into a refusal.
	Extra func(text, label string, slots map[string]string) map[string]any

	checked uint32 // atomic: 1 once Validate has passed
}

// FieldError is an invalid field of a Labeled.
type FieldError struct {
	Field string // of Labeled
	Key   string // of a map; empty: none
	Err   error
}

func (e *FieldError) Error() string {
	if e.Key != "" {
		return fmt.Sprintf("Labelled.%s[%s]: %v", e.Field, e.Key, e.Err)
	}
	return fmt.Sprintf("Labelled.%s: %v", e.Field, e.Err)
}

func (e *FieldError) Unwrap() error { return e.Err }

var _ Model = (*Labeled)(nil)

// Validate returns an error that names the invalid field. Success is cached, because it is called
// before every answer.
func (l *Labeled) Validate() error {
	if atomic.LoadUint32(&l.checked) == 1 {
		return nil
	}
	if err := l.validate(); err != nil {
		return err
	}
	atomic.StoreUint32(&l.checked, 1)
	return nil
}

func (l *Labeled) validate() error {
	fieldErr := func(field, format string, of ...any) error {
		return &FieldError{Field: field, Err: fmt.Errorf(format, of...)}
	}
	switch {
	case l.Label == nil:
		return fieldErr("Label", "is missing")
	case len(l.Labels) == 0:
		return fieldErr("Labels", "is empty")
	case !(l.Accuracy >= 0 && l.Accuracy <= 1):
		return fieldErr("Accuracy", "%v is not in 0..1", l.Accuracy)
	case l.Accuracy < 1 && len(l.Labels) < 2:
		return fieldErr("Labels", "one label leaves no wrong answer for an Accuracy below 1")
	case l.Calibration != nil && l.Calibration.accuracy != l.Accuracy:
		return fieldErr("Calibration", "is for an accuracy of %v, not of %v", l.Calibration.accuracy, l.Accuracy)
	case !(l.SlotAccuracy >= 0 && l.SlotAccuracy <= 1):
		return fieldErr("SlotAccuracy", "%v is not in 0..1", l.SlotAccuracy)
	case !(l.Difficulty.Correlation >= 0 && l.Difficulty.Correlation <= 1):
		return fieldErr("Difficulty", "%v is not in 0..1", l.Difficulty.Correlation)
	case l.Slots == nil && l.SlotAccuracy > 0:
		return fieldErr("Slots", "is required with SlotAccuracy")
	}
	for _, right := range slices.Sorted(maps.Keys(l.Confusion)) {
		if err := l.validateRow(right, l.Confusion[right]); err != nil {
			return &FieldError{Field: "Confusion", Key: right, Err: err}
		}
	}
	return l.validateConsistency()
}

// validateConsistency checks that the consistency is not below that of independent answers, for
// every label.
func (l *Labeled) validateConsistency() error {
	if l.Consistency == 0 {
		return nil
	}
	minimum := 0.0
	for _, right := range l.Labels {
		minimum = max(minimum, l.agreement(l.wrongOdds(right, nil)))
	}
	if l.Consistency >= minimum && l.Consistency <= 1 {
		return nil
	}
	return &FieldError{Field: "Consistency",
		Err: fmt.Errorf("%v is not in %.4g..1: with this accuracy, confusion and difficulty two epochs agree at least that often",
			l.Consistency, math.Ceil(minimum*1e4-1e-6)/1e4)}
}

func (l *Labeled) validateRow(right string, row map[string]float64) error {
	if !slices.Contains(l.Labels, right) {
		return errors.New("no such label")
	}
	sum := 0.0
	for _, wrong := range slices.Sorted(maps.Keys(row)) {
		weight := row[wrong]
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
