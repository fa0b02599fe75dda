package model

import (
	"cmp"
	"slices"
	"strconv"

	"evalctl/mocks/component"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/random"
)

// Answer returns a decision if a router component calls. If the request offers a tool named like
// the label, the answer calls this tool. Other requests get plausible text.
func (l *SimulatedRouter) Answer(r Request) Answer {
	if r.Role != component.Router && (len(r.Tools) == 0 || l.CorrectLabel == nil) {
		return Answer{Content: plausibleAnswer(r, r.seedOf(l.Seed))}
	}
	label, confidence, reason := l.drawDecision(r)
	if r.ForceFallbackLabel && r.Role == component.Router {
		label = l.fallbackName(r.Text)
	}
	offered := r.endsWithUser() && slices.Contains(r.Tools, label)
	if r.Role != component.Router && !offered {
		return Answer{Content: plausibleAnswer(r, r.seedOf(l.Seed))}
	}
	if l.AnswerWithToolCall {
		return l.toolAnswer(r, label, offered)
	}
	a := l.formatDecision(r, label, confidence, reason)
	if offered && a.ErrorResponse == nil {
		a.ToolCalls = []ToolCall{{Name: label}}
	}
	return a
}

// toolAnswer returns a call of the tool named like the label. If the request does not offer this
// tool, it returns plausible text.
func (l *SimulatedRouter) toolAnswer(r Request, label string, offered bool) Answer {
	if !offered {
		return Answer{Content: plausibleAnswer(r, r.seedOf(l.Seed))}
	}
	return Answer{Content: r.Text, ToolCalls: []ToolCall{{Name: label}}}
}

// formatDecision returns a decision in the configured format: only the label, or a JSON object.
func (l *SimulatedRouter) formatDecision(r Request, label string, confidence float64, reason string) Answer {
	if l.LabelOnly {
		return Answer{Content: label}
	}
	b := append(jsontext.AppendString([]byte{'{'}, cmp.Or(l.LabelField, "route")), ':')
	b = jsontext.AppendString(b, label)
	b = append(b, `,"confidence":`...)
	b = strconv.AppendFloat(b, confidence, 'f', -1, 64)
	b = jsontext.AppendStringField(append(b, ','), "reason", reason)
	b, err := l.appendFields(b, r, label)
	if err != nil {
		return Answer{ErrorResponse: &ErrorResponse{Status: 400, Message: err.Error()}}
	}
	return Answer{Content: string(append(b, '}'))}
}

const unknownConfidence = 0.3

func (l *SimulatedRouter) drawDecision(r Request) (label string, confidence float64, reason string) {
	text := r.Text
	right, ok := l.CorrectLabel(text)
	if !ok {
		return l.fallbackName(text), unknownConfidence, reasonText(text, false)
	}
	var accepted []string
	if l.AcceptedLabels != nil {
		accepted = l.AcceptedLabels(text)
	}
	odds := l.wrongOdds(l.choices(text), right, accepted)
	d := random.Rand{Seed: l.answerSeed(r, odds)}
	hit := l.correctnessDraw(r, d.Float64()) < l.Accuracy || odds.sum == 0
	if label = right; !hit {
		label = odds.draw(d.Float64())
	}
	confidence = l.Accuracy
	if l.Calibration != nil {
		confidence = l.Calibration.drawConfidence(hit, d.Float64())
	}
	return l.name(label), confidence, reasonText(text, true)
}

// choices returns the labels that may be given for a text, the fallback label last.
func (l *SimulatedRouter) choices(text string) []string {
	if l.LabelChoices != nil {
		if own := l.LabelChoices(text); own != nil {
			return own
		}
	}
	return l.Labels
}

// fallbackName returns the name of the fallback label for a text in answers; "": there are no labels.
func (l *SimulatedRouter) fallbackName(text string) string {
	labels := l.choices(text)
	if len(labels) == 0 {
		return ""
	}
	return l.name(labels[len(labels)-1])
}

func (l *SimulatedRouter) name(label string) string {
	if l.LabelName == nil {
		return label
	}
	return l.LabelName(label)
}

func reasonText(text string, known bool) string {
	switch {
	case IsChinese(text) && known:
		return "用户的话里有明确的意图线索"
	case IsChinese(text):
		return "没有明确的意图线索，按默认处理"
	case known:
		return "the message shows a clear intent"
	}
	return "no clear intent, so the default"
}
