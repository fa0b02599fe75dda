package backend

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/mocks/model"
)

// train trains the baseline models that the suite's variants use, one per kind.
func (b *Backend) train(examples []system.LabeledExample) error {
	for _, kind := range b.suite.BaselineModels() {
		m, err := floor.CrossFit(kind, examples)
		if err != nil {
			return fmt.Errorf("%s:%s: %w", llm.BaselineProvider, kind, err)
		}
		b.baselineModels[kind] = m
	}
	return nil
}

// learnedDecider makes the decisions of a trial with a baseline model. It predicts from the text of
// the turn alone and answers in the format that the system expects. It reports no token usage.
type learnedDecider struct {
	baselineModel floor.Model
	labels        labels
	form          system.AnswerFormat
	turns         *caseTurns
}

var _ model.Model = learnedDecider{}

func (l learnedDecider) Answer(r model.Request) model.Answer {
	l.turns.countDecision(r.Text)
	text := r.Text
	if step, ok := l.turns.find(text); ok {
		text = step.Text // the request may contain the text of the turn inside a longer prompt
	}
	label, confidence := l.baselineModel.Predict(text)
	confidence = math.Round(confidence*1e4) / 1e4 // four decimals, as in reports
	if l.form.LabelName != nil {
		label = l.form.LabelName(label)
	}
	a := model.Answer{Content: label, Usage: &model.Usage{}}
	if l.form.ToolCall && slices.Contains(r.Tools, label) {
		a.Content, a.ToolCalls = text, []model.ToolCall{{Name: label}}
	}
	if l.form.PlainLabel || l.form.ToolCall {
		return a
	}
	slots, fields := l.labels.slots(nil, l.form), map[string]any{}
	if l.form.ExtraFields != nil {
		maps.Copy(fields, l.form.ExtraFields(text, slots))
	}
	if !l.form.SlotsInExtra {
		for name, value := range slots {
			fields[name] = value
		}
	}
	fields[cmp.Or(l.form.Field, l.labels.system.Contract.LabelField)], fields["confidence"], fields["reason"] = label,
		confidence, ""
	b, err := json.Marshal(fields)
	if err != nil {
		return model.Answer{ErrorResponse: &model.ErrorResponse{Status: 400, Message: err.Error()}}
	}
	a.Content = string(b)
	return a
}
