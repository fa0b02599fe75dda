package backend

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval/suite"
	"evalctl/mocks/model"
)

// ability is the quality of a simulated decider (accuracy, confidence, consistency), as the suite
// configures it.
type ability struct {
	suite.Simulated        // the settings in the suite file
	accuracy, slotAccuracy float64
	consistency            float64 // probability that two epochs decide equally; 0: not configured
	difficulty             float64 // 0..1: how much errors depend on the case; 0: errors are independent
	calibration            *model.Calibration
	heuristicCalibration   *model.Calibration // confidence of decisions made by the heuristic instead of a label
}

// The values of the setting behavior of a model in a suite file.
const (
	labeled  = "labeled"
	flaky    = "flaky" // like labeled, but often inconsistent between epochs
	scripted = "scripted"
)

// flakyPreset returns m with the accuracy, consistency and calibration of the behavior "flaky",
// unless the suite configures them.
func flakyPreset(m suite.Model) suite.Model {
	m.Behavior = labeled
	m.Accuracy, m.Consistency = cmp.Or(m.Accuracy, new(0.85)), cmp.Or(m.Consistency, new(0.75))
	if m.Calibration.IsZero() {
		m.Calibration.Curve = []suite.CurvePoint{{Confidence: 0.4, Accuracy: 0.35}, {Confidence: 0.6, Accuracy: 0.5},
			{Confidence: 0.8, Accuracy: 0.72},
			{Confidence: 0.9, Accuracy: 0.87}, {Confidence: 0.99, Accuracy: 0.94}}
	}
	return m
}

// perfectCalibration is the value of the setting calibration for a perfectly calibrated model.
const perfectCalibration = "perfect"

// defaultDifficulty is the difficulty of a simulated model for which the suite configures none.
const defaultDifficulty = 0.5

// abilityOf checks the quality settings of a simulated model and fills in defaults. An error begins
// with the name of the invalid setting.
func abilityOf(m suite.Simulated) (a ability, err error) {
	a = ability{
		Simulated:    m,
		accuracy:     *cmp.Or(m.Accuracy, new(1.0)),
		slotAccuracy: *cmp.Or(m.SlotAccuracy, new(1.0)),
		consistency:  *cmp.Or(m.Consistency, new(0.0)),
	}
	if m.Difficulty != nil {
		a.difficulty = *m.Difficulty
	} else if a.accuracy > 0 && a.accuracy < 1 {
		a.difficulty = defaultDifficulty
	}
	figures := map[string]float64{"accuracy": a.accuracy, "slot_accuracy": a.slotAccuracy, "score_noise": m.ScoreNoise,
		"consistency": a.consistency,
		"difficulty":  a.difficulty}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if v := figures[name]; !(v >= 0 && v <= 1) {
			return a, fmt.Errorf("%s: %v is not in 0..1", name, v)
		}
	}
	if m.Consistency != nil && a.consistency == 0 {
		return a, errors.New("consistency: 0 is less than that of answers that are independent of each other")
	}
	curve := model.PerfectCurve(a.accuracy)
	switch {
	case m.Calibration.Curve != nil:
		curve = nil
		for _, p := range m.Calibration.Curve {
			curve = append(curve, model.CurvePoint(p))
		}
	case m.Calibration.Preset != "" && m.Calibration.Preset != perfectCalibration:
		return a, fmt.Errorf("calibration: %q is neither %s nor a curve such as %s", m.Calibration.Preset,
			perfectCalibration, suite.CurveExample)
	}
	if a.calibration, err = model.NewCalibration(curve, a.accuracy); err != nil {
		return a, err
	}
	a.heuristicCalibration, err = model.NewCalibration(
		[]model.CurvePoint{{Confidence: heuristicConfidence, Accuracy: a.accuracy}}, a.accuracy)
	return a, err
}

// withoutErrors returns a decider that always follows the heuristic, for a conversation with a user.
// It states confidences of the suite's calibration; without a curve, always 1.
func (q ability) withoutErrors() ability {
	q.accuracy, q.slotAccuracy, q.consistency, q.difficulty, q.Confusion = 1, 1, 0, 0, nil
	if q.Calibration.Curve != nil {
		q.calibration = q.calibration.WithoutErrors()
	} else {
		q.calibration = nil
	}
	return q
}

// describe returns the quality settings of a simulated decider as text, for the notes in a report.
func (q ability) describe() (list []string) {
	list = append(list, fmt.Sprintf("accuracy %v", q.accuracy))
	if rows := slices.Sorted(maps.Keys(q.Confusion)); len(rows) > 0 {
		list = append(list, "confusion of "+strings.Join(rows, " and "))
	}
	if curve := q.Calibration.Curve; curve != nil {
		var points []string
		for _, p := range curve {
			points = append(points, fmt.Sprintf("%v→%v", p.Confidence, p.Accuracy))
		}
		list = append(list, "calibration "+strings.Join(points, " "))
	}
	if q.consistency > 0 {
		list = append(list, fmt.Sprintf("consistency %v", q.consistency))
	}
	if q.accuracy > 0 && q.accuracy < 1 {
		list = append(list, fmt.Sprintf("difficulty %v", q.difficulty))
	}
	return list
}

// heuristicConfidence is the confidence of a simulated model that decides without a label.
const heuristicConfidence = 0.3

// heuristic returns the quality of decisions without a label: the accuracy of q, but a low
// confidence.
func (q ability) heuristic() ability {
	q.calibration = q.heuristicCalibration
	return q
}
