package model

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// SimulatedRouter is a simulated router of known quality: it returns the correct label with the
// configured accuracy. Its answers depend only on its seeds and the position of the call in its
// trial; outside a trial, on the text. With equal seeds, a model of higher accuracy is correct
// wherever one of lower accuracy is, unless Consistency is set. With different seeds, errors are
// independent.
type SimulatedRouter struct {
	// CorrectLabel returns the correct label of a text. If ok is false, the text is unknown: the
	// answer is then the last of Labels with a low confidence.
	CorrectLabel func(text string) (label string, ok bool)
	// further correct labels of a text, which are never given as wrong answers; may be nil
	AcceptedLabels func(text string) []string
	Labels         []string // all labels, the fallback label last
	// LabelChoices returns the labels of a text that may be given instead of Labels, the fallback
	// label last; nil: Labels. Choices may be nil.
	LabelChoices func(text string) []string
	LabelName    func(label string) string // returns the name of a label in answers; nil: the label itself

	Accuracy  float64                       // probability of the correct label, 0..1
	Confusion map[string]map[string]float64 // correct label → wrong label → weight; a missing row is uniform
	// draws the confidence; must match Accuracy; nil: the confidence is always Accuracy
	Calibration *Calibration

	// Consistency is the probability that two epochs give the same answer to a text; 0: epochs have
	// in common only the difficulty of their case. Each text has a fixed answer, determined by
	// CaseSeed. An epoch returns it with probability ρ, else a new answer determined by Seed. Let A
	// be the probability that two new answers are equal. ρ is chosen so that ρ² + (1−ρ²)·A is
	// Consistency. Without difficulty, A is accuracy² + Σ(probability of a wrong label)².
	Consistency float64
	CaseSeed    uint64     // random seed that is the same in all epochs of a case
	Difficulty  Difficulty // makes errors depend on the case; zero: errors are independent

	Seed       uint64 // seed of the answers, usually another one in each epoch
	LabelField string // JSON key of the label in the answer; empty: "route"
	LabelOnly  bool   // the answer is only the label, without JSON
	// AnswerWithToolCall selects a tool call as the answer, instead of a text with the label. The
	// tool is the one named like the label, and its arguments are from the text. If there is no
	// such tool, the answer is text.
	AnswerWithToolCall bool

	// Slots returns the correct values of the slots in a text. Each is given with probability
	// SlotAccuracy, else it is "". Slots may be nil.
	Slots        func(text string) map[string]string
	SlotAccuracy float64 // probability of a correct slot, 0..1; 0 without Slots
	SlotsInExtra bool    // Extra writes the slots, so they are not written next to the label
	// ExtraFields returns further fields of the answer, given the label and the slots in the
	// answer. A slot of the same name has priority. Values that JSON cannot represent turn the
	// answer into a refusal. Extra may be nil.
	ExtraFields func(text, label string, slots map[string]string) map[string]any

	checked uint32 // atomic: 1 once Validate has passed
}

// FieldError reports an invalid field of a SimulatedRouter.
type FieldError struct {
	Field string // name of the field of SimulatedRouter
	Key   string // key in the field, if it is a map; empty: none
	Err   error  // why the field is invalid
}

func (e *FieldError) Error() string {
	if e.Key != "" {
		return fmt.Sprintf("SimulatedRouter.%s[%s]: %v", e.Field, e.Key, e.Err)
	}
	return fmt.Sprintf("SimulatedRouter.%s: %v", e.Field, e.Err)
}

func (e *FieldError) Unwrap() error { return e.Err }

var _ Model = (*SimulatedRouter)(nil)

// Validate returns an error that names the invalid field. Success is cached, because Validate is
// called before every answer.
func (l *SimulatedRouter) Validate() error {
	if atomic.LoadUint32(&l.checked) == 1 {
		return nil
	}
	if err := l.validate(); err != nil {
		return err
	}
	atomic.StoreUint32(&l.checked, 1)
	return nil
}

func (l *SimulatedRouter) validate() error {
	fieldErr := func(field, format string, of ...any) error {
		return &FieldError{Field: field, Err: fmt.Errorf(format, of...)}
	}
	switch {
	case l.CorrectLabel == nil:
		return fieldErr("Label", "is missing")
	case len(l.Labels) == 0 && l.LabelChoices == nil:
		return fieldErr("Labels", "is empty")
	case !(l.Accuracy >= 0 && l.Accuracy <= 1):
		return fieldErr("Accuracy", "%v is not in 0..1", l.Accuracy)
	case l.Accuracy < 1 && len(l.Labels) < 2 && l.LabelChoices == nil:
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

// validateConsistency checks, for every label, that Consistency (the agreement between epochs of a
// case) is at least the agreement that follows from accuracy and difficulty alone.
func (l *SimulatedRouter) validateConsistency() error {
	if l.Consistency == 0 {
		return nil
	}
	minimum := 0.0
	for _, right := range l.Labels {
		minimum = max(minimum, l.agreement(l.wrongOdds(l.Labels, right, nil)))
	}
	if l.Consistency >= minimum && l.Consistency <= 1 {
		return nil
	}
	return &FieldError{Field: "Consistency",
		Err: fmt.Errorf("%v is not in %.4g..1: with this accuracy, confusion and difficulty two epochs agree at least that often",
			l.Consistency, math.Ceil(minimum*1e4-1e-6)/1e4)}
}

func (l *SimulatedRouter) validateRow(right string, row map[string]float64) error {
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
