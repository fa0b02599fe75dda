package model

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// Labeled is a model of known quality: it knows the right label of every text
// and gives it with the stated accuracy. Its answer depends on its seeds and
// the request's place in the trial (outside a trial on the text) and not on the process or the server, so two
// Labelled with the same Seed and accuracies 0.8 and 0.9 are right on nested
// sets of texts, as long as no Consistency is stated; give them different seeds
// to have them err independently.
type Labeled struct {
	// Label is the right label of a text; ok is false for an unknown text,
	// which gets the last of Labels with little confidence.
	Label          func(text string) (label string, ok bool)
	AcceptedLabels func(text string) []string // what else is right, and so no wrong answer; nil: nothing
	Labels         []string                   // all labels, the residual class last
	Name           func(label string) string  // what the answer calls a label; nil: the same

	Accuracy    float64                       // the chance of the right label, 0..1
	Confusion   map[string]map[string]float64 // right label → wrong label → weight; a missing row is uniform
	Calibration *Calibration                  // for the Accuracy; nil: the confidence is always the Accuracy

	// Consistency is how often two epochs of a text have the same answer, 0: they
	// share no more than the difficulty of their case. A text has one answer that is its own, by
	// CaseSeed; an epoch gives it with the chance ρ, and else a fresh one by Seed, of
	// the same odds. With A for how often answers agree that share the difficulty alone,
	// two epochs agree in ρ² + (1−ρ²)·A; without a difficulty A is accuracy² + Σ(chance of a wrong label)².
	Consistency float64
	CaseSeed    uint64 // the same in all epochs
	Difficulty  Difficulty

	Seed     uint64
	Field    string // key of the label in the answer; empty: route
	Plain    bool   // the answer is the label and nothing else
	ToolCall bool   // the answer is a call of the tool that is named as the label is, with arguments made of the text; words where none is

	// Slots are the right values of further fields by name. Each is given, on
	// its own, with the chance SlotAccuracy; a missed one is "" in the answer.
	Slots        func(text string) map[string]string
	SlotAccuracy float64 // 0..1; 0 without Slots
	Nested       bool    // Extra says the slots: they do not stand beside the label
	// Extra are constant further fields beside the label and the slots that are given;
	// a slot of the same name wins. What JSON cannot hold makes the answer a refusal.
	Extra func(text, label string, slots map[string]string) map[string]any

	checked uint32 // atomic: 1 once Validate has passed
}

// FieldError is what is wrong with a field of a Labelled.
type FieldError struct {
	Field string // in Labelled
	Key   string // of a map; "": it is none
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

// Validate names the field that is wrong. It looks once: it is asked
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
	wrong := func(field, why string, of ...any) error {
		return &FieldError{Field: field, Err: fmt.Errorf(why, of...)}
	}
	switch {
	case l.Label == nil:
		return wrong("Label", "is missing")
	case len(l.Labels) == 0:
		return wrong("Labels", "is empty")
	case !(l.Accuracy >= 0 && l.Accuracy <= 1):
		return wrong("Accuracy", "%v is not in 0..1", l.Accuracy)
	case l.Accuracy < 1 && len(l.Labels) < 2:
		return wrong("Labels", "one label leaves no wrong answer for an Accuracy below 1")
	case l.Calibration != nil && l.Calibration.accuracy != l.Accuracy:
		return wrong("Calibration", "is for an accuracy of %v, not of %v", l.Calibration.accuracy, l.Accuracy)
	case !(l.SlotAccuracy >= 0 && l.SlotAccuracy <= 1):
		return wrong("SlotAccuracy", "%v is not in 0..1", l.SlotAccuracy)
	case !(l.Difficulty.Correlation >= 0 && l.Difficulty.Correlation <= 1):
		return wrong("Difficulty", "%v is not in 0..1", l.Difficulty.Correlation)
	case l.Slots == nil && l.SlotAccuracy > 0:
		return wrong("Slots", "is required with SlotAccuracy")
	}
	for _, right := range slices.Sorted(maps.Keys(l.Confusion)) {
		if err := l.validateRow(right, l.Confusion[right]); err != nil {
			return &FieldError{Field: "Confusion", Key: right, Err: err}
		}
	}
	return l.validateConsistency()
}

// validateConsistency finds a consistency that is less than that of independent
// answers, to a text of some label.
func (l *Labeled) validateConsistency() error {
	if l.Consistency == 0 {
		return nil
	}
	least := 0.0
	for _, right := range l.Labels {
		least = max(least, l.agreement(l.odds(right, nil)))
	}
	if l.Consistency >= least && l.Consistency <= 1 {
		return nil
	}
	return &FieldError{Field: "Consistency", Err: fmt.Errorf("%v is not in %.4g..1: with this accuracy, confusion and difficulty two epochs agree at least that often",
		l.Consistency, math.Ceil(least*1e4-1e-6)/1e4)}
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
