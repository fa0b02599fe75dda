package mocks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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

// Validate names the field that is wrong. It looks once: a fresh Server for
// every trial must not pay for a large confusion each time.
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

// Answer gives a labelled decision to a router and believable words to others.
func (l *Labelled) Answer(r ChatRequest) Answer {
	if r.Component != Router {
		return Answer{Content: speak(r, hashText(l.Seed, r.Text))}
	}
	label, confidence, reason := l.decide(r.Text)
	field := l.Field
	if field == "" {
		field = "route"
	}
	b := append(appendString([]byte{'{'}, field), ':')
	b = appendString(b, label)
	b = append(b, `,"confidence":`...)
	b = strconv.AppendFloat(b, confidence, 'f', -1, 64)
	b = appendField(append(b, ','), "reason", reason)
	b, err := l.appendFields(b, r.Text, label)
	if err != nil {
		return Answer{Refusal: &Refusal{Status: 400, Message: err.Error()}}
	}
	return Answer{Content: string(append(b, '}'))}
}

const unknownConfidence = 0.3

func (l *Labelled) decide(text string) (label string, confidence float64, reason string) {
	right, ok := l.Label(text)
	if !ok {
		return l.Labels[len(l.Labels)-1], unknownConfidence, because(text, false)
	}
	d := dice{state: hashText(l.Seed, text)}
	if d.unit() < l.Accuracy {
		return right, l.Confidence.Right.or(0.9, 0.05).draw(&d), because(text, true)
	}
	return l.wrong(right, &d), l.Confidence.Wrong.or(0.6, 0.15).draw(&d), because(text, true)
}

// wrong picks another label by the confusion's row.
func (l *Labelled) wrong(right string, d *dice) string {
	row := l.Confusion[right]
	weight := func(label string) float64 {
		switch {
		case label == right:
			return 0
		case row == nil:
			return 1
		}
		return row[label]
	}
	sum := 0.0
	for _, label := range l.Labels {
		sum += weight(label)
	}
	x, last := d.unit()*sum, ""
	for _, label := range l.Labels { // in order: a map's order is not seeded
		w := weight(label)
		if w == 0 {
			continue
		}
		if last = label; x < w {
			break
		}
		x -= w
	}
	return last
}

func (s Spread) or(mean, spread float64) Spread {
	if s == (Spread{}) {
		return Spread{mean, spread}
	}
	return s
}

// draw is normal, kept within 0.01..0.99 and rounded to two digits.
func (s Spread) draw(d *dice) float64 {
	x := s.Mean + s.Spread*d.normal()
	return math.Round(100*min(max(x, 0.01), 0.99)) / 100
}

func because(text string, known bool) string {
	switch {
	case isChinese(text) && known:
		return "用户的话里有明确的意图线索"
	case isChinese(text):
		return "没有明确的意图线索，按默认处理"
	case known:
		return "the message shows a clear intent"
	}
	return "no clear intent, so the default"
}
